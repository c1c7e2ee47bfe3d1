#include "laws/expression/program.hpp"

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/expression/settings.hpp"
#include "laws/expression/own_functions.hpp"
#include "laws/expression/parse.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <set>
#include <utility>

namespace beadwave::laws {
namespace {

constexpr std::array<std::string_view, 4> of_contact{"R", "E", "m", "K"};
constexpr std::array<std::string_view, 10> names_of_formulas{
    "delta", "delta_dot", "delta_dot_0", "ddot", "v0", "R", "E", "m", "K", "pi"};

/// A number that follows from the text alone, as checkpoints have the numbers of laws: 52 bits.
double number_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash ^= hash >> 29;
    return static_cast<double>((hash & 0xfffffffffffff) | 1);
}

std::vector<std::string> parameters_of(const Settings& s) {
    std::vector<std::string> names;
    for (const auto& [name, value] : s.values)
        if (name.starts_with(expression_parameters))
            names.push_back(name.substr(expression_parameters.size()));
    return names;
}

/// The names of a formula. `remembers`: contacts remember their impact speeds.
FormulaNames names_of(Formula& formula, const std::vector<std::string>& parameters, bool remembers,
                      std::set<std::string>& read) {
    FormulaNames names;
    names.known.assign(names_of_formulas.begin(), names_of_formulas.end());
    names.known.insert(names.known.end(), parameters.begin(), parameters.end());
    names.node = [&formula, parameters, remembers,
                  &read](const std::string& name) -> std::optional<Formula::Node> {
        if (name == "delta") return formula.input(Formula::Input::overlap);
        if (name == "delta_dot" || name == "ddot")
            return formula.input(Formula::Input::approach_speed);
        if (name == "delta_dot_0" || name == "v0")
            return remembers ? formula.input(Formula::Input::impact_speed)
                             : formula.constant("impact_speed", true);
        if (name == "pi") return formula.literal(std::numbers::pi);
        if (std::ranges::find(of_contact, name) != of_contact.end())
            return formula.constant(name, true);
        if (std::ranges::find(parameters, name) == parameters.end()) return std::nullopt;
        read.insert(name);
        return formula.constant(std::string(expression_parameters) + name, false);
    };
    return names;
}

/// Whether a formula has this name before an opening parenthesis.
bool calls(std::string_view formula, std::string_view name) {
    const auto is_of_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = formula.find(name); at != std::string_view::npos;
         at = formula.find(name, at + 1)) {
        if (at > 0 && is_of_name(formula[at - 1])) continue;
        const std::size_t next = formula.find_first_not_of(" \t\n", at + name.size());
        if (next != std::string_view::npos && formula[next] == '(') return true;
    }
    return false;
}

/// What decides about the program of settings, in one text.
std::string text_of(const Settings& s, const std::vector<std::string>& parameters) {
    std::string text = s.word("force") + '\n' + s.word("energy") + '\n' +
                       (s.is("impact_speed", "per-contact") ? "per-contact" : "uniform");
    for (const std::string& name : parameters)
        text += '\n' + name;
    for (const OwnFunction* const each : own_functions()) {
        if (calls(s.word("force"), each->name) || calls(s.word("energy"), each->name))
            text += '\n' + each->name + '(' + each->identity;
    }
    return text;
}

std::unique_ptr<ExpressionProgram> compile(const Settings& s,
                                           const std::vector<std::string>& parameters,
                                           std::string text) {
    auto program = std::make_unique<ExpressionProgram>();
    program->number = number_of(text);
    program->text = std::move(text);
    Formula& formula = program->formula;
    std::set<std::string> read;
    const FormulaNames names =
        names_of(formula, parameters, s.is("impact_speed", "per-contact"), read);
    for (const std::string& name : parameters) {
        std::set<std::string> ignored;
        const FormulaNames own = names_of(formula, {}, false, ignored);
        if (!is_formula_name(name))
            throw ExpressionError(std::string(expression_parameters) + name,
                                  "a parameter's name has letters, digits and _, begins with a "
                                  "letter and is no function");
        if (own.node(name))
            throw ExpressionError(std::string(expression_parameters) + name,
                                  "is a name that formulas already have");
    }
    const auto compiled = [&](const char* key, auto make) {
        try {
            return make();
        } catch (const ExpressionError&) {
            throw;
        } catch (const ArgumentError& error) {
            throw ExpressionError(key, error.what());
        }
    };
    std::vector<Formula::Node> results{
        compiled("force", [&] { return parse(s.word("force"), formula, names); })};
    const bool stated = !s.is("energy", "integral");
    if (stated) {
        results.push_back(
            compiled("energy", [&] { return parse(s.word("energy"), formula, names); }));
        if (formula.uses(results[1], Formula::Input::approach_speed))
            throw ExpressionError("energy",
                                  "depends on delta_dot; a contact stores energy at rest");
    }
    Compiled tapes = compiled("force", [&] { return tapes_of(formula, results); });
    program->force = tapes.tapes[0];
    if (stated) program->energy = tapes.tapes[1];
    program->slots = std::move(tapes.slots);
    const auto uses = [&](Formula::Input input) {
        return std::ranges::any_of(results, [&](auto r) { return formula.uses(r, input); });
    };
    if (uses(Formula::Input::impact_speed))
        program->kind = ExpressionKind::remembering;
    else if (uses(Formula::Input::approach_speed))
        program->kind = ExpressionKind::rated;
    for (const std::string& name : parameters)
        if (!read.contains(name)) program->unused.push_back(name);
    return program;
}

