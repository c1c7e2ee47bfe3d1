#include "scenario/plausible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

namespace beadwave::scenario {
namespace {

struct OtherUnit {
    double factor;  ///< of the SI unit
    const char* name;
    double rarity = 0.0;  ///< of people who write it, in the units of Plausibility::strangeness
};

struct OfDimension {
    const char* si;
    std::vector<OtherUnit> others;
};

const OfDimension& units_of(Dimension dimension) {
    static const std::map<Dimension, OfDimension> all{
        {Dimension::length,
         {"m", {{1e-3, "mm"}, {1e-2, "cm", 1.5}, {1e-6, "um", 0.5}, {1e-9, "nm", 1.0}}}},
        {Dimension::mass, {"kg", {{1e-3, "g"}, {1e-6, "mg", 1.0}, {1e-9, "ug", 1.5}}}},
        {Dimension::time, {"s", {{1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns", 0.5}}}},
        {Dimension::stress, {"Pa", {{1e9, "GPa"}, {1e6, "MPa"}, {1e3, "kPa", 1.5}}}},
        {Dimension::density,
         {"kg/m^3",
          {{1e3, "g/cm^3"}, {1e12, "t/mm^3", 1.0}, {1e9, "kg/mm^3", 1.0}, {1e6, "g/mm^3", 1.0}}}},
        {Dimension::speed, {"m/s", {{1e-3, "mm/s"}, {1e-2, "cm/s", 1.5}, {1e-6, "um/s", 1.0}}}},
        {Dimension::acceleration, {"m/s^2", {{1e-3, "mm/s^2"}, {1e-2, "cm/s^2", 0.5}}}}};
    return all.at(dimension);
}

/// The value below which speeds and accelerations are usual ones.
double least_suspicious(Dimension dimension) {
    if (dimension == Dimension::speed) return 20.0;          // m/s
    if (dimension == Dimension::acceleration) return 100.0;  // m/s^2
    return 0.0;
}

/// "radius" of "segment.0.radius".
std::string_view last_name(std::string_view key) {
    return key.substr(key.rfind('.') + 1);
}

/// Numbers that are written like this count as written in a unit of their own: they are not taken
/// for slips in the direction that no usual unit has.
bool is_round(double value) {
    return std::abs(value) >= 1e-2 && std::abs(value) <= 1e2;
}

}  // namespace

std::size_t Plausibility::number(std::string key, double value, Dimension dimension) {
    const auto [place, is_new] = place_.emplace(key, numbers_.size());
    if (!is_new) return place->second;
    numbers_.push_back({std::move(key), dimension});
    values_.push_back(value);
    return values_.size() - 1;
}

void Plausibility::measure(std::string what, std::string unit, double lowest, double highest,
                           Measure of) {
    ranges_.push_back({std::move(what), std::move(unit), lowest, highest, std::move(of)});
}

void Plausibility::range(std::size_t number, std::string what, std::string unit, double lowest,
                         double highest) {
    measure(std::move(what), std::move(unit), lowest, highest,
            [number](Values values) { return std::abs(values[number]); });
}

const Plausibility::Range* Plausibility::broken() const {
    const Range* worst = nullptr;
    double most = 1.0;
    for (const Range& range : ranges_) {
        const double value = range.of(values_);
        const double beyond = std::max(value / range.highest, range.lowest / value);
        if (!(beyond > most)) continue;
        most = beyond;
        worst = &range;
    }
    return worst;
}

std::optional<double> Plausibility::strangeness(Values values) const {
    double sum = 0.0;
    for (const Range& range : ranges_) {
        const double value = range.of(values);
        if (std::isnan(value)) continue;
        if (value < range.lowest || value > range.highest) return std::nullopt;
        if (!(range.lowest > 0.0)) continue;
        const double middle = 0.5 * (std::log(range.lowest) + std::log(range.highest));
        const double half = 0.5 * (std::log(range.highest) - std::log(range.lowest));
        const double off = (std::log(value) - middle) / half;
        sum += off * off;
    }
    return sum;
}

std::vector<Plausibility::Candidate> Plausibility::candidates() const {
    std::vector<std::vector<std::size_t>> sets;
    std::map<std::pair<std::string_view, Dimension>, std::vector<std::size_t>> of_name;
    std::map<Dimension, std::vector<std::size_t>> of_dimension;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        sets.push_back({i});
        of_name[{last_name(numbers_[i].key), numbers_[i].dimension}].push_back(i);
        of_dimension[numbers_[i].dimension].push_back(i);
    }
    for (const auto& [name, set] : of_name)
        if (set.size() > 1) sets.push_back(set);
    for (const auto& [dimension, set] : of_dimension)
        if (set.size() > 1) sets.push_back(set);
    std::vector<Candidate> all;
    for (const auto& set : sets) {
        const auto& others = units_of(numbers_[set.front()].dimension).others;
        const auto slow = [&](auto i) {
            return std::abs(values_[i]) < least_suspicious(numbers_[i].dimension);
        };
        if (std::ranges::any_of(set, slow)) continue;
        for (const OtherUnit& other : others)
            all.push_back({set, other.factor, other.name, other.rarity});
        // Short runs are usual: no time is too short.
        const bool round = std::ranges::any_of(set, [&](auto i) { return is_round(values_[i]); });
        if (round || numbers_[set.front()].dimension == Dimension::time) continue;
        for (const double factor : {1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9}) {
            const bool named = std::ranges::any_of(
                others, [&](const OtherUnit& other) { return other.factor == factor; });
            if (!named) all.push_back({set, factor, nullptr, 3.0});
        }
    }
    return all;
}

bool Plausibility::is_reduced() const {
    bool stress = false, matter = false;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const double value = std::abs(values_[i]);
        switch (numbers_[i].dimension) {
            case Dimension::stress:
                stress = true;
                if (value > 1e7) return false;
                break;
            case Dimension::mass:
            case Dimension::density:
                matter = true;
                if (value < 0.05 || value > 50.0) return false;
                break;
            case Dimension::length:
                if (last_name(numbers_[i].key) == "radius" && value < 0.05) return false;
                break;
            default:
                break;
        }
    }
    return stress && matter;
}

std::optional<std::string> Plausibility::doubt() const {
    const Range* const range = broken();
    if (range == nullptr || is_reduced()) return std::nullopt;
    const std::vector<Candidate> all = candidates();
    const Candidate* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> values = values_;
    for (const Candidate& candidate : all) {
        for (const std::size_t i : candidate.numbers)
            values[i] *= candidate.factor;
        if (const auto strange = strangeness(values)) {
            const double cost =
                *strange + candidate.rarity + (candidate.numbers.size() > 1 ? 0.5 : 0.0);
            if (cost < least) {
                least = cost;
                best = &candidate;
            }
        }
        for (const std::size_t i : candidate.numbers)
            values[i] = values_[i];
    }
    if (best == nullptr) return std::nullopt;
    const std::size_t first = best->numbers.front();
    std::string keys = numbers_[first].key;
    for (std::size_t i = 1; i < best->numbers.size(); ++i)
        keys += (i + 1 < best->numbers.size() ? ", " : " and ") + numbers_[best->numbers[i]].key;
    const char* const si = units_of(numbers_[first].dimension).si;
    const double measured = range->of(values_);
    const bool large = measured > range->highest;
    std::string sentence = fmt::format(
        "{}: with {:.6g} {} {} is {:.3g}{}, and {} {:.1g}{} is not expected; ", keys,
        values_[first], si, range->what, measured, range->unit, large ? "more than" : "less than",
        large ? range->highest : range->lowest, range->unit);
    if (best->unit != nullptr)
        sentence += fmt::format("was it written in {}? expected {}", best->unit, si);
    else
        sentence += fmt::format("is it {:.0e} times too {}? expected {}",
                                std::max(best->factor, 1.0 / best->factor),
                                best->factor > 1.0 ? "small" : "large", si);
    return sentence;
}

}  // namespace beadwave::scenario
