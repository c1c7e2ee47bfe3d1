#include "packing/elements/bond_stepper.hpp"

#include "packing/build/particle_shapes.hpp"
#include "packing/vector_length.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::packing {
namespace {

/// `v`, which is across the unit vector `from`, turned with it to the unit vector `to`.
Vec3 turned_with(const Vec3& v, const Vec3& from, const Vec3& to) {
    return v - (dot(to, v) / (1.0 + dot(from, to))) * (from + to);
}

/// `v`, which is across the unit vector `axis`, turned about it by an angle [rad].
Vec3 turned_about(const Vec3& v, const Vec3& axis, double angle) {
    return std::cos(angle) * v + std::sin(angle) * cross(axis, v);
}

Vec3 across(const Vec3& v, const Vec3& normal) {
    return v - dot(v, normal) * normal;
}

/// The cross-section of the cement, and its stiffness over its area [N/m^3].
struct Section {
    double radius, area, inertia, normal, shear;
};

using Ends = std::array<CementEnd, 2>;

Ends ends_of(const Packing& packing, const Bond& bond) {
    if (bond.ends) return *bond.ends;
    const auto of_sphere = [&](std::size_t particle) -> CementEnd {
        const double radius = packing.radius[particle];
        return {.depth = radius, .radius = radius};
    };
    return {of_sphere(bond.first), of_sphere(bond.second)};
}

/// From one end of the cement to the other at the start [m].
Vec3 branch_at_start(const Packing& packing, const Bond& bond, const Ends& ends) {
    return (packing.position[bond.second] - packing.position[bond.first]) +
           (ends[1].place - ends[0].place);
}

Section section_of(const Bond& bond, const Ends& ends, double length) {
    Section all{};
    all.radius = bond.radius_factor * std::min(ends[0].radius, ends[1].radius);
    all.area = std::numbers::pi * all.radius * all.radius;
    all.inertia = 0.25 * all.area * all.radius * all.radius;
    all.normal = bond.youngs_modulus / length;
    all.shear = all.normal / bond.stiffness_ratio;
    return all;
}

}  // namespace

BondStepper::BondStepper(const Packing& packing) : packing_(packing) {
    for (const Bond& bond : packing.elements.bonds) {
        const Ends ends = ends_of(packing, bond);
        const double a = ends[0].depth, b = ends[1].depth;
        Part part;
        part.start = branch_at_start(packing, bond, ends);
        part.length = length_of(part.start);
        part.first_part = a / (a + b);
        const Section section = section_of(bond, ends, part.length);
        part.radius = section.radius;
        part.area = section.area;
        part.inertia = section.inertia;
        part.normal = section.normal * section.area;
        part.shear = section.shear * section.area;
        part.bending = section.normal * section.inertia;
        part.twisting = section.shear * 2.0 * section.inertia;
        State state;
        state.branch = part.start;
        for (std::size_t k = 0; k < 2; ++k) {
            if (!bond.ends) continue;
            const std::size_t particle = k == 0 ? bond.first : bond.second;
            part.place[k] = to_body(normalised(packing.orientation[particle]), ends[k].place);
            state.arm[k] = ends[k].place;
        }
        parts_.push_back(part);
        states_.push_back(state);
    }
}

void BondStepper::move_to_cement(std::size_t k, std::size_t end, End& at, double step) {
    const Vec3 arm = to_space(at.orientation, parts_[k].place[end]);
    states_[k].arm[end] = arm;
    at.displacement += arm - (*packing_.elements.bonds[k].ends)[end].place;
    const Vec3& spin = at.half_angular_velocity;
    at.half += cross(spin, arm - (0.5 * step) * cross(spin, arm));  // in the middle of the step
}

