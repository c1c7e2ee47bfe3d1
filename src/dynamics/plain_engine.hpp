// The plain engine: each step is a loop over beads, one over contacts, one over beads. Read this
// file to understand a step; the tests compare the faster engines with it.
#pragma once

#include "beadwave/laws/slopes.hpp"
#include "dynamics/contact_work.hpp"
#include "dynamics/elements/plain_elements.hpp"
#include "dynamics/energy_accounting.hpp"
#include "laws/neck.hpp"
#include "simd/flush_subnormals.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace beadwave::dynamics {

/// Law: laws::AnyLaw, or a class that responds and has traits like it.
template <class Law>
class PlainEngine final : public EngineBase {
    using Memory = typename Law::Memory;

  public:
    /// `law`: one per contact. `dissipation`: contact_dissipation() is known.
    PlainEngine(const chain::Chain& chain, std::vector<Law> law, double dt,
                bool dissipation = false)
        : EngineBase(chain, dt),
          law_(std::move(law)),
          conservative_(law_.front().traits().conservative),
          dissipation_(dissipation),
          gap_(chain.gap),
          mass_(chain.mass),
          kick_(n_),
          body_force_(n_),
          displacement_(n_ + 2, 0.0),
          predicted_(n_ + 2, 0.0),
          half_velocity_(n_, 0.0),
          velocity_(chain.velocity),
          velocity_change_(n_, 0.0),
          force_(n_ + 1, 0.0),
          power_(conservative_ ? 0 : n_, 0.0),
          memory_(law_.front().traits().memory_numbers, std::vector<double>(n_ + 1, 0.0)) {
        for (std::size_t i = 0; i < n_; ++i) {
            kick_[i] = chain.is_held(i) ? 0.0 : 0.5 * dt_ * (1.0 / mass_[i]);
            body_force_[i] = mass_[i] * chain.gravity;
        }
        for (const chain::Load& load : chain.loads)
            body_force_[load.bead] += load.force;

        std::ranges::copy(chain.displacement, displacement_.begin() + 1);
        const simd::FlushSubnormals flush;
        for (std::size_t i = 0; i < n_; ++i)
            predicted_[i + 1] = velocity_[i];
        predicted_.front() = left_wall_.velocity(0);
        predicted_.back() = right_wall_.velocity(0);
        // Twice: a contact that starts closed has been loaded to its overlap. From then on its
        // force follows the unloading path, which may differ from the loading path by rounding.
        respond();
        respond();
        if (elements_) {
            of_beads_.emplace(chain, dt);
            of_beads_->init(displacement_.data() + 1, velocity_.data());
            elements_->attach(of_beads_->table(), of_beads_->pointers());
            prepare_loads();
        }
        for (std::size_t i = 0; i < n_; ++i)
            velocity_change_[i] = (force_[i] - force_[i + 1] + body_force(i)) * kick_[i];
        StatePointers state{.displacement = displacement_.data() + 1,
                            .velocity = velocity_.data(),
                            .velocity_change = velocity_change_.data(),
                            .force = force_.data(),
                            .power = conservative_ ? nullptr : power_.data(),
                            .memory = {}};
        for (auto& column : memory_)
            state.memory.push_back(column.data());
        init_accounting(std::move(state));
        if (dissipation_ && !conservative_) start_contact_work();
    }

    int threads() const override { return 1; }

    void advance(std::int64_t steps, SensorTrace& trace) override {
        trace.resize_rows(static_cast<std::size_t>(steps));
        const simd::FlushSubnormals flush;
        for (std::int64_t s = 0; s < steps; ++s) {
            const double left_force = force_.front(), left = displacement_.front();
            const double right_force = force_.back(), right = displacement_.back();
            if (elements_) remember();
            if (contact_work_) remember_contacts();
            ++step_;
            drift();
            respond();
            if (elements_) respond_elements();
            if (left_wall_.moves())
                left_wall_.add_work(left_force, force_.front(), displacement_.front() - left);
            if (right_wall_.moves())
                right_wall_.add_work(-right_force, -force_.back(), displacement_.back() - right);
            kick();
            if (contact_work_) account_contacts();
            if (elements_) finish_elements();
            for (std::size_t k = 0; k < trace.beads.size(); ++k)
                record(trace, static_cast<std::size_t>(s), k, trace.beads[k]);
        }
        moved(0, n_ + 1);
        if (slope_speed_ > 0.0) update_stability_limits();
    }

    void kick(std::span<const stepping::BodyForce<double>> forces,
              stepping::HalfStep half) override {
        const std::vector<double> before = contact_work_ ? velocity_ : std::vector<double>();
        EngineBase::kick(forces, half);
        // As the sum over all beads, that of each contact has counted the step without the change.
        for (std::size_t i = 0; i < before.size(); ++i) {
            const double change = velocity_[i] - before[i];
            if (change == 0.0) continue;
            contact_work_->add_power(i, force_[i] * change);
            contact_work_->add_power(i + 1, -force_[i + 1] * change);
        }
    }

