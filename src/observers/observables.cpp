#include "observers/observables.hpp"

namespace beadwave::observers {
namespace {

using dynamics::Totals;

constexpr Observable all[] = {
    {"momentum", "kg m s-1", "of all beads, towards higher numbers",
     [](const Totals& totals) { return totals.momentum; }},
    {"sleep_loss_momentum", "kg m s-1", "of beads put to sleep by time.sleep_speed since the start",
     [](const Totals& totals) { return totals.sleep_loss_momentum; }},
    {"largest_contact_force", "N", "absolute value, of all contacts",
     [](const Totals& totals) { return totals.largest_contact_force; }},
};

}  // namespace

std::span<const Observable> observables() {
    return all;
}

std::vector<double> observed(const dynamics::Totals& totals) {
    std::vector<double> numbers;
    for (const Observable& observable : all)
        numbers.push_back(observable.of(totals));
    return numbers;
}

}  // namespace beadwave::observers
