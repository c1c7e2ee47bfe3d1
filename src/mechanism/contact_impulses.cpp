#include "mechanism/contact_impulses.hpp"

#include "mechanism/impulse_sets.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace beadwave::mechanism {
namespace {

using Definition = laws::RestitutionDefinition;

/// Impulses of all points, and the speeds after them.
struct Impulses {
    std::vector<double> normal, tangential, separation, slip;
};

/// An impact in compression and, if there is one, restitution.
struct Phases {
    Impulses pressed{};
    std::optional<Impulses> restored{};
    bool reduced = false;  ///< the restitution is below that of the definitions
};

/// Mean size of a number that goes evenly from one value to another.
double mean_size(double from, double to) {
    if (from * to >= 0.0) return 0.5 * std::abs(from + to);
    return 0.5 * (from * from + to * to) / std::abs(from - to);
}

class Group {
  public:
    Group(Dynamics& dynamics, const std::vector<ImpactPoint>& points,
          const std::vector<ContactKinematics>& kinematics)
        : points_(points), n_(points.size()), problem_(0) {
        std::vector<std::size_t> numbers;
        for (const ImpactPoint& at : points)
            numbers.push_back(at.point);
        problem_ = dynamics.coulomb_problem(numbers, kinematics);
        for (std::size_t k = 0; k < n_; ++k) {
            problem_.separation[k] = -kinematics[numbers[k]].approach_speed;
            problem_.slip[k] = kinematics[numbers[k]].slip_speed;
            has_friction_ = has_friction_ || problem_.friction[k] > 0.0;
        }
    }

    std::vector<ContactImpulse> solve() {
        std::vector<ContactImpulse> all(n_);
        const auto alone = single();
        if (alone && has_friction_)
            follow_course(all, *alone);
        else if (alone || newton_alone())
            set(all, at_once());
        else
            set(all, in_phases());
        for (std::size_t k = 0; k < n_; ++k)
            all[k].inverse_mass = problem_.response(k, k);
        return all;
    }

  private:
    /// Whether Newton's definition decides alone: it has one set of impulses.
    bool newton_alone() const {
        return std::ranges::all_of(points_, [](const ImpactPoint& at) {
            return at.restitution == 0.0 || at.definition == Definition::newton;
        });
    }
    double approach(std::size_t k) const { return std::max(-problem_.separation[k], 0.0); }

    Phases at_once() const {
        CoulombProblem problem = problem_;
        without_rounding(problem, rounding_of_speeds());
        for (std::size_t k = 0; k < n_; ++k)
            problem.separation[k] -= points_[k].restitution * approach(k);
        const CoulombForces found = impulses_of(problem);
        Phases phases;
        phases.pressed = with(problem_.separation, problem_.slip, found.normal, found.tangential);
        return phases;
    }

    /// The speeds after these impulses, from those before.
    Impulses with(const std::vector<double>& separation, const std::vector<double>& slip,
                  const std::vector<double>& normal, const std::vector<double>& tangential) const {
        Impulses all{
            .normal = normal, .tangential = tangential, .separation = separation, .slip = slip};
        for (std::size_t k = 0; k < n_; ++k) {
            for (std::size_t j = 0; j < n_; ++j) {
                all.separation[k] += problem_.response(k, j) * normal[j] +
                                     problem_.response(k, n_ + j) * tangential[j];
                all.slip[k] += problem_.response(n_ + k, j) * normal[j] +
                               problem_.response(n_ + k, n_ + j) * tangential[j];
            }
        }
        return all;
    }

    /// The point that closes alone, if none of the others feels it.
    std::optional<std::size_t> single() const {
        constexpr double rounding = 1e-12;
        std::optional<std::size_t> closing;
        for (std::size_t k = 0; k < n_; ++k) {
            if (points_[k].rests) continue;
            if (closing) return std::nullopt;
            closing = k;
        }
        if (!closing) return std::nullopt;
        const auto size = [&](std::size_t row) { return std::abs(problem_.response(row, row)); };
        for (std::size_t row = 0; row < 2 * n_; ++row) {
            for (const std::size_t column : {*closing, n_ + *closing}) {
                if (row % n_ == *closing) continue;
                if (std::abs(problem_.response(row, column)) >
                    rounding * std::sqrt(size(row) * size(column)))
                    return std::nullopt;
            }
        }
        return closing;
    }