    std::vector<double> contact_dissipation() const override {
        if (!dissipation_) return {};
        std::vector<double> all(n_ + 1, 0.0);
        if (!contact_work_) return all;  // a conservative law
        for (std::size_t c = 0; c <= n_; ++c)
            all[c] = contact_work_->dissipated(c, contact_power(c), stored_in(c), dt_);
        return all;
    }

    void monitor_stability(double speed) override { slope_speed_ = speed; }
    StabilityLimits stability_limits() const override { return stability_limits_; }

    void continue_at(std::int64_t step) override {
        restore(step);
        displacement_.front() = left_wall_.displacement(step);
        displacement_.back() = right_wall_.displacement(step);
        if (!elements_) return;
        of_beads_->restart(displacement_.data() + 1);
        prepare_loads();
    }

  private:
    /// Everything but contacts [N].
    double body_force(std::size_t i) const {
        return elements_ ? body_force_[i] + (of_beads_->force(i) + load_[i]) : body_force_[i];
    }

    /// The forces over time of the present step.
    void prepare_loads() {
        load_.assign(n_, 0.0);
        for (const auto& each : elements_->loads())
            load_[each.bead] += each.force.at(elements_->time(step_));
    }

    /// The state before a step, for the work of loads and driven beads.
    void remember() {
        before_.clear();
        for (std::size_t i = 0; i < n_; ++i)
            before_.push_back(
                {displacement_[i + 1], force_[i] - force_[i + 1], of_beads_->force(i)});
    }

    /// Places the driven beads; their half-step velocity stays zero.
    void drive_beads() {
        for (const auto& each : elements_->driven()) {
            const double time = elements_->time(step_);
            half_velocity_[each.bead] = 0.0;
            displacement_[each.bead + 1] = each.motion.displacement(time);
            predicted_[each.bead + 1] = each.motion.velocity(time);
        }
    }

    /// Steps springs and resonators, and prepares loads.
    void respond_elements() {
        of_beads_->step(displacement_.data() + 1, predicted_.data() + 1, step_);
        prepare_loads();
    }

    /// Velocities of the driven beads, the power of springs and resonators, and the work of loads
    /// and driven beads since the step before.
    void finish_elements() {
        for (const auto& each : elements_->driven())
            velocity_[each.bead] = each.motion.velocity(elements_->time(step_));
        of_beads_->add_power(velocity_.data());
        for (auto& each : elements_->loads()) {
            each.work.add(each.force.at(elements_->time(step_ - 1)),
                          each.force.at(elements_->time(step_)),
                          displacement_[each.bead + 1] - before_[each.bead].displacement);
        }
        for (auto& each : elements_->driven()) {
            const std::size_t i = each.bead;
            const double moved = displacement_[i + 1] - before_[i].displacement;
            each.on_contacts.add(-before_[i].contacts, force_[i + 1] - force_[i], moved);
            each.on_elements.add(-before_[i].elements, -of_beads_->force(i), moved);
            if (double* const power = elements_->state().power)
                power[i] -= of_beads_->force(i) * velocity_[i];
        }
    }

    /// Moves beads and walls.
    void drift() {
        for (std::size_t i = 0; i < n_; ++i) {
            half_velocity_[i] = velocity_[i] + velocity_change_[i];
            displacement_[i + 1] += dt_ * half_velocity_[i];
            predicted_[i + 1] = half_velocity_[i] + velocity_change_[i];
        }
        if (elements_) drive_beads();
        displacement_.front() = left_wall_.displacement(step_);
        predicted_.front() = left_wall_.velocity(step_);
        displacement_.back() = right_wall_.displacement(step_);
        predicted_.back() = right_wall_.velocity(step_);
    }

    void start_contact_work() {
        is_driven_.assign(n_, 0);
        if (elements_) {
            for (const auto& each : elements_->driven())
                is_driven_[each.bead] = 1;
        }
        std::vector<double> power, stored;
        for (std::size_t c = 0; c <= n_; ++c) {
            power.push_back(contact_power(c));
            stored.push_back(stored_in(c));
        }
        contact_work_.emplace(std::move(power), std::move(stored));
    }

    /// The power of a contact on the beads that are not driven [W].
    double contact_power(std::size_t c) const {
        const auto velocity = [&](std::size_t i) { return is_driven_[i] ? 0.0 : velocity_[i]; };
        return force_[c] * ((c < n_ ? velocity(c) : 0.0) - (c > 0 ? velocity(c - 1) : 0.0));
    }

    double stored_in(std::size_t c) const {  // [J]
        return law_[c].stored_energy(displacement_[c] - displacement_[c + 1] - gap_[c],
                                     memory_of(c));
    }

    void remember_contacts() {
        force_before_ = force_;
        displacement_before_ = displacement_;
    }

