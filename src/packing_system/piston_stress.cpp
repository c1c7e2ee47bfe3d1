#include "packing_system/piston_stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::running {
namespace {

constexpr double last_part = 0.2;  // of the run

std::array<double, 3> components(const packing::Vec3& v) {
    return {v.x, v.y, v.z};
}

const char* unit(int dimension) {
    return dimension == 2 ? "N/m" : "Pa";
}

}  // namespace

PistonStresses::PistonStresses(const packing::Packing& packing, double end) : packing_(packing) {
    if (packing.box.strain) start_ = packing.box.strain->start;
    constexpr double rounding = 1e-9;  // of the time of a sample
    begin_ = std::max((1.0 - last_part) * end, start_) * (1.0 + rounding);
}

void PistonStresses::take(double time, const packing::BoxState& box) {
    if (!packing_.box.strain || !packing_.box.strain->has_pistons() || time < start_) return;
    last_.time = time;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        last_.edge[axis] = box.edges.of[axis];
        last_.rate[axis] = box.rate.of[axis];
    }
    if (first_.time < 0.0 || time <= begin_) first_ = last_;
}

double PistonStresses::area(const Moment& at, std::size_t axis) const {
    double area = 1.0;
    for (std::size_t other = 0; other < static_cast<std::size_t>(packing_.dimension); ++other)
        if (other != axis) area *= at.edge[other];
    return area;
}

std::vector<PistonStress> PistonStresses::result() const {
    std::vector<PistonStress> all;
    const double time = last_.time - first_.time;
    if (first_.time < 0.0 || !(time > 0.0)) return all;
    const packing::Straining& strain = *packing_.box.strain;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!strain.has_piston[axis]) continue;
        const double face = 0.5 * (area(first_, axis) + area(last_, axis));
        const double asked = components(strain.stress)[axis];
        const double damping =
            strain.damping * (last_.edge[axis] - first_.edge[axis]) / (face * time);
        const double inertia = strain.mass * (last_.rate[axis] - first_.rate[axis]) / (face * time);
        all.push_back({.axis = axis,
                       .begin = first_.time,
                       .end = last_.time,
                       .asked = asked,
                       .held = asked + damping + inertia,
                       .by_damping = damping});
    }
    return all;
}

void PistonStresses::serialize(Archive& archive) {
    archive(first_.time);
    for (auto* numbers : {&first_.edge, &first_.rate})
        for (double& number : *numbers)
            archive(number);
}

std::string held_text(const std::vector<PistonStress>& pistons, int dimension) {
    std::string text;
    for (const PistonStress& piston : pistons) {
        text += fmt::format("{}{:.4g} {} along {} in place of {:.4g} {}", text.empty() ? "" : ", ",
                            piston.held, unit(dimension), "xyz"[piston.axis], piston.asked,
                            unit(dimension));
    }
    if (!pistons.empty())
        text += fmt::format(", on average from {:.4g} s to {:.4g} s", pistons.front().begin,
                            pistons.front().end);
    return text;
}

std::optional<std::string> wrong_stress(const packing::Packing& packing,
                                        const std::vector<PistonStress>& pistons) {
    constexpr double large = 0.05, small = 0.01;
    const PistonStress* worst = nullptr;
    double most = large;
    for (const PistonStress& piston : pistons) {
        const double off = std::abs(piston.held / piston.asked - 1.0);
        if (piston.asked == 0.0 || !(off > most)) continue;
        most = off;
        worst = &piston;
    }
    if (worst == nullptr) return std::nullopt;
    const double excess = worst->held - worst->asked;
    const bool damped = worst->by_damping / excess > 0.5;
    const double damping = packing.box.strain->damping * small / most;
    return fmt::format(
        "the pistons held {}: {}", held_text({*worst}, packing.dimension),
        damped ? fmt::format("box.piston_damping holds back a box that changes this fast; expected "
                             "at most {:.2g} N s/m, or lower rates",
                             damping)
               : std::string("the packing has not come to this stress; expected a longer run, or "
                             "a packing that is pressed to it before"));
}

}  // namespace beadwave::running
