#include "io/tables/ensemble.hpp"

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

namespace beadwave::io {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t probabilities = ensemble_probabilities.size();

/// The spread of a number over the members of an ensemble.
template <class Number>
Spread spread_of_members(const SweepTable& table, std::size_t ensemble, const Number& number) {
    const std::size_t members = table.plan().members();
    std::vector<double> numbers;
    numbers.reserve(members);
    for (std::size_t run = ensemble * members; run < (ensemble + 1) * members; ++run)
        numbers.push_back(number(run));
    return spread_of(std::move(numbers));
}

/// The three datasets of a quantity in a group of its name. `spread(ensemble, time)`; `times`:
/// their number, 0: it is not over time.
template <class SpreadAt>
void write_spread(hid_t group, const Quantity& quantity, std::size_t ensembles, std::size_t times,
                  const SpreadAt& spread) {
    const hdf5::Group own = hdf5::create_group(group, quantity.name);
    const std::size_t columns = std::max<std::size_t>(times, 1);
    std::vector<double> mean, deviation, quantiles(ensembles * probabilities * columns);
    for (std::size_t n = 0; n < ensembles; ++n) {
        for (std::size_t t = 0; t < columns; ++t) {
            const Spread s = spread(n, t);
            mean.push_back(s.mean);
            deviation.push_back(s.standard_deviation);
            for (std::size_t q = 0; q < probabilities; ++q)
                quantiles[(n * probabilities + q) * columns + t] = s.quantiles[q];
        }
    }
    const auto write = [&](const char* name, const std::vector<double>& numbers,
                           std::vector<hsize_t> shape) {
        if (times > 0) shape.push_back(times);
        const hdf5::Dataset data =
            hdf5::create_dataset(own.id(), name, hdf5::type_of<double>(), shape);
        hdf5::write_all(data, hdf5::type_of<double>(), numbers.data());
        if (!quantity.unit.empty()) h5md::set_unit(data, quantity.unit);
    };
    write("mean", mean, {ensembles});
    write("standard_deviation", deviation, {ensembles});
    write("quantile", quantiles, {ensembles, probabilities});
}

}  // namespace

Spread spread_of(std::vector<double> numbers) {
    std::erase_if(numbers, [](double number) { return std::isnan(number); });
    Spread spread{
        .count = numbers.size(), .mean = unknown, .standard_deviation = unknown, .quantiles = {}};
    spread.quantiles.fill(unknown);
    if (numbers.empty()) return spread;
    const auto count = static_cast<double>(numbers.size());
    double sum = 0.0, squares = 0.0;
    for (const double number : numbers)
        sum += number;
    spread.mean = sum / count;
    for (const double number : numbers)
        squares += (number - spread.mean) * (number - spread.mean);
    if (numbers.size() > 1) spread.standard_deviation = std::sqrt(squares / (count - 1.0));
    std::ranges::sort(numbers);
    for (std::size_t q = 0; q < probabilities; ++q) {
        const double place = ensemble_probabilities[q] * (count - 1.0);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, numbers.size() - 1);
        const double part = place - static_cast<double>(below);
        spread.quantiles[q] = numbers[below] + part * (numbers[above] - numbers[below]);
    }
    return spread;
}

Spread spread_of_run(const SweepTable& table, std::size_t ensemble, std::size_t quantity) {
    return spread_of_members(table, ensemble,
                             [&](std::size_t run) { return table.of_run(run, quantity); });
}

Spread spread_over_time(const SweepTable& table, std::size_t ensemble, std::size_t quantity,
                        std::size_t time) {
    return spread_of_members(table, ensemble,
                             [&](std::size_t run) { return table.over_time(run, quantity, time); });
}

void write_ensemble(hid_t sweep, const SweepTable& table) {
    const SweepPlan& plan = table.plan();
    if (plan.members() == 0) return;
    const hdf5::Group group = hdf5::create_group(sweep, "ensemble");
    std::vector<std::string> disturbed;
    for (std::size_t k = plan.combined(); k < plan.keys().size(); ++k)
        disturbed.push_back(plan.keys()[k].key);
    hdf5::set_attribute(group.id(), "disturbed", std::span<const std::string>(disturbed));
    const std::int64_t members[] = {static_cast<std::int64_t>(plan.members())};
    hdf5::set_attribute(group.id(), "members", std::span<const std::int64_t>(members));
    std::vector<std::int64_t> finished;
    for (std::size_t n = 0; n < plan.ensembles(); ++n) {
        finished.push_back(0);
        for (std::size_t run = n * plan.members(); run < (n + 1) * plan.members(); ++run)
            finished.back() += table.status(run) == SweepTable::Status::done ? 1 : 0;
    }
    hdf5::write_vector<std::int64_t>(group.id(), "finished", finished);
    hdf5::write_vector<double>(
        group.id(), "probability",
        std::vector<double>(ensemble_probabilities.begin(), ensemble_probabilities.end()));
    const Columns& columns = table.columns();
    const hdf5::Group results = hdf5::create_group(group.id(), "results");
    for (std::size_t q = 0; q < columns.of_run.size(); ++q) {
        write_spread(results.id(), columns.of_run[q], plan.ensembles(), 0,
                     [&](std::size_t n, std::size_t) { return spread_of_run(table, n, q); });
    }
    if (columns.over_time.empty()) return;
    const hdf5::Group over_time = hdf5::create_group(group.id(), "over_time");
    for (std::size_t q = 0; q < columns.over_time.size(); ++q) {
        write_spread(
            over_time.id(), columns.over_time[q], plan.ensembles(), columns.times.size(),
            [&](std::size_t n, std::size_t t) { return spread_over_time(table, n, q, t); });
    }
}

}  // namespace beadwave::io
