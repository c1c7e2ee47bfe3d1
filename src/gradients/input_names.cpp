#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "gradients/carried_inputs.hpp"
#include "gradients/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ios>
#include <sstream>
#include <utility>
#include <variant>

namespace beadwave::gradients {
namespace {

using NamedAs = Input::Kind;

struct NamedKind {
    std::string_view name;
    NamedAs kind;
    std::string_view unit;
};
constexpr std::array<NamedKind, 7> of_chain{{{"mass", NamedAs::mass, "kg"},
                                             {"radius", NamedAs::radius, "m"},
                                             {"youngs_modulus", NamedAs::youngs_modulus, "Pa"},
                                             {"gap", NamedAs::gap, "m"},
                                             {"velocity", NamedAs::velocity, "m/s"},
                                             {"load", NamedAs::load, "N"},
                                             {"precompression", NamedAs::precompression, "N"}}};

/// Names of all inputs of a chain.
std::vector<std::string> known_inputs(const ReadyChain& ready) {
    std::vector<std::string> known;
    const bool squeezed = ready.static_loads && ready.static_loads->squeeze > 0.0;
    for (const NamedKind& row : of_chain) {
        if (row.kind != NamedAs::precompression || squeezed) known.emplace_back(row.name);
    }
    for (std::string& name : carried_inputs(MotionNumbers(ready.chain)))
        known.push_back(std::move(name));
    for (const auto& [name, value] : ready.bodies.law.values) {
        if (std::holds_alternative<double>(value)) known.push_back(name);
    }
    return known;
}

}  // namespace

std::string_view unit_of(const Input& input) {
    return input.kind == NamedAs::carried ? unit_of_carried(input.name) : unit_of(input.kind);
}

std::string_view unit_of(NamedAs kind) {
    const auto found = std::ranges::find(of_chain, kind, &NamedKind::kind);
    return found == of_chain.end() ? std::string_view() : found->unit;
}

bool is_per_bead(const Input& input) {
    return input.kind == NamedAs::mass || input.kind == NamedAs::radius ||
           input.kind == NamedAs::youngs_modulus || input.kind == NamedAs::velocity ||
           input.kind == NamedAs::load;
}

std::vector<Input> read_inputs(const std::string& text, const ReadyChain& ready,
                               const std::string& where) {
    const chain::ContactBodies& bodies = ready.bodies;
    std::vector<Input> inputs;
    std::stringstream words(text);
    words.exceptions(std::ios::badbit);  // missing memory is no end of the text
    const std::vector<std::string> known = known_inputs(ready);
    const std::string all = fmt::format("expected some of {}", fmt::join(known, ", "));
    for (std::string word; std::getline(words, word, ',');) {
        const std::string name = word.starts_with("law.") ? word.substr(4) : word;
        const auto found = std::ranges::find(of_chain, name, &NamedKind::name);
        Input input{.kind = NamedAs::law, .name = name};
        const bool is_known = std::ranges::find(known, name) != known.end();
        if (is_known && name == word && found != of_chain.end()) {
            input.kind = found->kind;
        } else if (is_known && is_carried_input(name)) {
            input.kind = NamedAs::carried;
        } else if (!is_known) {
            const auto value = bodies.law.values.find(name);
            if (value != bodies.law.values.end()) {
                throw InputError(
                    fmt::format("{}: {} is \"{}\" in this scenario, which has no derivative; {}",
                                where, shortened(word), std::get<std::string>(value->second), all));
            }
            const std::string hint = did_you_mean(name, known);
            throw InputError(
                fmt::format("{}: there is no input \"{}\" of a chain with law \"{}\"{}", where,
                            shortened(word), bodies.law.name, hint.empty() ? "; " + all : hint));
        }
        if (std::ranges::find(inputs, input) != inputs.end())
            throw InputError(fmt::format("{}: {} is given twice", where, word));
        inputs.push_back(std::move(input));
    }
    if (inputs.empty()) throw InputError(fmt::format("{}: is empty; {}", where, all));
    const auto has = [&](std::string_view name) {
        return std::ranges::find(inputs, name, &Input::name) != inputs.end();
    };
    if (bodies.fastest && has("velocity") && has("impact_speed")) {
        throw InputError(fmt::format(
            "{}: law.impact_speed follows from the velocities, and is no input beside velocity; "
            "expected one of the two, or a number for law.impact_speed in the scenario",
            where));
    }
    return inputs;
}

}  // namespace beadwave::gradients
