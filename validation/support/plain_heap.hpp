// A plain integration of the heap in numbers with one derivative: with places instead of
// displacements, without neighbour lists, and without this program's laws.
#pragma once

#include "gradient_heap.hpp"
#include "laws/dual_number.hpp"
#include "packing_gradients/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace beadwave::validation::gradient_heap {

using packing_gradients::Input;

using D = laws::DualNumber<1>;
struct V {
    D x, y, z;
};
inline V operator+(const V& a, const V& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline V operator-(const V& a, const V& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline V operator*(const D& s, const V& a) {
    return {s * a.x, s * a.y, s * a.z};
}
inline D dot_of(const V& a, const V& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline V cross_of(const V& a, const V& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline V dual(const Vec3& v) {
    return {D(v.x), D(v.y), D(v.z)};
}
inline D& part_of(V& v, std::size_t axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// The numbers of the heap, one of which has the derivative 1.
struct Plain {
    explicit Plain(const packing::Packing& p) : p(p), n(p.particles()) {
        for (std::size_t i = 0; i < n; ++i) {
            x.push_back(dual(p.position[i]));
            v.push_back(dual(p.velocity[i]));
            spin.push_back(dual(p.angular_velocity[i]));
            m.push_back(D(p.mass[i]));
            r.push_back(D(p.radius[i]));
            modulus.push_back(D(p.species_list[p.species[i]].elasticity.youngs_modulus));
        }
        gravity = dual(p.gravity);
        friction = D(p.friction.coefficient);
        restitution = D(p.law.number("restitution"));
    }

    D& number(const Input& input, std::size_t i) {
        switch (input.kind) {
            case Input::Kind::position:
                return part_of(x[i / 3], i % 3);
            case Input::Kind::velocity:
                return part_of(v[i / 3], i % 3);
            case Input::Kind::angular_velocity:
                return part_of(spin[i / 3], i % 3);
            case Input::Kind::mass:
                return m[i];
            case Input::Kind::radius:
                return r[i];
            case Input::Kind::youngs_modulus:
                return modulus[i];
            case Input::Kind::gravity:
                return part_of(gravity, i);
            case Input::Kind::friction:
                return friction;
            case Input::Kind::law:
                break;
        }
        return restitution;
    }

    const packing::Packing& p;
    std::size_t n;
    std::vector<V> x, v, spin;
    std::vector<D> m, r, modulus;
    V gravity;
    D friction, restitution;
};

class PlainRun {
  public:
    PlainRun(const Plain& given, const Case& of) : g_(given), of_(of) {
        const std::size_t bodies = g_.n + g_.p.walls.size();
        spring_.assign(bodies * bodies * 3, {});
        held_.assign(spring_.size(), D(0.0));
        force_.resize(g_.n);
        torque_.resize(g_.n);
        wall_.resize(g_.p.walls.size());
        half_ = predicted_ = g_.v;
        half_spin_ = predicted_spin_ = g_.spin;
        w_.resize(g_.n);
        turn_.resize(g_.n);
        respond(0.0);
        respond(0.0);
        kick();
        read(0);
        for (std::int64_t s = 1; s <= steps; ++s) {
            for (std::size_t i = 0; i < g_.n; ++i) {
                half_[i] = g_.v[i] + w_[i];
                g_.x[i] = g_.x[i] + D(time_step) * half_[i];
                predicted_[i] = half_[i] + w_[i];
                half_spin_[i] = g_.spin[i] + turn_[i];
                predicted_spin_[i] = half_spin_[i] + turn_[i];
            }
            respond(time_step);
            kick();
            for (std::size_t i = 0; i < g_.n; ++i) {
                g_.v[i] = half_[i] + w_[i];
                g_.spin[i] = half_spin_[i] + turn_[i];
            }
            read(s);
        }
    }

    D value;
    int slips = 0, sticks = 0, crossings = 0;

  private:
    static D compliance(const D& modulus, double nu) { return D(1.0 - nu * nu) / modulus; }
    static D shear_compliance(const D& modulus, double nu) {
        return D((2.0 - nu) * 2.0 * (1.0 + nu)) / modulus;
    }

    struct Touch {
        V branch, normal;
        D overlap, radius, mass, stiffness, shear;
    };

    /// Hertz's force with Tsuji's dashpot, and Mindlin's with Coulomb's limit, on the second body.
    V push(std::size_t key, const Touch& c, const V& predicted, const V& slip_rate, const V& middle,
           const D& inverse_middle, double dt, V& tangential) {
        if (!(c.overlap > D(0.0))) {
            spring_[key] = {};
            held_[key] = D(0.0);
            return {};
        }
        const D speed = -dot_of(predicted, c.normal);
        const D decay = -log(g_.restitution);
        const D ratio = decay / sqrt(D(std::numbers::pi * std::numbers::pi) + decay * decay);
        const D root = sqrt(c.overlap);
        const D normal = c.stiffness * c.overlap * root + D(std::sqrt(5.0)) * ratio *
                                                              sqrt(c.mass * c.stiffness) *
                                                              sqrt(root) * speed;
        const D k = D(8.0) * c.shear * sqrt(c.radius) * root;
        V before = spring_[key];
        before = before - (D(2.0) * dot_of(before, middle) * inverse_middle) * middle;
        before = before - dot_of(before, c.normal) * c.normal;
        const D was = held_[key];
        if (k < was) before = (k / was) * before;
        V trial = before + (D(0.5 * dt) * (k + was)) * slip_rate;
        const D limit = g_.friction * (normal > D(0.0) ? normal : D(0.0));
        const D size = dot_of(trial, trial);
        if (size > limit * limit) {
            trial = (limit / sqrt(size)) * trial;
            ++slips;
        } else {
            ++sticks;
        }
        spring_[key] = tangential = trial;
        held_[key] = k;
        return normal * c.normal;
    }

    void respond_pair(std::size_t a, std::size_t b, int image, double dt) {
        const packing::Packing& p = g_.p;
        const V shift{D(image * (p.box.upper.x - p.box.lower.x)), D(0.0), D(0.0)};
        Touch c;
        c.branch = g_.x[b] + shift - g_.x[a];
        const D distance = sqrt(dot_of(c.branch, c.branch)), radii = g_.r[a] + g_.r[b];
        c.normal = (D(1.0) / distance) * c.branch;
        c.overlap = radii - distance;
        c.radius = g_.r[a] * g_.r[b] / radii;
        const double nu = steel_ratio;
        c.mass = p.is_fixed(a)   ? g_.m[b]
                 : p.is_fixed(b) ? g_.m[a]
                                 : g_.m[a] * g_.m[b] / (g_.m[a] + g_.m[b]);
        c.stiffness = D(4.0 / 3.0) * sqrt(c.radius) /
                      (compliance(g_.modulus[a], nu) + compliance(g_.modulus[b], nu));
        c.shear =
            D(1.0) / (shear_compliance(g_.modulus[a], nu) + shear_compliance(g_.modulus[b], nu));
        const V half = half_[b] - half_[a];
        const V middle = c.branch - D(0.5 * dt) * half;
        const V rolling = g_.r[a] * half_spin_[a] + g_.r[b] * half_spin_[b];
        // The program's series for 1 / middle^2: steps as long as these show its third term.
        const D q = D(0.5 * dt) * dot_of(half, c.branch + middle) / (distance * distance);
        const D inverse = (D(1.0) + q * (D(1.0) + q)) / (distance * distance);
        const V slip_rate = (dot_of(half, middle) * inverse) * middle - half +
                            (D(1.0) / radii) * cross_of(rolling, middle);
        V tangential;
        const auto key =
            (a * (g_.n + p.walls.size()) + b) * 3 + static_cast<std::size_t>(image + 1);
        if (image != 0 && c.overlap > D(0.0)) ++crossings;
        const V normal =
            push(key, c, predicted_[b] - predicted_[a], slip_rate, middle, inverse, dt, tangential);
        const V force = normal + tangential;
        const V lever = (D(1.0) / radii) * cross_of(c.branch, tangential);
        force_[a] = force_[a] - force;
        force_[b] = force_[b] + force;
        torque_[a] = torque_[a] - g_.r[a] * lever;
        torque_[b] = torque_[b] - g_.r[b] * lever;
    }

    void respond_wall(std::size_t a, std::size_t w, double dt) {
        const packing::Packing& p = g_.p;
        const packing::Wall& wall = p.walls[w];
        const laws::Elasticity& e = p.species_list[wall.species].elasticity;
        const V up = dual(wall.direction());
        Touch c;
        const D height = dot_of(up, g_.x[a] - dual(wall.point()));
        c.normal = D(-1.0) * up;
        c.branch = height * c.normal;
        c.overlap = g_.r[a] - height;
        c.radius = g_.r[a];
        c.mass = g_.m[a];
        c.stiffness = D(4.0 / 3.0) * sqrt(c.radius) /
                      (compliance(g_.modulus[a], steel_ratio) +
                       D((1.0 - steel_ratio * steel_ratio) / e.youngs_modulus));
        c.shear = D(1.0) / (shear_compliance(g_.modulus[a], steel_ratio) +
                            shear_compliance(D(e.youngs_modulus), steel_ratio));
        const V half = D(-1.0) * half_[a];
        const V slip_rate =
            dot_of(half, c.normal) * c.normal - half + cross_of(half_spin_[a], c.branch);
        V tangential;
        const std::size_t key = (a * (g_.n + p.walls.size()) + g_.n + w) * 3;
        const V normal = push(key, c, D(-1.0) * predicted_[a], slip_rate, c.branch,
                              D(1.0) / dot_of(c.branch, c.branch), dt, tangential);
        const V force = normal + tangential;
        force_[a] = force_[a] - force;
        torque_[a] = torque_[a] - cross_of(c.branch, tangential);
        wall_[w] = wall_[w] - dot_of(force, up);
    }

    void respond(double dt) {
        std::ranges::fill(force_, V{});
        std::ranges::fill(torque_, V{});
        std::ranges::fill(wall_, D(0.0));
        for (std::size_t a = 0; a < g_.n; ++a) {
            for (std::size_t b = a + 1; b < g_.n; ++b) {
                for (int image = -1; image <= 1; ++image)
                    respond_pair(a, b, image, dt);
            }
            if (g_.p.is_fixed(a)) continue;
            for (std::size_t w = 0; w < g_.p.walls.size(); ++w)
                respond_wall(a, w, dt);
        }
    }

    void kick() {
        for (std::size_t i = 0; i < g_.n; ++i) {
            if (g_.p.is_fixed(i)) continue;
            w_[i] = D(0.5 * time_step) * ((D(1.0) / g_.m[i]) * force_[i] + g_.gravity);
            turn_[i] = (D(0.5 * time_step / 0.4) / (g_.m[i] * g_.r[i] * g_.r[i])) * torque_[i];
        }
    }

    void read(std::int64_t s) {
        for (std::size_t k = 0; k < of_.channels.size(); ++k) {
            const auto& [kind, i, axis] = of_.channels[k];
            const D reading = kind == Channel::Kind::position       ? part_of(g_.x[i], axis)
                              : kind == Channel::Kind::velocity     ? part_of(g_.v[i], axis)
                              : kind == Channel::Kind::sensor_force ? part_of(force_[i], axis)
                                                                    : wall_[i];
            value += D(of_.seeds[k][static_cast<std::size_t>(s)]) * reading;
        }
        const gradients::EnergyWindow& window = of_.energies[0];
        if (!window.window.contains(s)) return;
        for (std::size_t i = window.first_bead; i <= window.last_bead; ++i) {
            value += D(window.weight / static_cast<double>(window.window.count())) *
                     (D(0.5) * g_.m[i] * dot_of(g_.v[i], g_.v[i]) +
                      D(0.2) * g_.m[i] * g_.r[i] * g_.r[i] * dot_of(g_.spin[i], g_.spin[i]));
        }
    }

    Plain g_;
    const Case& of_;
    std::vector<V> spring_, force_, torque_, half_, predicted_, half_spin_, predicted_spin_, w_,
        turn_;
    std::vector<D> held_, wall_;
};

}  // namespace beadwave::validation::gradient_heap
