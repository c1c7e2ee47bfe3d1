#include "gradients/carried_inputs.hpp"

#include "beadwave/running/run_error.hpp"
#include "gradients/signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace beadwave::gradients {
namespace {

using chain::Spring;
using Elements = chain::Elements;

/// A number of each element of a list.
struct Row {
    std::string_view name, unit;
    /// Calls a function with each number, in order.
    void (*each)(Elements& elements, const std::function<void(double&)>& visit);
};

template <auto list, auto member>
void visit_all(Elements& elements, const std::function<void(double&)>& visit) {
    for (auto& each : elements.*list)
        visit(each.*member);
}
template <auto list, double Spring::*member>
void visit_springs(Elements& elements, const std::function<void(double&)>& visit) {
    for (auto& each : elements.*list)
        visit(each.spring.*member);
}

constexpr std::array<Row, 11> element_rows{{
    {"foundation.stiffness", "N/m", visit_springs<&Elements::foundations, &Spring::stiffness>},
    {"foundation.cubic", "N/m^3", visit_springs<&Elements::foundations, &Spring::cubic>},
    {"foundation.damping", "N s/m", visit_springs<&Elements::foundations, &Spring::damping>},
    {"resonator.mass", "kg", visit_all<&Elements::resonators, &chain::Resonator::mass>},
    {"resonator.stiffness", "N/m", visit_springs<&Elements::resonators, &Spring::stiffness>},
    {"resonator.cubic", "N/m^3", visit_springs<&Elements::resonators, &Spring::cubic>},
    {"resonator.damping", "N s/m", visit_springs<&Elements::resonators, &Spring::damping>},
    {"bond.stiffness", "N/m", visit_all<&Elements::bonds, &chain::Bond::stiffness>},
    {"bond.damping", "N s/m", visit_all<&Elements::bonds, &chain::Bond::damping>},
    {"bond.stretch", "m", visit_all<&Elements::bonds, &chain::Bond::stretch>},
    {"pair_force.force", "N", visit_all<&Elements::pair_forces, &chain::PairForce::force>},
}};

const Row* row_of(std::string_view name) {
    const auto found = std::ranges::find(element_rows, name, &Row::name);
    return found == element_rows.end() ? nullptr : &*found;
}

std::vector<double> numbers_of(const Row& row, const Elements& elements) {
    std::vector<double> all;
    row.each(const_cast<Elements&>(elements), [&](double& x) { all.push_back(x); });
    return all;
}

}  // namespace

std::vector<std::string> carried_inputs(const MotionNumbers& numbers) {
    std::vector<std::string> names;
    for (const Row& row : element_rows) {
        if (!numbers_of(row, numbers.elements).empty()) names.emplace_back(row.name);
    }
    for (const std::string_view name : signal_inputs) {
        if (!signal_values(numbers, name).empty()) names.emplace_back(name);
    }
    return names;
}

bool is_carried_input(std::string_view name) {
    return row_of(name) != nullptr || std::ranges::find(signal_inputs, name) != signal_inputs.end();
}

std::string_view unit_of_carried(std::string_view name) {
    const Row* const row = row_of(name);
    if (row != nullptr) return row->unit;
    if (name.ends_with("frequency")) return "Hz";
    return name.starts_with("load") ? "N" : "m";
}

std::vector<double> carried_values(const MotionNumbers& numbers, std::string_view name) {
    const Row* const row = row_of(name);
    return row != nullptr ? numbers_of(*row, numbers.elements) : signal_values(numbers, name);
}

void set_carried(MotionNumbers& numbers, std::string_view name, const std::vector<double>& values) {
    const Row* const row = row_of(name);
    if (row == nullptr) return set_signals(numbers, name, values);
    std::size_t k = 0;
    row->each(numbers.elements, [&](double& x) { x = values[k++]; });
}

std::vector<double> carried_gradient(const MotionNumbers& numbers, std::string_view name,
                                     const MotionNumbers& bars, double time_step) {
    const Row* const row = row_of(name);
    if (row == nullptr) return signal_gradient(numbers, name, bars, time_step);
    std::vector<double> gradient = numbers_of(*row, bars.elements);
    if (name == "resonator.mass") {
        for (std::size_t k = 0; k < gradient.size(); ++k)
            gradient[k] += numbers.gravity * bars.load[numbers.elements.resonators[k].bead];
    }
    return gradient;
}

}  // namespace beadwave::gradients