    /// The work of a step on each contact.
    void account_contacts() {
        for (std::size_t c = 0; c <= n_; ++c)
            contact_work_->add_power(c, contact_power(c));
        /// Adds the work of the wall or bead left (+1) or right (-1) of a contact, at this column.
        const auto drive = [&](std::size_t c, double side, std::size_t at) {
            const double moved = displacement_[at] - displacement_before_[at];
            contact_work_->add_work(c, side * 0.5 * (force_before_[c] + force_[c]) * moved);
        };
        if (left_wall_.moves()) drive(0, 1.0, 0);
        if (right_wall_.moves()) drive(n_, -1.0, n_ + 1);
        if (!elements_) return;
        for (const auto& each : elements_->driven()) {
            drive(each.bead, -1.0, each.bead + 1);
            drive(each.bead + 1, 1.0, each.bead + 1);
        }
    }

    void add_columns(std::vector<StateColumn>& columns) override {
        if (contact_work_) contact_work_->add_columns(columns);
    }

    /// New force and memory of all contacts.
    void respond() {
        for (std::size_t c = 0; c <= n_; ++c) {
            const double overlap = displacement_[c] - displacement_[c + 1] - gap_[c];
            const double approach_speed = predicted_[c] - predicted_[c + 1];
            const auto [force, memory] = law_[c].respond(overlap, approach_speed, memory_of(c));
            force_[c] = force;
            for (std::size_t k = 0; k < memory_.size(); ++k)
                memory_[k][c] = memory[k];
        }
    }

    /// New velocities and, for laws that dissipate, the power of the contacts on each bead. The
    /// trapezoidal sum over all steps of the powers of all beads is the work of the contacts:
    /// exactly the change of kinetic energy in velocity Verlet, except dt^2/8 sum m a^2 at the two
    /// ends of the run.
    void kick() {
        for (std::size_t i = 0; i < n_; ++i) {
            const double net = force_[i] - force_[i + 1];
            velocity_change_[i] = (net + body_force(i)) * kick_[i];
            velocity_[i] = half_velocity_[i] + velocity_change_[i];
            if (!conservative_) power_[i] += net * velocity_[i];
        }
    }

    Memory memory_of(std::size_t contact) const {
        Memory memory{};
        for (std::size_t k = 0; k < memory_.size(); ++k)
            memory[k] = memory_[k][contact];
        return memory;
    }

    void update_stability_limits() {
        const auto slopes = [&](std::size_t c) {
            const double left = c > 0 ? velocity_[c - 1] : left_wall_.velocity(step_);
            const double right = c < n_ ? velocity_[c] : right_wall_.velocity(step_);
            const double overlap = displacement_[c] - displacement_[c + 1] - gap_[c];
            if constexpr (std::is_same_v<Law, laws::AnyLaw>) {
                return laws::slopes_of(law_[c], overlap, left - right, memory_of(c), slope_speed_,
                                       dt_);
            } else {
                return laws::slopes(law_[c], overlap, left - right, memory_of(c), slope_speed_,
                                    dt_);
            }
        };
        laws::Slopes<double> left = slopes(0);
        for (std::size_t i = 0; i < n_; ++i) {
            const laws::Slopes<double> right = slopes(i + 1);
            const double by_mass = 2.0 / dt_ * kick_[i];
            ElementSlopes more;
            if (elements_) {
                more = of_beads_->table().slopes(elements_->state(), displacement_.data() + 1, 0, i,
                                                 i + 1, [&](std::size_t at) { return kick_[at]; });
            }
            stability_limits_.keep_larger(
                {.frequency =
                     std::sqrt((left.stiffness + right.stiffness) * by_mass + more.stiffness),
                 .damping = (left.damping + right.damping) * by_mass + more.damping,
                 .frequency_bead = i,
                 .damping_bead = i});
            left = right;
        }
    }

    void masses(std::size_t begin, std::size_t end, double* mass) const override {
        for (std::size_t i = begin; i < end; ++i)
            mass[i - begin] = mass_[i];
    }
    void stored_energies(std::size_t begin, std::size_t end, const double* approach,
                         double* energy) const override {
        for (std::size_t c = begin; c < end; ++c)
            energy[c - begin] = law_[c].stored_energy(approach[c - begin] - gap_[c], memory_of(c));
    }

    std::vector<Law> law_;  // per contact
    bool conservative_;
    bool dissipation_;
    std::vector<double> gap_, mass_;
    std::vector<double> kick_;                      // dt / (2 m); 0: the bead is fixed
    std::vector<double> body_force_;                // gravity and loads
    std::vector<double> displacement_, predicted_;  // bead i is at i + 1, between the two walls
    std::vector<double> half_velocity_, velocity_, velocity_change_, force_, power_;
    std::vector<std::vector<double>> memory_;  // one column per number
    // The elements that beads carry, and the motion before a step.
    struct Before {
        double displacement, contacts, elements;  // forces on the bead
    };
    std::optional<PlainElements> of_beads_;
    std::vector<double> load_;
    std::vector<Before> before_;
    // The work on each contact; none: dissipation is not known, or the law is conservative.
    std::optional<ContactWork> contact_work_;
    std::vector<char> is_driven_;
    std::vector<double> force_before_, displacement_before_;
    double slope_speed_ = 0.0;  // 0: slopes are not monitored
    StabilityLimits stability_limits_;
};

}  // namespace beadwave::dynamics
