// The plain engine: each step a loop over beads, one over contacts, one over beads. It is the
// readable reference for faster engines.

#include "beadwave/dynamics/engine.hpp"
#include "beadwave/dynamics/flush_subnormals.hpp"
#include "beadwave/dynamics/ordered_sum.hpp"
#include "beadwave/laws/slopes.hpp"
#include "driven_wall.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::dynamics {
namespace {

/// Below this many beads a thread, waiting for the others costs more than they help.
constexpr std::size_t fewest_beads_a_thread = 4000;

/// Columns of a record of N numbers each, with loads and stores of one element.
template <class Record>
class Columns {
  public:
    static constexpr std::size_t fields = laws::field_count<Record>;

    explicit Columns(std::size_t count) {
        for (auto& column : columns_)
            column.assign(count, 0.0);
    }
    explicit Columns(const std::vector<std::vector<double>>& columns) {
        for (std::size_t k = 0; k < fields; ++k)
            columns_[k] = columns[k];
    }

    /// Raw pointers, which the compiler sees through where it does not see through vectors.
    struct View {
        std::array<double*, fields> at;
        Record load(std::size_t i) const {
            return laws::from_fields<Record>([&](std::size_t k) { return at[k][i]; });
        }
        void store(std::size_t i, const Record& record) const {
            laws::to_fields(record, [&](std::size_t k, double value) { at[k][i] = value; });
        }
    };
    View view() {
        View view{};
        for (std::size_t k = 0; k < fields; ++k)
            view.at[k] = columns_[k].data();
        return view;
    }
    Record load(std::size_t i) const {
        return laws::from_fields<Record>([&](std::size_t k) { return columns_[k][i]; });
    }
    std::span<double> column(std::size_t k) { return columns_[k]; }

  private:
    std::array<std::vector<double>, fields> columns_;
};

template <class Law>
class PlainEngine final : public Engine {
    using Memory = typename Law::Memory;

  public:
    PlainEngine(const chain::Chain& chain, double dt, int threads)
        : n_(chain.beads()),
          dt_(dt),
          threads_(std::clamp<int>(static_cast<int>(n_ / fewest_beads_a_thread), 1, threads)),
          gap_(chain.gap),
          mass_(chain.mass),
          gravity_(chain.gravity),
          loads_(chain.loads),
          displacement_(n_ + 2, 0.0),
          half_velocity_(n_ + 2, 0.0),
          predicted_(n_ + 2, 0.0),
          velocity_(chain.velocity),
          gain_(n_, 0.0),
          kick_(n_),
          push_(n_, 0.0),
          force_(n_ + 1, 0.0),
          power_(Law::conservative ? 0 : n_, 0.0),
          law_(chain.contacts.columns()),
          memory_(n_ + 1),
          left_wall_(chain.left_drive, dt),
          right_wall_(chain.right_drive, dt) {
        for (std::size_t i = 0; i < n_; ++i) {
            const bool fixed = chain.is_fixed(i);
            kick_[i] = fixed ? 0.0 : 0.5 * dt_ * (1.0 / mass_[i]);
            push_[i] = mass_[i] * gravity_;
        }
        for (const chain::Load& load : loads_)
            push_[load.bead] += load.force;

        const FlushSubnormals flush;
        for (std::size_t i = 0; i < n_; ++i)
            predicted_[i + 1] = velocity_[i];
        predicted_.front() = left_wall_.velocity(0);
        predicted_.back() = right_wall_.velocity(0);
        // Twice: a contact that starts closed has been loaded to where it is, and answers from now
        // on by its unloading path, which may differ from the loading path by a rounding.
        contact_loop(0, n_ + 1);
        contact_loop(0, n_ + 1);
        for (std::size_t i = 0; i < n_; ++i)
            gain_[i] = (force_[i] - force_[i + 1] + push_[i]) * kick_[i];
        initial_stored_ = stored();
        initial_power_ = power();
    }

    void advance(std::int64_t steps, SensorTrace& trace) override {
        trace.resize_rows(static_cast<std::size_t>(steps));
#pragma omp parallel num_threads(threads_) if (threads_ > 1)
        {
            const FlushSubnormals flush;
            const auto thread = static_cast<std::size_t>(omp_get_thread_num());
            const auto team = static_cast<std::size_t>(omp_get_num_threads());
            const std::size_t begin = n_ * thread / team;
            const std::size_t end = n_ * (thread + 1) / team;
            // Contact c goes with bead c; the last thread takes the right end too.
            const std::size_t contact_end = thread + 1 == team ? n_ + 1 : end;
            for (std::int64_t s = 0; s < steps; ++s) {
                drift(begin, end);
                const Moved left = begin == 0 ? move(left_wall_, 0, 0, step_ + s + 1) : Moved{};
                const Moved right =
                    end == n_ ? move(right_wall_, n_ + 1, n_, step_ + s + 1) : Moved{};
                if (team > 1) {
#pragma omp barrier
                }
                contact_loop(begin, contact_end);
                if (begin == 0 && left_wall_.moves())
                    left_wall_.book(left.force, force_[0], left.distance);
                if (end == n_ && right_wall_.moves())
                    right_wall_.book(-right.force, -force_[n_], right.distance);
                if (team > 1) {
#pragma omp barrier
                }
                kick(begin, end);
                record(trace, static_cast<std::size_t>(s), begin, end);
            }
        }
        step_ += steps;
        if (rates_speed_ > 0.0) note_rates();
    }