    void follow_course(std::vector<ContactImpulse>& all, std::size_t k) const {
        const laws::RigidContact contact{.normal = problem_.response(k, k),
                                         .tangential = problem_.response(n_ + k, n_ + k),
                                         .coupling = problem_.response(n_ + k, k),
                                         .friction = problem_.friction[k]};
        const laws::RigidImpact impact = laws::collide(
            contact, {.approach = std::max(-problem_.separation[k], 0.0), .slip = problem_.slip[k]},
            points_[k].restitution, points_[k].definition);
        all[k].normal = impact.normal_impulse;
        all[k].tangential = impact.tangential_impulse;
        all[k].separation_speed = -impact.after.approach;
        all[k].normal_loss = impact.normal_dissipation();
        all[k].friction_loss = impact.friction_dissipation();
        set_rubbed(all[k], k, impact.after.slip);
        if (impact.compression_impulse > 0.0)
            all[k].poisson_restitution = impact.normal_impulse / impact.compression_impulse - 1.0;
        if (impact.compression_work > 0.0) {
            all[k].stronge_restitution =
                std::sqrt(impact.restitution_work / impact.compression_work);
        }
    }

    /// Speeds up to this are rounding [m/s].
    double rounding_of_speeds() const {
        double fastest = 0.0;
        for (std::size_t k = 0; k < n_; ++k)
            fastest =
                std::max({fastest, std::abs(problem_.separation[k]), std::abs(problem_.slip[k])});
        return 1e-12 * fastest;
    }

    /// Contacts that hinder each other twice have speeds that depend on each other. Rounding breaks
    /// this, and then no impulses fit.
    static void without_rounding(CoulombProblem& problem, double least) {
        for (auto* speeds : {&problem.separation, &problem.slip}) {
            for (double& speed : *speeds) {
                if (std::abs(speed) <= least) speed = 0.0;
            }
        }
    }

    /// Compression, and then restitution as the definition of each contact says.
    Phases in_phases() const {
        CoulombProblem closing = problem_;
        const double least = rounding_of_speeds();
        without_rounding(closing, least);
        const CoulombForces compression = impulses_of(closing);
        Phases phases;
        phases.pressed =
            with(problem_.separation, problem_.slip, compression.normal, compression.tangential);
        CoulombProblem released = problem_;
        released.separation = phases.pressed.separation;
        released.slip = phases.pressed.slip;
        without_rounding(released, least);
        std::vector<double> work(n_, 0.0);
        for (std::size_t k = 0; k < n_; ++k) {
            const double e = points_[k].restitution;
            switch (points_[k].definition) {
                case Definition::newton:
                    released.separation[k] -= e * approach(k);
                    break;
                case Definition::poisson:
                    released.given_normal[k] = e * phases.pressed.normal[k];
                    break;
                case Definition::stronge:
                    work[k] = e * e * 0.5 * phases.pressed.normal[k] * approach(k);
                    break;
            }
        }
        auto found = impulses_of_work(released, work);
        if (!found) {  // friction wedges the bodies: Poisson's impulses, which may not part them
            phases.reduced = true;
            for (std::size_t k = 0; k < n_; ++k) {
                if (work[k] > 0.0)
                    released.given_normal[k] = points_[k].restitution * phases.pressed.normal[k];
            }
            found = impulses_of(released);
        }
        const CoulombForces& restored = *found;
        const auto restore = [&](double part) {
            std::vector<double> normal = restored.normal, tangential = restored.tangential;
            for (std::size_t k = 0; k < n_; ++k)
                normal[k] *= part, tangential[k] *= part;
            phases.restored =
                with(phases.pressed.separation, phases.pressed.slip, normal, tangential);
            return energy_change(phases);
        };
        constexpr double rounding = 1e-12;
        const double most = rounding * kinetic_scale();
        if (restore(1.0) <= most || newton_takes_part()) return phases;
        phases.reduced = true;
        double low = 0.0, high = 1.0;  // compression alone loses energy
        for (int halving = 0; halving < 52; ++halving) {
            const double middle = 0.5 * (low + high);
            (restore(middle) > 0.0 ? high : low) = middle;
        }
        restore(low);
        return phases;
    }

