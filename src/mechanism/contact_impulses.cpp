#include "mechanism/contact_impulses.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {
namespace {

/// Impulses of all points, and the speeds after them.
struct Impulses {
    std::vector<double> normal, tangential, separation, slip;
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
        }
    }

    std::vector<ContactImpulse> solve() {
        const bool friction =
            std::ranges::any_of(problem_.friction, [](double mu) { return mu > 0.0; });
        std::vector<ContactImpulse> all(n_);
        if (!friction) {
            set(all, frictionless());
        } else if (const auto alone = single()) {
            follow_course(all, *alone);
        } else {
            set(all, together());
        }
        for (std::size_t k = 0; k < n_; ++k)
            all[k].inverse_mass = problem_.response(k, k);
        return all;
    }

  private:
    Impulses frictionless() const {
        Matrix delassus(n_);
        std::vector<double> required;
        for (std::size_t k = 0; k < n_; ++k) {
            for (std::size_t j = 0; j < n_; ++j)
                delassus(k, j) = problem_.response(k, j);
            const double approach = -problem_.separation[k];
            required.push_back(approach + points_[k].restitution * std::max(approach, 0.0));
        }
        return with(solve_lcp(delassus, required), std::vector<double>(n_, 0.0));
    }

    /// The speeds after these impulses.
    Impulses with(const std::vector<double>& normal, const std::vector<double>& tangential) const {
        Impulses all{.normal = normal,
                     .tangential = tangential,
                     .separation = problem_.separation,
                     .slip = problem_.slip};
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

    double energy_change(const Impulses& all) const {
        double change = 0.0;
        for (std::size_t k = 0; k < n_; ++k)
            change += 0.5 * (all.normal[k] * (problem_.separation[k] + all.separation[k]) +
                             all.tangential[k] * (problem_.slip[k] + all.slip[k]));
        return change;
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

    Impulses together() const {
        const auto solved = [](const CoulombProblem& problem) {
            auto found = mechanism::solve(problem);
            if (!found) {
                throw std::runtime_error(
                    "the impulses of contacts with friction that close at once cannot be found");
            }
            return *found;
        };
        CoulombProblem closing = problem_;
        const double least = rounding_of_speeds();
        without_rounding(closing, least);
        const CoulombForces pressed = solved(closing);
        CoulombProblem released = closing;
        released.separation = pressed.separation;
        released.slip = pressed.slip;
        without_rounding(released, least);
        bool restores = false;
        for (std::size_t k = 0; k < n_; ++k) {
            released.given_normal[k] = points_[k].restitution * pressed.normal[k];
            restores = restores || released.given_normal[k] > 0.0;
        }
        if (!restores) return with(pressed.normal, pressed.tangential);
        const CoulombForces restored = solved(released);
        const auto at = [&](double part) {
            std::vector<double> normal = pressed.normal, tangential = pressed.tangential;
            for (std::size_t k = 0; k < n_; ++k) {
                normal[k] += part * restored.normal[k];
                tangential[k] += part * restored.tangential[k];
            }
            return with(normal, tangential);
        };
        Impulses all = at(1.0);
        if (energy_change(all) <= 0.0) return all;
        double low = 0.0, high = 1.0;  // compression alone loses energy
        for (int halving = 0; halving < 52; ++halving) {
            const double middle = 0.5 * (low + high);
            (energy_change(at(middle)) > 0.0 ? high : low) = middle;
        }
        return at(low);
    }

    void set(std::vector<ContactImpulse>& all, const Impulses& found) const {
        for (std::size_t k = 0; k < n_; ++k) {
            all[k].normal = found.normal[k];
            all[k].tangential = found.tangential[k];
            all[k].separation_speed = found.separation[k];
            all[k].normal_loss =
                -0.5 * found.normal[k] * (problem_.separation[k] + found.separation[k]);
            all[k].friction_loss = -0.5 * found.tangential[k] * (problem_.slip[k] + found.slip[k]);
            set_rubbed(all[k], k, found.slip[k]);
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
};

}  // namespace

std::vector<ContactImpulse> contact_impulses(Dynamics& dynamics,
                                             const std::vector<ImpactPoint>& points,
                                             const std::vector<ContactKinematics>& kinematics) {
    return Group(dynamics, points, kinematics).solve();
}

}  // namespace beadwave::mechanism
