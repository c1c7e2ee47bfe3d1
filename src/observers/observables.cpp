#include "observers/observables.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {
namespace {

using dynamics::Engine;
using dynamics::Totals;

double largest_contact_force(const Engine& engine) {
    double largest = 0.0;
    for (const double force : engine.contact_force())
        largest = std::max(largest, std::abs(force));
    return largest;
}

constexpr Observable all[] = {
    {"momentum", "kg m s-1", "of all beads, towards higher numbers",
     [](const Engine&, const Totals& totals) { return totals.momentum; }},
    {"discarded_momentum", "kg m s-1", "of beads put to rest by time.sleep_speed since the start",
     [](const Engine&, const Totals& totals) { return totals.discarded_momentum; }},
    {"largest_contact_force", "N", "of all contacts, in size",
     [](const Engine& engine, const Totals&) { return largest_contact_force(engine); }},
};

}  // namespace

std::span<const Observable> observables() {
    return all;
}

std::vector<double> observed(const dynamics::Engine& engine, const dynamics::Totals& totals) {
    std::vector<double> numbers;
    for (const Observable& observable : all)
        numbers.push_back(observable.of(engine, totals));
    return numbers;
}

}  // namespace beadwave::observers
