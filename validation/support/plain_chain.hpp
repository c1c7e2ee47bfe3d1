// A second, simpler simulation for tests: beads in a row under Hertz's force and Tsuji's dashpot,
// integrated by the classical Runge-Kutta method of fourth order. It shares no code with the
// program.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <vector>

namespace beadwave::validation {

inline double sphere_mass(double radius, double density) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * density;
}

/// Contact stiffness of two spheres of the same material [N/m^1.5].
inline double hertz_spheres(double radius_1, double radius_2, double youngs_modulus,
                            double poisson_ratio) {
    const double radius = radius_1 * radius_2 / (radius_1 + radius_2);
    return 4.0 / 3.0 * youngs_modulus / (2.0 * (1.0 - poisson_ratio * poisson_ratio)) *
           std::sqrt(radius);
}

/// Contact stiffness of a sphere on a rigid flat [N/m^1.5]. A flat of the same material gives half.
inline double hertz_rigid_flat(double radius, double youngs_modulus, double poisson_ratio) {
    return 4.0 / 3.0 * youngs_modulus / (1.0 - poisson_ratio * poisson_ratio) * std::sqrt(radius);
}

struct PlainPeak {
    double value = 0.0, time = 0.0;
};

struct PlainChain {
    std::vector<double> mass;      ///< [kg]
    std::vector<double> velocity;  ///< [m/s]
    /// Of the contacts [N/m^1.5]. Contact c is before bead c; one more if there is a wall at the
    /// end.
    std::vector<double> stiffness;
    std::vector<double> gap;  ///< [m]; empty: all zero
    /// Displacement [m] and velocity [m/s] of a wall before bead 0 as functions of time [s]; empty
    /// if there is no wall.
    std::function<double(double)> left_wall, left_wall_velocity;
    double alpha = 0.0;  ///< Tsuji's factor before sqrt(m_eff K) delta^(1/4) delta_dot
    std::vector<double> displacement;  ///< [m]; empty: all zero at the start

    std::vector<PlainPeak> velocity_peak;  ///< largest velocity of each bead, and its time
    std::vector<PlainPeak> force_peak;     ///< largest force of each contact

    std::size_t beads() const { return mass.size(); }

    double force(std::size_t c, const std::vector<double>& u, const std::vector<double>& v,
                 double time) const {
        if ((c == 0 && !left_wall) || c >= stiffness.size()) return 0.0;
        const bool left = c == 0, right = c == beads();
        const double before = left ? left_wall(time) : u[c - 1];
        const double overlap = before - (right ? 0.0 : u[c]) - (gap.empty() ? 0.0 : gap[c]);
        if (!(overlap > 0.0)) return 0.0;
        const double closing = (left ? left_wall_velocity(time) : v[c - 1]) - (right ? 0.0 : v[c]);
        const double m = left    ? mass[0]
                         : right ? mass[c - 1]
                                 : mass[c - 1] * mass[c] / (mass[c - 1] + mass[c]);
        return stiffness[c] * std::pow(overlap, 1.5) +
               alpha * std::sqrt(m * stiffness[c]) * std::pow(overlap, 0.25) * closing;
    }

    /// Kinetic energy of the beads and elastic energy of the contacts from number `first` on [J].
    double energy_from(std::size_t first) const {
        double energy = 0.0;
        for (std::size_t i = first; i < beads(); ++i)
            energy += 0.5 * mass[i] * velocity[i] * velocity[i];
        for (std::size_t c = std::max<std::size_t>(first, 1); c < beads(); ++c) {
            const double overlap =
                displacement[c - 1] - displacement[c] - (gap.empty() ? 0.0 : gap[c]);
            if (overlap > 0.0) energy += 0.4 * stiffness[c] * std::pow(overlap, 2.5);
        }
        return energy;
    }

