#include "tasks/over_time.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/run_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

namespace beadwave::tasks {
namespace {

using recording::ArrayView;

constexpr std::size_t most_quantities = 1000;

/// A sampled array and its times.
struct Sampled {
    const ArrayView* array;
    std::span<const double> times;

    std::size_t numbers() const {  ///< of a sample
        std::size_t all = 1;
        for (std::size_t d = 1; d < array->shape.size(); ++d)
            all *= array->shape[d];
        return all;
    }
    double at(std::size_t sample, std::size_t offset) const {
        return static_cast<const double*>(array->data)[sample * numbers() + offset];
    }
};

/// The arrays that are sampled over time: those that follow times and are as long.
std::vector<Sampled> sampled(const std::vector<ArrayView>& arrays) {
    std::vector<Sampled> all;
    std::vector<std::span<const double>> times;
    for (const ArrayView& array : arrays) {
        const bool table = array.name.find('/') != std::string::npos;
        if (table || array.whole || array.shape.empty()) continue;
        if (array.name.ends_with("_time") && array.shape.size() == 1) {
            times.emplace_back(static_cast<const double*>(array.data), array.shape[0]);
            continue;
        }
        const auto own = std::find_if(times.rbegin(), times.rend(), [&](const auto& candidate) {
            return candidate.size() == array.shape[0];
        });
        if (own != times.rend()) all.push_back({&array, *own});
    }
    return all;
}

/// A name and the items that it selects.
struct Wanted {
    std::string_view name;
    std::vector<std::size_t> items;
};

Wanted wanted_of(std::string_view text) {
    Wanted wanted{.name = text.substr(0, text.find('.')), .items = {}};
    for (std::size_t dot = text.find('.'); dot != std::string_view::npos;) {
        const std::size_t next = text.find('.', dot + 1);
        const std::string_view part = text.substr(dot + 1, next - dot - 1);
        std::size_t item = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), item);
        if (error != std::errc{} || end != part.data() + part.size()) {
            throw InputError(fmt::format(
                "--over-time {}: after the name come numbers of items, as in position.1.0", text));
        }
        wanted.items.push_back(item);
        dot = next;
    }
    return wanted;
}

/// "m_per_s" of "m s-1".
std::string csv_unit(const std::string& unit) {
    return unit == "m s-1" ? "m_per_s" : unit;
}

/// The shape of one sample: the lengths that follow the number of samples.
std::vector<std::size_t> of_sample(const ArrayView& array) {
    return {array.shape.begin() + 1, array.shape.end()};
}

const Sampled& find(const std::vector<Sampled>& all, const std::string& name,
                    const std::vector<std::size_t>& shape) {
    const auto found =
        std::ranges::find_if(all, [&](const Sampled& one) { return one.array->name == name; });
    if (found == all.end()) {
        throw running::RunError(fmt::format(
            "--over-time {}: this run does not record it, but the first run does", name));
    }
    if (const std::vector<std::size_t> own = of_sample(*found->array); own != shape) {
        throw running::RunError(
            fmt::format("--over-time {}: a sample has the form ({}) in this run, ({}) in the first",
                        name, fmt::join(own, ", "), fmt::join(shape, ", ")));
    }
    return *found;
}

/// Linear between samples. Runs of other time steps have their samples at other times: less than an
/// interval outside of them it is the next sample, beyond that NaN.
double value_at(const Sampled& own, std::size_t offset, double time, std::size_t& k) {
    const std::span<const double> times = own.times;
    if (times.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double interval = times.size() < 2 ? 0.0 : times[1] - times[0];
    if (time < times.front() - interval || time > times.back() + interval)
        return std::numeric_limits<double>::quiet_NaN();
    while (k + 1 < times.size() && times[k + 1] <= time)
        ++k;
    const double at = own.at(k, offset);
    if (k + 1 == times.size() || time <= times[k]) return at;
    return at + (time - times[k]) / (times[k + 1] - times[k]) * (own.at(k + 1, offset) - at);
}

}  // namespace

OverTime::OverTime(std::span<const std::string> names, const std::vector<ArrayView>& arrays) {
    const std::vector<Sampled> all = sampled(arrays);
    for (const std::string& text : names) {
        const Wanted wanted = wanted_of(text);
        const auto found = std::ranges::find_if(
            all, [&](const Sampled& one) { return one.array->name == wanted.name; });
        if (found == all.end()) {
            std::vector<std::string> known;
            for (const Sampled& one : all)
                known.push_back(one.array->name);
            throw InputError(
                fmt::format("--over-time {}: this scenario does not record it; {}", text,
                            known.empty() ? "it records nothing over time"
                                          : fmt::format("it records {}", fmt::join(known, ", "))));
        }
        const std::vector<std::size_t>& shape = found->array->shape;
        std::size_t offset = 0, count = 1;
        for (std::size_t d = 1; d < shape.size(); ++d) {
            const bool given = d - 1 < wanted.items.size();
            if (given && wanted.items[d - 1] >= shape[d]) {
                throw InputError(fmt::format("--over-time {}: there is no item {}; it has 0 to {}",
                                             text, wanted.items[d - 1], shape[d] - 1));
            }
            offset = offset * shape[d] + (given ? wanted.items[d - 1] : 0);
            if (!given) count *= shape[d];
        }
        if (wanted.items.size() + 1 > shape.size()) {
            throw InputError(fmt::format("--over-time {}: {} has {} items in a row, not {}", text,
                                         wanted.name, shape.size() - 1, wanted.items.size()));
        }
        if (times_.empty()) {
            times_.assign(found->times.begin(), found->times.end());
        } else if (!std::ranges::equal(times_, found->times)) {
            throw InputError(fmt::format(
                "--over-time {}: is sampled at other times than {}; give the two the same interval",
                text, names.front()));
        }
        if (quantities_.size() + count > most_quantities) {
            throw InputError(
                fmt::format("--over-time {}: makes more than {} numbers at a time; name "
                            "items, as in {}.0",
                            text, most_quantities, wanted.name));
        }
        for (std::size_t k = offset; k < offset + count; ++k) {
            std::string name;
            std::size_t rest = k;
            for (std::size_t d = shape.size(); d > 1; --d) {
                name = fmt::format(".{}{}", rest % shape[d - 1], name);
                rest /= shape[d - 1];
            }
            name.insert(0, wanted.name);
            const auto same = [&](const io::Quantity& other) { return other.name == name; };
            if (std::ranges::any_of(quantities_, same))
                throw InputError(fmt::format("--over-time {}: {} is given twice", text, name));
            const std::string unit = found->array->unit == "1" ? "" : found->array->unit;
            quantities_.push_back({name, unit, csv_unit(unit)});
            sources_.push_back({found->array->name, of_sample(*found->array), k});
        }
    }
}

void OverTime::append(const std::vector<ArrayView>& arrays, std::vector<double>& to) const {
    const std::vector<Sampled> all = sampled(arrays);
    for (const Source& source : sources_) {
        const Sampled& own = find(all, source.array, source.shape);
        std::size_t k = 0;
        for (const double time : times_)
            to.push_back(value_at(own, source.offset, time, k));
    }
}

}  // namespace beadwave::tasks