    void watch_rates(double speed) override {
        rates_speed_ = speed;
    }
    Rates rates() const override {
        return rates_;
    }

    void sample(SensorTrace& trace) const override {
        trace.resize_rows(1);
        record(trace, 0, 0, n_);
    }

    std::int64_t step() const override {
        return step_;
    }
    int threads() const override {
        return threads_;
    }
    std::span<const double> displacement() const override {
        return {displacement_.data() + 1, n_};
    }
    std::span<const double> velocity() const override {
        return velocity_;
    }
    std::span<const double> contact_force() const override {
        return force_;
    }

    Totals totals() const override {
        Totals sums{};
        sums.kinetic = ordered_sum(
            n_, [&](std::size_t i) { return 0.5 * mass_[i] * velocity_[i] * velocity_[i]; });
        sums.momentum = ordered_sum(n_, [&](std::size_t i) { return mass_[i] * velocity_[i]; });
        sums.stored = stored();
        const double wall_work = left_wall_.work() + right_wall_.work();
        if constexpr (!Law::conservative) {
            const double given = dt_ * (ordered_sum(n_, [&](std::size_t i) { return power_[i]; }) -
                                        0.5 * power() + 0.5 * initial_power_);
            // The contacts' work on the driven walls is what these do on the chain, taken away.
            sums.dissipated = wall_work - given - (sums.stored - initial_stored_);
        }
        sums.external_work = wall_work;
        if (gravity_ != 0.0) {
            sums.external_work += gravity_ * ordered_sum(n_, [&](std::size_t i) {
                                      return mass_[i] * displacement_[i + 1];
                                  });
        }
        for (const chain::Load& load : loads_)
            sums.external_work += load.force * displacement_[load.bead + 1];
        return sums;
    }

    std::optional<std::size_t> first_non_finite() const override {
        for (std::size_t i = 0; i < n_; ++i) {
            if (!std::isfinite(velocity_[i]) || !std::isfinite(displacement_[i + 1])) return i;
        }
        return std::nullopt;
    }

    std::vector<StateColumn> state() override {
        // Half-step and predicted velocities are made anew by each step.
        std::vector<StateColumn> columns = {
            {"displacement", std::span(displacement_).subspan(1, n_)},
            {"velocity", velocity_},
            {"gain", gain_},
            {"contact_force", force_},
            {"initial_stored", {&initial_stored_, 1}},
            {"initial_power", {&initial_power_, 1}}};
        if (!Law::conservative) columns.push_back({"power", power_});
        for (std::size_t k = 0; k < Columns<Memory>::fields; ++k) {
            columns.push_back({"memory_" + std::to_string(k), memory_.column(k)});
        }
        if (left_wall_.moves()) columns.push_back({"left_wall_work", left_wall_.work_numbers()});
        if (right_wall_.moves()) columns.push_back({"right_wall_work", right_wall_.work_numbers()});
        return columns;
    }

    void continue_at(std::int64_t step) override {
        step_ = step;
        displacement_.front() = left_wall_.displacement(step);
        displacement_.back() = right_wall_.displacement(step);
    }

  private:
    // displacement_, half_velocity_ and predicted_ hold bead i at i + 1, between the two walls.

    /// Where a step began for a driven wall.
    struct Moved {
        double force = 0.0;     // of its contact, before the step [N]
        double distance = 0.0;  // that it went in the step [m]
    };

    /// Moves a wall, which stands at entry `wall` and has this contact, to where it is after so
    /// many steps.
    Moved move(const DrivenWall& wall, std::size_t entry, std::size_t contact, std::int64_t step) {
        if (!wall.moves()) return {};
        const double before = displacement_[entry];
        displacement_[entry] = wall.displacement(step);
        predicted_[entry] = wall.velocity(step);
        return {.force = force_[contact], .distance = displacement_[entry] - before};
    }

    void drift(std::size_t begin, std::size_t end) {
        double* const u = displacement_.data() + 1;
        double* const half = half_velocity_.data() + 1;
        double* const predicted = predicted_.data() + 1;
        const double* const v = velocity_.data();
        const double* const gain = gain_.data();
        const double dt = dt_;
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) {
            half[i] = v[i] + gain[i];
            u[i] += dt * half[i];
            predicted[i] = half[i] + gain[i];
        }
    }

