#include "tangent/tangent_engine.hpp"

#include "simd/flush_subnormals.hpp"
#include "simd/for_target.hpp"
#include "tangent/dual_column.hpp"
#include "tangent/elements/tangent_elements.hpp"
#include "tangent/tangent_kernel.hpp"
#include "tangent/weighted_drives.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace beadwave::dynamics {
namespace {

constexpr std::size_t numbers = 1 + tangent_directions;

/// Replaces the infinite gap of a contact that cannot close [m]: laws are evaluated at the overlap
/// of every contact, and infinities would make derivatives NaN.
constexpr double never = 1e9;

/// The steps between two scans for beads that have not moved yet.
constexpr std::int64_t steps_between_scans = 8;

/// Length in whole blocks for all contacts and the bead that represents the right wall; one more
/// block may be read.
std::size_t padded(std::size_t contacts) {
    return (contacts + tangent_block - 1) / tangent_block * tangent_block;
}

}  // namespace

/// One run, with a few directions.
class TangentEngine::Pass {
  public:
    Pass(const chain::Chain& chain, double time_step, std::span<const ChainNumbers> changes,
         const simd::InstructionSet& instructions)
        : beads_(chain.beads()),
          length_(padded(beads_ + 1)),
          stride_(length_ + tangent_block + (chain.elements.empty() ? 0 : TangentElements::margin)),
          time_step_(time_step),
          kernel_(simd::for_target(instructions.target,
                                   [&]<simd::Target target>() {
                                       return tangent_kernel<target>(
                                           chain.contacts.first().index());
                                   })),
          law_(chain.contacts.law_fields(), DualColumn(stride_)),
          memory_(chain.contacts.first().traits().memory_numbers, DualColumn(stride_)) {
        const ChainNumbers own(chain);
        left_.push_back(own.left);
        right_.push_back(own.right);
        for (const ChainNumbers& change : changes) {
            left_.push_back(change.left);
            right_.push_back(change.right);
        }
        fill(chain, own, changes);
        if (!chain.elements.empty()) {
            elements_ = std::make_unique<TangentElements>(chain, time_step, stride_, own, changes,
                                                          kernel_.uses_speed, instructions);
            half_after_ = DualColumn(stride_);
        }
        start(chain);
    }

    void advance(std::int64_t first, std::int64_t steps) {
        const simd::FlushSubnormals flush;
        TangentRow row = view();
        TangentWall left{};
        for (std::int64_t step = first + 1; step <= first + steps; ++step) {
            if (step >= next_scan_) {
                find_awake();
                next_scan_ = step + steps_between_scans;
            }
            row.length = std::min(length_, padded(awake_ + steps_between_scans + 1));
            place_walls(step, left, velocity_change_);
            if (elements_) elements_->begin_step(row, step);
            bool struck = kernel_.step(row, left);
            if (elements_ && elements_->end_step(row, step)) struck = true;
            if (struck) kernel_.apply_blows(row);
        }
    }

    double force(std::size_t bead, std::size_t part) const {
        return 0.5 * (force_(bead, part) + force_(bead + 1, part));
    }

    bool finite() const {
        return displacement_.finite() && half_.finite() && force_.finite() &&
               (!elements_ || elements_->finite());
    }

  private:
    void fill(const chain::Chain& chain, const ChainNumbers& own,
              std::span<const ChainNumbers> changes) {
        const auto number = [&](std::size_t part) -> const ChainNumbers& {
            return part == 0 ? own : changes[part - 1];
        };
        const bool walled = std::isfinite(chain.gap[beads_]);
        for (std::size_t part = 0; part <= changes.size(); ++part) {
            const ChainNumbers& from = number(part);
            for (std::size_t i = 0; i < stride_; ++i) {
                const std::size_t contact = std::min(i, beads_), bead = std::min(i, beads_ - 1);
                for (std::size_t k = 0; k < law_.size(); ++k)
                    law_[k](i, part) = from.law[k][contact];
                if (part == 0) gap_(i, 0) = i <= beads_ ? std::min(never, from.gap[i]) : never;
                if (part > 0 && i <= beads_) gap_(i, part) = from.gap[i];
                if (i < beads_) {
                    body_force_(i, part) = from.body_force[i];
                    half_(i, part) = from.velocity[i];
                }
                const bool held = chain.is_held(bead) || (i >= beads_ && walled);
                const double kick = held ? 0.0 : 0.5 * time_step_ * (1.0 / own.mass[bead]);
                kick_(i, part) = part == 0 ? kick : -kick / own.mass[bead] * from.mass[bead];
            }
        }
    }

    /// Sets the walls after a step. The right wall is a bead behind the last one; the laws get its
    /// velocity from `right_velocity`.
    void place_walls(std::int64_t step, TangentWall& left, DualColumn& right_velocity) {
        const double time = static_cast<double>(step) * time_step_;
        for (std::size_t part = 0; part < left_.size(); ++part) {
            if (!left_.front().empty()) {
                left.displacement[part] = displacement(left_[part], time);
                left.velocity[part] = velocity(left_[part], time);
            }
            if (!right_.front().empty()) {
                displacement_(beads_, part) = displacement(right_[part], time);
                right_velocity(beads_, part) = velocity(right_[part], time);
            }
        }
    }