    void run(double end, double step) {
        const std::size_t n = beads();
        displacement.resize(n);
        velocity_peak.assign(n, {});
        force_peak.assign(n + 1, {});
        std::vector<double> forces(n + 1), u(n), v(n), du(n), dv(n), sum_u(n), sum_v(n), before,
            before_force(n + 1);
        const auto slope = [&](const std::vector<double>& at_u, const std::vector<double>& at_v,
                               double time) {
            for (std::size_t c = 0; c <= n; ++c)
                forces[c] = force(c, at_u, at_v, time);
            for (std::size_t i = 0; i < n; ++i)
                dv[i] = (forces[i] - forces[i + 1]) / mass[i];
            du = at_v;
        };
        std::vector<double> older = velocity, older_force(n + 1);
        before = velocity;
        const auto steps = static_cast<long>(std::ceil(end / step * (1.0 - 1e-12)));
        for (long k = 0; k < steps; ++k) {
            const double time = static_cast<double>(k) * step;
            slope(displacement, velocity, time);
            update_peaks(forces, older_force, before_force, force_peak,
                         static_cast<double>(k) * step, step);
            sum_u.assign(n, 0.0);
            sum_v.assign(n, 0.0);
            constexpr double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                             ahead[] = {0.5, 0.5, 1.0};
            for (int stage = 0; stage < 4; ++stage) {
                for (std::size_t i = 0; i < n; ++i) {
                    sum_u[i] += weight[stage] * du[i];
                    sum_v[i] += weight[stage] * dv[i];
                }
                if (stage == 3) break;
                for (std::size_t i = 0; i < n; ++i) {
                    u[i] = displacement[i] + ahead[stage] * step * du[i];
                    v[i] = velocity[i] + ahead[stage] * step * dv[i];
                }
                slope(u, v, time + ahead[stage] * step);
            }
            for (std::size_t i = 0; i < n; ++i) {
                displacement[i] += step * sum_u[i];
                velocity[i] += step * sum_v[i];
            }
            update_peaks(velocity, older, before, velocity_peak, static_cast<double>(k + 1) * step,
                         step);
        }
    }

  private:
    /// Updates the peaks with the parabola through the last three values; `time` is the time of the
    /// newest value.
    static void update_peaks(const std::vector<double>& now, std::vector<double>& older,
                             std::vector<double>& before, std::vector<PlainPeak>& peaks,
                             double time, double step) {
        for (std::size_t i = 0; i < now.size(); ++i) {
            const double a = older[i], b = before[i], c = now[i], bend = a - 2.0 * b + c;
            if (b >= a && b > c && bend < 0.0) {
                const double shift = 0.5 * (a - c) / bend, height = b - 0.25 * (a - c) * shift;
                if (height > peaks[i].value) peaks[i] = {height, time - step + shift * step};
            }
        }
        older = before;
        before = now;
    }
};

/// Equal spheres in a row, just touching; bead 0 moves at `speed`.
inline PlainChain plain_row(std::size_t beads, double radius, double density, double youngs_modulus,
                            double poisson_ratio, double speed) {
    PlainChain chain;
    chain.mass.assign(beads, sphere_mass(radius, density));
    chain.velocity.assign(beads, 0.0);
    chain.velocity[0] = speed;
    chain.stiffness.assign(beads, hertz_spheres(radius, radius, youngs_modulus, poisson_ratio));
    return chain;
}

/// Spheres of one material and these radii, just touching; bead 0 moves at `speed`.
inline PlainChain plain_row(const std::vector<double>& radii, double density, double youngs_modulus,
                            double poisson_ratio, double speed) {
    PlainChain chain = plain_row(radii.size(), 1.0, density, youngs_modulus, poisson_ratio, speed);
    for (std::size_t i = 0; i < radii.size(); ++i) {
        chain.mass[i] = sphere_mass(radii[i], density);
        if (i > 0)
            chain.stiffness[i] =
                hertz_spheres(radii[i - 1], radii[i], youngs_modulus, poisson_ratio);
    }
    return chain;
}

}  // namespace beadwave::validation
