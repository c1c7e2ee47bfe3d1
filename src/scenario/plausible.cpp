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
        {Dimension::acceleration, {"m/s^2", {{1e-3, "mm/s^2"}, {1e-2, "cm/s^2", 0.5}}}},
        {Dimension::inertia,
         {"kg m^2", {{1e-6, "kg mm^2"}, {1e-4, "kg cm^2", 1.0}, {1e-9, "g mm^2", 0.5}}}}};
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

/// Of the dimensions that have a length in their unit.
const char* plural(Dimension dimension) {
    if (dimension == Dimension::speed) return "speeds";
    if (dimension == Dimension::acceleration) return "accelerations";
    return dimension == Dimension::inertia ? "moments of inertia" : "lengths";
}

/// The unit with millimetres in place of metres; it is the first of the others.
const char* millimetres(Dimension dimension) {
    return units_of(dimension).others.front().name;
}

/// "mm, mm/s and kg mm^2"
template <class Name>
std::string listed(const std::vector<Dimension>& dimensions, const Name& name) {
    std::string text;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        if (i > 0) text += i + 1 < dimensions.size() ? ", " : " and ";
        text += name(dimensions[i]);
    }
    return text;
}

/// A radius, of a bearing as well.
bool is_radius(std::string_view key) {
    const std::string_view name = last_name(key);
    return name.ends_with("radius") || name == "radii";
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
        // Short runs and small moments of inertia are usual.
        const bool round = std::ranges::any_of(set, [&](auto i) { return is_round(values_[i]); });
        const Dimension dimension = numbers_[set.front()].dimension;
        if (round || dimension == Dimension::time || dimension == Dimension::inertia) continue;
        for (const double factor : {1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9}) {
            const bool named = std::ranges::any_of(
                others, [&](const OtherUnit& other) { return other.factor == factor; });
            if (!named) all.push_back({set, factor, nullptr, 3.0});
        }
    }
    add_millimetres(all);
    return all;
}

void Plausibility::add_millimetres(std::vector<Candidate>& all) const {
    std::vector<std::size_t> lengths, motion, inertia;
    bool fast = false;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const Dimension dimension = numbers_[i].dimension;
        if (dimension == Dimension::length) lengths.push_back(i);
        if (dimension == Dimension::inertia) inertia.push_back(i);
        if (dimension != Dimension::speed && dimension != Dimension::acceleration) continue;
        motion.push_back(i);
        fast = fast || std::abs(values_[i]) >= least_suspicious(dimension);
    }
    if (lengths.empty()) return;
    const auto add = [&](std::initializer_list<const std::vector<std::size_t>*> others) {
        Candidate candidate{lengths, 1e-3, "mm", 1.0, {Dimension::length}};
        for (const auto* other : others) {
            if (other->empty()) return;
            for (const std::size_t i : *other) {
                candidate.numbers.push_back(i);
                if (std::ranges::find(candidate.of, numbers_[i].dimension) == candidate.of.end())
                    candidate.of.push_back(numbers_[i].dimension);
            }
        }
        all.push_back(std::move(candidate));
    };
    add({&inertia});
    if (!fast) return;
    add({&motion});
    add({&motion, &inertia});
}

double Plausibility::factor(const Candidate& candidate, std::size_t number) const {
    const bool square = !candidate.of.empty() && numbers_[number].dimension == Dimension::inertia;
    return square ? candidate.factor * candidate.factor : candidate.factor;
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
                if (is_radius(numbers_[i].key) && value < 0.05) return false;
                break;
            case Dimension::acceleration:
                if (value > 9.7 && value < 9.9) return false;  // that of the earth
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
            values[i] *= factor(candidate, i);
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
    const double measured = range->of(values_);
    const bool large = measured > range->highest;
    return fmt::format("{}: with {:.6g} {} {} is {:.3g}{}, and {} {:.1g}{} is not expected; {}",
                       keys_of(*best), values_[first], units_of(numbers_[first].dimension).si,
                       range->what, measured, range->unit, large ? "more than" : "less than",
                       large ? range->highest : range->lowest, range->unit, question(*best));
}

std::string Plausibility::keys_of(const Candidate& candidate) const {
    const std::vector<std::size_t>& numbers = candidate.numbers;
    std::string keys = numbers_[numbers.front()].key;
    if (!candidate.of.empty())
        return keys + " and all other " + listed(candidate.of, [](auto d) { return plural(d); });
    for (std::size_t i = 1; i < numbers.size(); ++i)
        keys += (i + 1 < numbers.size() ? ", " : " and ") + numbers_[numbers[i]].key;
    return keys;
}

std::string Plausibility::question(const Candidate& candidate) const {
    const char* const si = units_of(numbers_[candidate.numbers.front()].dimension).si;
    if (!candidate.of.empty()) {
        return fmt::format("were they written in {}? expected {}",
                           listed(candidate.of, [](Dimension d) { return millimetres(d); }),
                           listed(candidate.of, [](Dimension d) { return units_of(d).si; }));
    }
    if (candidate.unit != nullptr)
        return fmt::format("was it written in {}? expected {}", candidate.unit, si);
    return fmt::format("is it {:.0e} times too {}? expected {}",
                       std::max(candidate.factor, 1.0 / candidate.factor),
                       candidate.factor > 1.0 ? "small" : "large", si);
}

}  // namespace beadwave::scenario