    /// Finds the beads that have not moved and carry no force. They do not change until the wave
    /// arrives; it travels at most one bead per step.
    void find_awake() {
        if (!right_.front().empty() || !waits()) awake_ = length_;
        std::size_t end = std::min(length_, padded(awake_ + steps_between_scans + 1));
        while (end > awake_ && is_at_rest(end - 1))
            --end;
        awake_ = end;
    }

    /// Whether a bead at rest waits for its neighbours.
    bool waits() const { return !elements_ || elements_->act_through_neighbours_only(); }

    bool is_at_rest(std::size_t i) const {
        for (std::size_t part = 0; part < numbers; ++part) {
            if (displacement_(i, part) != 0.0 || half_(i, part) != 0.0 || force_(i, part) != 0.0)
                return false;
        }
        return true;
    }

    void start(const chain::Chain& chain) {
        const simd::FlushSubnormals flush;
        const TangentRow row = view();
        TangentWall left{};
        place_walls(0, left, half_);
        for (std::size_t part = 0; part < numbers; ++part)
            displacement_(beads_, part) = left.displacement[part] = 0.0;
        kernel_.init_forces(row, left);
        for (std::size_t part = 0; part < numbers; ++part)
            half_(beads_, part) = 0.0;
        // Equilibrium with the loads becomes exact, as in the tiled engine.
        for (const chain::Load& load : chain.loads) {
            const double net = force_(load.bead, 0) - force_(load.bead + 1, 0);
            double& body_force = body_force_(load.bead, 0);
            if (std::abs(body_force + net) <= 1e-15 * std::abs(body_force)) body_force = -net;
        }
        kernel_.init_velocity_change(row);
        if (elements_) elements_->init(row);
        kernel_.init_half_step(row);
        awake_ = length_;
        while (awake_ > 0 && is_at_rest(awake_ - 1))
            --awake_;
    }

    TangentRow view() {
        TangentRow row{.time_step = time_step_,
                       .length = length_,
                       .stride = stride_,
                       .law = {},
                       .gap = gap_.data(),
                       .kick = kick_.data(),
                       .body_force = body_force_.data(),
                       .displacement = displacement_.data(),
                       .half = half_.data(),
                       .half_after = elements_ ? half_after_.data() : half_.data(),
                       .velocity_change = velocity_change_.data(),
                       .force = force_.data(),
                       .memory = {},
                       .overlap = overlap_.data(),
                       .approach_speed = approach_speed_.data(),
                       .blow = blow_.data()};
        for (std::size_t k = 0; k < law_.size(); ++k)
            row.law[k] = law_[k].data();
        for (std::size_t k = 0; k < memory_.size(); ++k)
            row.memory[k] = memory_[k].data();
        return row;
    }

    std::size_t beads_, length_, stride_;
    std::size_t awake_ = 0;       // entries from here on have not moved and carry no force
    std::int64_t next_scan_ = 0;  // step
    double time_step_;
    TangentKernel kernel_;
    std::vector<WeightedDrives> left_, right_;  // the motion, then one derivative per direction
    std::vector<DualColumn> law_, memory_;
    DualColumn gap_{stride_}, kick_{stride_}, body_force_{stride_};
    DualColumn displacement_{stride_}, half_{stride_}, velocity_change_{stride_}, force_{stride_};
    DualColumn overlap_{stride_}, blow_{stride_};
    DualColumn half_after_{0};  // only if beads carry something
    std::unique_ptr<TangentElements> elements_;
    std::vector<double> approach_speed_ = std::vector<double>(stride_, 0.0);
};

TangentEngine::TangentEngine(const chain::Chain& chain, double time_step,
                             std::span<const ChainNumbers> changes)
    : TangentEngine(chain, time_step, changes, simd::instruction_sets().front()) {}

TangentEngine::TangentEngine(const chain::Chain& chain, double time_step,
                             std::span<const ChainNumbers> changes,
                             const simd::InstructionSet& instructions)
    : directions_(changes.size()) {
    for (std::size_t first = 0; first == 0 || first < directions_; first += tangent_directions) {
        passes_.emplace_back(
            chain, time_step,
            changes.subspan(first, std::min(tangent_directions, directions_ - first)),
            instructions);
    }
}

TangentEngine::~TangentEngine() = default;

void TangentEngine::advance(std::int64_t steps) {
    for (Pass& pass : passes_)
        pass.advance(step_, steps);
    step_ += steps;
}

void TangentEngine::read(std::size_t bead, double& force, std::span<double> derivatives) const {
    force = passes_.front().force(bead, 0);
    for (std::size_t k = 0; k < directions_; ++k)
        derivatives[k] = passes_[k / tangent_directions].force(bead, 1 + k % tangent_directions);
}

bool TangentEngine::finite() const {
    return std::ranges::all_of(passes_, [](const Pass& pass) { return pass.finite(); });
}

}  // namespace beadwave::dynamics