// ---- the program's formulas ----

/// A table of hashes with open addresses; formulas are never removed.
constexpr std::size_t places = 8192, most_programs = places / 2;
std::array<std::atomic<const ExpressionProgram*>, places> table{};

std::size_t place_of(double number, std::size_t turn) {
    return (static_cast<std::size_t>(number) + turn) % places;
}

const ExpressionProgram* find_program(double number) {
    if (!(number >= 1.0 && number < 0x1p52)) return nullptr;
    for (std::size_t turn = 0; turn < places; ++turn) {
        const auto* const each = table[place_of(number, turn)].load(std::memory_order_acquire);
        if (each == nullptr || each->number == number) return each;
    }
    return nullptr;
}

}  // namespace

bool is_name_of_formulas(std::string_view name) {
    return std::ranges::find(names_of_formulas, name) != names_of_formulas.end();
}

const ExpressionProgram& expression_program(const Settings& s) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<ExpressionProgram>> kept;
    const std::vector<std::string> parameters = parameters_of(s);
    std::string text = text_of(s, parameters);
    static thread_local const ExpressionProgram* last = nullptr;
    if (last != nullptr && last->text == text) return *last;
    const std::scoped_lock lock(mutex);
    if (const auto found = kept.find(text); found != kept.end())
        return *(last = found->second.get());
    auto made = compile(s, parameters, text);
    if (kept.size() == most_programs)
        throw ExpressionError("force", "one run cannot have more than 4096 different formulas");
    if (find_program(made->number) != nullptr)
        throw ExpressionError("force", "the number of this formula is taken; add a blank to it");
    for (std::size_t turn = 0;; ++turn) {
        auto& place = table[place_of(made->number, turn)];
        if (place.load(std::memory_order_relaxed) != nullptr) continue;
        place.store(made.get(), std::memory_order_release);
        break;
    }
    return *kept.emplace(std::move(text), std::move(made)).first->second;
}

std::vector<std::string> check_expression(const Settings& s) {
    return expression_program(s).unused;
}

const Tape* expression_force(double number) {
    const ExpressionProgram* const program = find_program(number);
    return program == nullptr ? nullptr : &program->force;
}

const Tape* expression_energy(double number) {
    const ExpressionProgram* const program = find_program(number);
    return program == nullptr || !program->energy ? nullptr : &*program->energy;
}

const ExpressionQuadrature& expression_quadrature() {
    static const ExpressionQuadrature rule = [] {
        // Gauss's rule in s with t = s^4, which makes powers of t that are multiples of 1/4 whole.
        constexpr int points = ExpressionQuadrature::nodes;
        using Gauss = boost::math::quadrature::gauss<double, points>;
        ExpressionQuadrature nodes{};
        for (std::size_t k = 0; k < points; ++k) {
            const std::size_t at = k / 2;
            const double side = k % 2 == 0 ? -1.0 : 1.0;
            const double s = 0.5 * (1.0 + side * Gauss::abscissa()[at]);
            nodes.node[k] = s * s * s * s;
            nodes.weight[k] = 0.5 * Gauss::weights()[at] * 4.0 * s * s * s;
        }
        return nodes;
    }();
    return rule;
}

AnyLaw expression_law(const ExpressionProgram& program, const Contact& c, const Settings& s) {
    const auto constant = [&](const std::string& name) {
        if (name == "R") return c.radius;
        if (name == "E") return c.modulus;
        if (name == "m") return c.mass;
        if (name == "K") return c.stiffness;
        if (name == "impact_speed" && !std::holds_alternative<double>(s.values.at(name))) {
            throw ExpressionError("force",
                                  "reads the impact speed, which is not known here; give "
                                  "impact_speed as a number, in m/s, or as \"per-contact\"");
        }
        return s.number(name);
    };
    const std::vector<double> slots = program.formula.values(program.slots, constant);
    const auto made = [&]<ExpressionKind kind>(std::integral_constant<ExpressionKind, kind>) {
        using Law = Expression<double, kind>;
        Law law{};
        law.program = program.number;
        for (std::size_t k = 0; k < slots.size(); ++k)
            law.*(Law::slots()[k]) = slots[k];
        law.min_impact_speed = s.number("min_impact_speed");
        law.lowest_force =
            s.is("separation", "gap") ? -std::numeric_limits<double>::infinity() : 0.0;
        return AnyLaw(law);
    };
    using enum ExpressionKind;
    switch (program.kind) {
        case elastic:
            return made(std::integral_constant<ExpressionKind, elastic>());
        case rated:
            return made(std::integral_constant<ExpressionKind, rated>());
        default:
            return made(std::integral_constant<ExpressionKind, remembering>());
    }
}

}  // namespace beadwave::laws
