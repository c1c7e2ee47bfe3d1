#include "subjects/fit/fit_options.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace beadwave::tasks {
namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<double> finite_in(std::string_view text) {
    const auto value = number_in<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

struct Pair {
    double first, second;
};

/// "first:second".
std::optional<Pair> pair_in(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto first = finite_in(text.substr(0, colon)), second = finite_in(text.substr(colon + 1));
    return first && second ? std::optional(Pair{*first, *second}) : std::nullopt;
}

struct KeyAndText {
    std::string key;
    std::string_view text;
};

/// The parts before and after the "="; no key without one.
KeyAndText parts_of(std::string_view option) {
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos) return {{}, option};
    return {std::string(option.substr(0, equals)), option.substr(equals + 1)};
}

}  // namespace

bool read_errors(const std::string& text) {
    if (text != "white" && text != "robust")
        throw InputError(fmt::format("--errors {}: expected white or robust", text));
    return text == "robust";
}

fit::Component read_component(const std::string& text) {
    using enum fit::Component;
    for (const fit::Component one : {x, y, z, norm}) {
        if (fit::text_of(one) == text) return one;
    }
    throw InputError(fmt::format("--component {}: expected norm, x, y or z", text));
}

std::vector<fit::Mask> read_masks(std::span<const std::string> options) {
    std::vector<fit::Mask> masks;
    for (const std::string& option : options) {
        const auto [sensor, text] = parts_of(option);
        const auto ends = pair_in(text);
        const auto id = number_in<std::int64_t>(sensor);
        if (!ends || (option.find('=') != std::string::npos && !id)) {
            throw InputError(fmt::format(
                "--mask {}: must be from:to in s, as in --mask 1e-4:2e-4, or sensor=from:to, as in "
                "--mask 9=1e-4:2e-4",
                option));
        }
        if (!(ends->first < ends->second)) {
            throw InputError(fmt::format("--mask {}: its end must come after its start", option));
        }
        masks.push_back({ends->first, ends->second, id});
    }
    return masks;
}

std::vector<fit::KeyPrior> read_priors(std::span<const std::string> options) {
    std::vector<fit::KeyPrior> priors;
    for (const std::string& option : options) {
        const auto [key, text] = parts_of(option);
        const auto pair = pair_in(text);
        if (key.empty() || !pair || !(pair->second > 0.0)) {
            throw InputError(fmt::format(
                "--prior {}: must be key=mean:deviation with a deviation above 0, as in --prior "
                "law.psi=2.8:0.1",
                option));
        }
        if (std::ranges::find(priors, key, &fit::KeyPrior::key) != priors.end())
            throw InputError(fmt::format("--prior {}: is given twice", key));
        priors.push_back({key, pair->first, pair->second});
    }
    return priors;
}

std::map<std::string, double> read_starts(std::span<const std::string> options) {
    std::map<std::string, double> starts;
    for (const std::string& option : options) {
        const auto [key, text] = parts_of(option);
        const auto value = finite_in(text);
        if (key.empty() || !value) {
            throw InputError(fmt::format(
                "--start {}: must be key=value, as in --start clock.shift=2e-6", option));
        }
        if (!starts.emplace(key, *value).second)
            throw InputError(fmt::format("--start {}: is given twice", key));
    }
    return starts;
}

}  // namespace beadwave::tasks
