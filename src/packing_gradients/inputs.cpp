#include "packing_gradients/inputs.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/running/run_error.hpp"
#include "gradients/slopes.hpp"
#include "packing_gradients/components.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ios>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <variant>

namespace beadwave::packing_gradients {
namespace {

using Kind = Input::Kind;

struct NamedKind {
    std::string_view name;
    Kind kind;
    std::string_view unit;
};
constexpr std::array<NamedKind, 7> of_packing{
    {{"position", Kind::position, "m"},
     {"velocity", Kind::velocity, "m/s"},
     {"angular_velocity", Kind::angular_velocity, "rad/s"},
     {"mass", Kind::mass, "kg"},
     {"radius", Kind::radius, "m"},
     {"youngs_modulus", Kind::youngs_modulus, "Pa"},
     {"gravity", Kind::gravity, "m/s^2"}}};

struct FrictionNumber {
    std::string_view name;
    double laws::Friction::*number;
};
constexpr std::array<FrictionNumber, 6> of_friction{
    {{"friction.coefficient", &laws::Friction::coefficient},
     {"friction.stiffness", &laws::Friction::stiffness},
     {"friction.damping", &laws::Friction::damping},
     {"friction.damping_ratio", &laws::Friction::damping_ratio},
     {"friction.damping_factor", &laws::Friction::damping_factor},
     {"friction.normal_damping_factor", &laws::Friction::normal_damping_factor}}};

double laws::Friction::*friction_number(const std::string& name) {
    return std::ranges::find(of_friction, name, &FrictionNumber::name)->number;
}

std::vector<std::string> known_inputs(const packing::Packing& packing) {
    std::vector<std::string> known;
    for (const NamedKind& row : of_packing)
        known.emplace_back(row.name);
    if (!packing.pairs.empty()) return known;
    for (const FrictionNumber& row : of_friction) {
        if (packing.friction.*row.number != 0.0) known.emplace_back(row.name);
    }
    for (const auto& [name, value] : packing.law.values) {
        if (std::holds_alternative<double>(value)) known.push_back(name);
    }
    return known;
}

packing::ParticleColumn<Vec3> packing::Packing::*vectors_of(Kind kind) {
    return kind == Kind::position   ? &packing::Packing::position
           : kind == Kind::velocity ? &packing::Packing::velocity
                                    : &packing::Packing::angular_velocity;
}

std::vector<double> rows(const packing::ParticleColumn<Vec3>& all) {
    std::vector<double> numbers;
    for (const Vec3& v : all)
        numbers.insert(numbers.end(), {v.x, v.y, v.z});
    return numbers;
}

/// Whether the laws of pairs depend on the input.
bool makes_laws(Kind kind) {
    return kind == Kind::mass || kind == Kind::radius || kind == Kind::youngs_modulus ||
           kind == Kind::friction || kind == Kind::law;
}

bool per_particle(const Input& input) {
    return input.kind != Kind::friction && input.kind != Kind::law;
}

/// None: the law does not allow the changed number.
std::optional<packing::PairLaw> allowed_law(const VariedPacking& changed, const PairBodies& pair) {
    try {
        return law_of(changed, pair);
    } catch (const ArgumentError&) {  // of a number that nobody gave
        return std::nullopt;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// The derivative by a number of an input through the laws of the affected pairs. `changed` is the
/// packing, whose number changes in between.
double by_laws(VariedPacking& changed, const Input& input, std::size_t index,
               const std::vector<std::uint32_t>& affected, const Bars& bars,
               const PairTable& table) {
    std::vector<double> here, by;
    for (const std::uint32_t p : affected) {
        const std::vector<double> numbers = numbers_of(table.law(p));
        here.insert(here.end(), numbers.begin(), numbers.end());
        by.insert(by.end(), bars.law[p].begin(),
                  bars.law[p].begin() + static_cast<std::ptrdiff_t>(numbers.size()));
    }
    if (std::ranges::all_of(by, [](double bar) { return bar == 0.0; })) return 0.0;
    const double own = numbers_of(changed, input)[index];
    bool at_edge = false;
    const auto numbers_at = [&](double place) -> std::optional<std::vector<double>> {
        change(changed, input, index, place);
        std::vector<double> all;
        for (const std::uint32_t p : affected) {
            const std::optional<packing::PairLaw> law = allowed_law(changed, table.pairs()[p]);
            at_edge = at_edge || !law;
            if (!law || law->normal.index() != table.law(p).normal.index() ||
                law->slider.index() != table.law(p).slider.index())
                return std::nullopt;
            const std::vector<double> numbers = numbers_of(*law);
            all.insert(all.end(), numbers.begin(), numbers.end());
        }
        return all;
    };
    const auto slopes = gradients::slopes_of(own, here, numbers_at);
    change(changed, input, index, own);
    if (!slopes) {
        throw running::RunError(fmt::format(
            "the laws of the contacts have no derivative by {} at {:g}: {}", input.name, own,
            at_edge ? "the number is at the edge of what the law allows"
                    : "there is a jump or separate code nearby"));
    }
    double sum = 0.0;
    for (std::size_t k = 0; k < by.size(); ++k)
        sum += (*slopes)[k] * by[k];
    return sum;
}

/// The pairs of the table of each particle, or all of them for one number.
std::vector<std::vector<std::uint32_t>> affected_pairs(const Input& input, std::size_t particles,
                                                       const PairTable& table) {
    std::vector<std::vector<std::uint32_t>> affected(per_particle(input) ? particles : 1);
    for (std::uint32_t p = 0; p < table.pairs().size(); ++p) {
        const PairBodies& pair = table.pairs()[p];
        if (!per_particle(input)) {
            affected.front().push_back(p);
            continue;
        }
        affected[pair.first].push_back(p);
        if (pair.second < particles && pair.second != pair.first)
            affected[pair.second].push_back(p);
    }
    return affected;
}

/// The derivatives of the steps themselves, with the laws of the pairs kept.
std::vector<double> by_steps(const packing::Packing& p, const Input& input, const Bars& bars) {
    std::vector<double> numbers(p.particles(), 0.0);
    switch (input.kind) {
        case Kind::position:
            return rows(bars.position);
        case Kind::velocity:
            return rows(bars.velocity);
        case Kind::angular_velocity:
            return rows(bars.spin);
        case Kind::gravity:
            return rows({bars.gravity});
        case Kind::mass:
            for (std::size_t i = 0; i < numbers.size(); ++i)
                numbers[i] = bars.mass[i] + bars.inertia[i] * p.inertia[i] / p.mass[i];
            return numbers;
        case Kind::radius:
            for (std::size_t i = 0; i < numbers.size(); ++i)
                numbers[i] = bars.radius[i] + 2.0 * bars.inertia[i] * p.inertia[i] / p.radius[i];
            return numbers;
        case Kind::youngs_modulus:
            return numbers;
        default:
            return {0.0};
    }
}

}  // namespace

std::string Input::unit() const {
    const auto found = std::ranges::find(of_packing, kind, &NamedKind::kind);
    return found == of_packing.end() ? "" : std::string(found->unit);
}

const char* Input::of() const {
    return kind == Kind::gravity || kind == Kind::friction || kind == Kind::law ? "number"
                                                                                : "particle";
}

std::size_t Input::columns() const {
    return kind == Kind::position || kind == Kind::velocity || kind == Kind::angular_velocity ||
                   kind == Kind::gravity
               ? 3
               : 1;
}

std::vector<Input> read_inputs(const std::string& text, const packing::Packing& packing,
                               const std::string& where) {
    std::vector<Input> inputs;
    std::stringstream words(text);
    words.exceptions(std::ios::badbit);  // missing memory is no end of the text
    const std::vector<std::string> known = known_inputs(packing);
    const std::string all = fmt::format("expected some of {}", fmt::join(known, ", "));
    for (std::string word; std::getline(words, word, ',');) {
        const bool of_law = word.starts_with("law.");
        const std::string name = of_law ? word.substr(4) : word;
        if (std::ranges::find(known, name) == known.end() ||
            (of_law && !packing.law.values.contains(name))) {
            const std::string hint = did_you_mean(name, known);
            throw InputError(fmt::format("{}: there is no input \"{}\" of this packing{}", where,
                                         shortened(word), hint.empty() ? "; " + all : hint));
        }
        const auto found = std::ranges::find(of_packing, name, &NamedKind::name);
        const Kind kind = found != of_packing.end()       ? found->kind
                          : name.starts_with("friction.") ? Kind::friction
                                                          : Kind::law;
        const Input input{.kind = kind, .name = name};
        if (std::ranges::find(inputs, input) != inputs.end())
            throw InputError(fmt::format("{}: {} is given twice", where, word));
        inputs.push_back(input);
    }
    if (inputs.empty()) throw InputError(fmt::format("{}: is empty; {}", where, all));
    return inputs;
}

std::vector<double> numbers_of(const VariedPacking& varied, const Input& input) {
    const packing::Packing& p = varied.packing;
    switch (input.kind) {
        case Kind::mass:
            return p.mass;
        case Kind::radius:
            return p.radius;
        case Kind::youngs_modulus:
            return varied.youngs_modulus;
        case Kind::gravity:
            return rows({p.gravity});
        case Kind::friction:
            return {p.friction.*friction_number(input.name)};
        case Kind::law:
            return {p.law.number(input.name)};
        default:
            return rows(p.*vectors_of(input.kind));
    }
}

void change(VariedPacking& varied, const Input& input, std::size_t index, double x) {
    packing::Packing& p = varied.packing;
    switch (input.kind) {
        case Kind::velocity:
        case Kind::angular_velocity:
            if (p.is_held(index / 3)) return;
            break;
        case Kind::mass:
            p.inertia[index] *= x / p.mass[index];
            p.mass[index] = x;
            return;
        case Kind::radius: {
            const double part = x / p.radius[index];
            p.inertia[index] *= part * part;
            p.radius[index] = x;
            return;
        }
        case Kind::youngs_modulus:
            varied.youngs_modulus[index] = x;
            return;
        case Kind::gravity:
            component(p.gravity, index) = x;
            return;
        case Kind::friction: {
            const double own = p.friction.coefficient;
            p.friction.*friction_number(input.name) = x;
            // Where one number is given for both, it stays one.
            if (p.friction.static_coefficient == own)
                p.friction.static_coefficient = p.friction.coefficient;
            return;
        }
        case Kind::law:
            p.law.values.insert_or_assign(input.name, x);
            return;
        default:
            break;
    }
    component((p.*vectors_of(input.kind))[index / 3], index % 3) = x;
}

std::vector<double> gradient_by(const VariedPacking& varied, const Input& input, const Bars& bars,
                                const PairTable& table) {
    std::vector<double> gradient = by_steps(varied.packing, input, bars);
    if (!makes_laws(input.kind)) return gradient;
    const auto affected = affected_pairs(input, varied.packing.particles(), table);
    VariedPacking changed = varied;
    for (std::size_t i = 0; i < gradient.size(); ++i)
        gradient[i] += by_laws(changed, input, i, affected[i], bars, table);
    return gradient;
}

}  // namespace beadwave::packing_gradients