BondStepper::Load BondStepper::respond(std::size_t k, const End& first, const End& second,
                                       double step, std::int64_t number) {
    const Bond& bond = packing_.elements.bonds[k];
    const Part& part = parts_[k];
    State& state = states_[k];
    const Vec3 d = second.displacement - first.displacement;
    const Vec3 branch = part.start + d;
    const double length = length_of(branch);
    const double x = (2.0 * dot(part.start, d) + dot(d, d)) / (length + part.length);
    const Vec3 normal = branch * (1.0 / length);
    const Vec3 before = state.branch * (1.0 / length_of(state.branch));
    const Vec3 middle = 0.5 * (state.branch + branch);
    const Vec3 along = middle * (1.0 / length_of(middle));

    const Vec3 &wa = first.half_angular_velocity, &wb = second.half_angular_velocity;
    const double spin = 0.5 * step * dot(wa + wb, along);
    const auto turned = [&](const Vec3& v) {
        return turned_about(turned_with(v, before, normal), normal, spin);
    };
    const Vec3 slip =
        across(step * (second.half - first.half -
                       cross(part.first_part * wa + (1.0 - part.first_part) * wb, middle)),
               along);
    const Vec3 angle = step * (wb - wa);
    const double twist = dot(angle, along);
    const Vec3 old_shear = turned(state.shear), old_bending = turned(state.bending);
    const double old_twisting = state.twisting;
    const Vec3 shear = old_shear - part.shear * turned_with(slip, along, normal);
    const Vec3 bending =
        old_bending - part.bending * turned_with(across(angle, along), along, normal);
    const double twisting = old_twisting - part.twisting * twist;

    const double tensile =
        part.normal * x / part.area + length_of(bending) * part.radius / part.inertia;
    const double shearing =
        length_of(shear) / part.area + std::abs(twisting) * part.radius / (2.0 * part.inertia);
    const double elongation_before = state.elongation;
    state.branch = branch;
    state.elongation = x;
    if (step > 0.0 && (tensile > bond.tensile_strength || shearing > bond.shear_strength)) {
        state.broken_at = static_cast<double>(number);
        // On the way from one state to the next one: with this, the trapezoidal work of the bond is
        // what it loses.
        state.broken_energy =
            0.5 *
            (part.normal * x * elongation_before + dot(shear, old_shear) / part.shear +
             dot(bending, old_bending) / part.bending + twisting * old_twisting / part.twisting);
        return {};
    }
    state.shear = shear;
    state.bending = bending;
    state.twisting = twisting;
    return {.force = shear - part.normal * x * normal, .torque = bending + twisting * normal};
}

double BondStepper::stored(std::size_t k) const {
    const State& s = states_[k];
    const Part& part = parts_[k];
    if (!s.intact()) return 0.0;
    return 0.5 *
           (part.normal * s.elongation * s.elongation + dot(s.shear, s.shear) / part.shear +
            dot(s.bending, s.bending) / part.bending + s.twisting * s.twisting / part.twisting);
}

std::vector<BrokenBond> BondStepper::broken(double after) const {
    std::vector<BrokenBond> broken;
    for (std::size_t k = 0; k < states_.size(); ++k) {
        if (!states_[k].intact() && states_[k].broken_at > after)
            broken.push_back({k, states_[k].broken_at, states_[k].broken_energy});
    }
    return broken;
}

double BondStepper::tension(std::size_t bond) const {
    const State& state = states_[bond];
    return state.intact() ? parts_[bond].normal * state.elongation : 0.0;
}

Vec3 BondStepper::force(std::size_t bond) const {
    const State& state = states_[bond];
    if (!state.intact()) return {};
    return state.shear - (tension(bond) / length_of(state.branch)) * state.branch;
}

std::vector<double> BondStepper::numbers() const {
    std::vector<double> all;
    for (std::size_t k = 0; k < states_.size(); ++k)
        each_number_of(states_[k], packing_.elements.bonds[k],
                       [&](double number) { all.push_back(number); });
    return all;
}

void BondStepper::restore(std::span<const double> numbers) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < states_.size(); ++k)
        each_number(k, [&](double& number) { number = numbers[at++]; });
}

double bond_limit(const Packing& packing, const Bond& bond, std::size_t particle) {
    if (packing.is_held(particle)) return 0.0;
    const Ends ends = ends_of(packing, bond);
    const CementEnd& own = ends[particle == bond.first ? 0 : 1];
    const double length = length_of(branch_at_start(packing, bond, ends));
    const auto [radius, area, inertia, normal, shear] = section_of(bond, ends, length);
    const double place = length_of(own.place), arm = place + std::max(own.depth, 0.5 * length);
    const double turning = normal * area * place * place + 2.0 * shear * area * arm * arm +
                           normal * inertia + 2.0 * shear * inertia;
    return 2.0 * ((normal + 2.0 * shear) * area / packing.mass[particle] +
                  turning / least_moment(packing, particle));
}

}  // namespace beadwave::packing