    /// New force and memory of contacts [begin, end).
    void contact_loop(std::size_t begin, std::size_t end) {
        const double* const u = displacement_.data();
        const double* const predicted = predicted_.data();
        const double* const gap = gap_.data();
        double* const force = force_.data();
        const auto law = law_.view();
        const auto memory = memory_.view();
#pragma omp simd
        for (std::size_t c = begin; c < end; ++c) {
            const double overlap = u[c] - u[c + 1] - gap[c];
            const double approach_speed = predicted[c] - predicted[c + 1];
            const auto [now, next] = law.load(c).respond(overlap, approach_speed, memory.load(c));
            force[c] = now;
            memory.store(c, next);
        }
    }

    /// New velocities; for laws that dissipate also the power that their contacts give to each
    /// bead. Over all steps, the trapezoidal sum of the powers of all beads is the contacts' work:
    /// exactly the kinetic energy that velocity Verlet gives, but for dt^2/8 sum m a^2 at the run's
    /// two ends.
    void kick(std::size_t begin, std::size_t end) {
        const double* const half = half_velocity_.data() + 1;
        const double* const force = force_.data();
        const double* const kick = kick_.data();
        const double* const push = push_.data();
        double* const v = velocity_.data();
        double* const gain = gain_.data();
        double* const power = power_.data();
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) {
            const double net = force[i] - force[i + 1];
            gain[i] = (net + push[i]) * kick[i];
            v[i] = half[i] + gain[i];
            if constexpr (!Law::conservative) power[i] += net * v[i];
        }
    }

    void record(SensorTrace& trace, std::size_t row, std::size_t begin, std::size_t end) const {
        const std::size_t sensors = trace.beads.size();
        for (std::size_t s = 0; s < sensors; ++s) {
            const std::size_t bead = trace.beads[s];
            if (bead < begin || bead >= end) continue;
            trace.force[row * sensors + s] = 0.5 * (force_[bead] + force_[bead + 1]);
            trace.velocity[row * sensors + s] = velocity_[bead];
        }
    }

    void note_rates() {
        const auto slopes = [&](std::size_t c) {
            const double left = c > 0 ? velocity_[c - 1] : left_wall_.velocity(step_);
            const double right = c < n_ ? velocity_[c] : right_wall_.velocity(step_);
            return laws::slopes(law_.load(c), displacement_[c] - displacement_[c + 1] - gap_[c],
                                left - right, memory_.load(c), rates_speed_);
        };
        laws::Slopes<double> left = slopes(0);
        for (std::size_t i = 0; i < n_; ++i) {
            const laws::Slopes<double> right = slopes(i + 1);
            const double by_mass = 2.0 / dt_ * kick_[i];
            const double frequency = std::sqrt((left.stiffness + right.stiffness) * by_mass);
            const double damping = (left.damping + right.damping) * by_mass;
            if (frequency > rates_.frequency) {
                rates_.frequency = frequency;
                rates_.frequency_bead = i;
            }
            if (damping > rates_.damping) {
                rates_.damping = damping;
                rates_.damping_bead = i;
            }
            left = right;
        }
    }

    double stored() const {
        return ordered_sum(n_ + 1, [&](std::size_t c) {
            const double overlap = displacement_[c] - displacement_[c + 1] - gap_[c];
            return law_.load(c).stored_energy(overlap, memory_.load(c));
        });
    }

    /// Of all contacts' forces on the beads, now [W].
    double power() const {
        return ordered_sum(
            n_, [&](std::size_t i) { return (force_[i] - force_[i + 1]) * velocity_[i]; });
    }

    std::size_t n_;
    double dt_;
    int threads_;
    std::int64_t step_ = 0;
    std::vector<double> gap_, mass_;
    double gravity_;
    std::vector<chain::Load> loads_;
    std::vector<double> displacement_, half_velocity_, predicted_, velocity_, gain_;
    std::vector<double> kick_, push_;
    std::vector<double> force_, power_;
    Columns<Law> law_;
    Columns<Memory> memory_;
    DrivenWall left_wall_, right_wall_;
    double initial_stored_ = 0.0, initial_power_ = 0.0;
    double rates_speed_ = 0.0;  // 0: nobody watches
    Rates rates_;
};

}  // namespace

std::unique_ptr<Engine> make_plain_engine(const chain::Chain& chain, double time_step,
                                          int threads) {
    return std::visit(
        [&]<class Law>(const Law&) -> std::unique_ptr<Engine> {
            return std::make_unique<PlainEngine<Law>>(chain, time_step, threads);
        },
        chain.contacts.first());
}

}  // namespace beadwave::dynamics