    bool newton_takes_part() const {
        return std::ranges::any_of(points_, [](const ImpactPoint& at) {
            return at.restitution > 0.0 && at.definition == Definition::newton;
        });
    }

    /// What the impulses of both phases add to the kinetic energy [J].
    double energy_change(const Phases& phases) const {
        double change = 0.0;
        for (std::size_t k = 0; k < n_; ++k)
            change -= normal_loss(phases, k) + friction_loss(phases, k);
        return change;
    }
    double kinetic_scale() const {
        double scale = 0.0;
        for (std::size_t k = 0; k < n_; ++k)
            scale = std::max(
                {scale, problem_.separation[k] * problem_.separation[k] / problem_.response(k, k),
                 0.0});
        return scale;
    }

    /// The work of each phase is its impulse times the mean of the speeds at its ends [J].
    double normal_loss(const Phases& phases, std::size_t k) const {
        const auto& [pressed, restored, reduced] = phases;
        double loss = -0.5 * pressed.normal[k] * (problem_.separation[k] + pressed.separation[k]);
        if (restored)
            loss -= 0.5 * restored->normal[k] * (pressed.separation[k] + restored->separation[k]);
        return loss;
    }
    double friction_loss(const Phases& phases, std::size_t k) const {
        const auto& [pressed, restored, reduced] = phases;
        double loss = -0.5 * pressed.tangential[k] * (problem_.slip[k] + pressed.slip[k]);
        if (restored) loss -= 0.5 * restored->tangential[k] * (pressed.slip[k] + restored->slip[k]);
        return loss;
    }

    void set(std::vector<ContactImpulse>& all, const Phases& phases) const {
        const Impulses& pressed = phases.pressed;
        const Impulses& last = phases.restored ? *phases.restored : pressed;
        for (std::size_t k = 0; k < n_; ++k) {
            all[k].normal = pressed.normal[k];
            all[k].tangential = pressed.tangential[k];
            all[k].separation_speed = last.separation[k];
            all[k].normal_loss = normal_loss(phases, k);
            all[k].friction_loss = friction_loss(phases, k);
            all[k].reduced = phases.reduced;
            if (phases.restored) {
                all[k].normal += last.normal[k];
                all[k].tangential += last.tangential[k];
                const double taken = 0.5 * pressed.normal[k] * approach(k);
                const double given =
                    0.5 * last.normal[k] * (pressed.separation[k] + last.separation[k]);
                if (pressed.normal[k] > 0.0)
                    all[k].poisson_restitution = last.normal[k] / pressed.normal[k];
                if (taken > 0.0)
                    all[k].stronge_restitution = std::sqrt(std::max(given, 0.0) / taken);
            }
            set_rubbed(all[k], k, last.slip[k]);
        }
    }

    /// Friction takes mu times it, also where the slip turns or ends.
    void set_rubbed(ContactImpulse& impulse, std::size_t k, double slip_after) const {
        const double mu = problem_.friction[k];
        impulse.rubbed = mu > 0.0 ? std::max(impulse.friction_loss, 0.0) / mu
                                  : impulse.normal * mean_size(problem_.slip[k], slip_after);
    }

    const std::vector<ImpactPoint>& points_;
    std::size_t n_;
    CoulombProblem problem_;
    bool has_friction_ = false;
};

}  // namespace

std::vector<ContactImpulse> contact_impulses(Dynamics& dynamics,
                                             const std::vector<ImpactPoint>& points,
                                             const std::vector<ContactKinematics>& kinematics) {
    return Group(dynamics, points, kinematics).solve();
}

}  // namespace beadwave::mechanism
