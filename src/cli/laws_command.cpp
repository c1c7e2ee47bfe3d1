#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/restitution.hpp"
#include "cli/command_line.hpp"
#include "cli/laws_markdown.hpp"
#include "cli/terminal.hpp"
#include "laws/listed_laws.hpp"
#include "tasks/law_numbers.hpp"
#include "tasks/laws_json.hpp"
#include "tasks/translate.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator = ", ") {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : separator) + word;
    return text;
}

std::string standard_of(const laws::Parameter& parameter) {
    if (parameter.required()) return "none, required";
    return parameter.standard ? fmt::format("{:g}", *parameter.standard)
                              : std::string(parameter.standard_word);
}

void line(const char* what, std::string_view text) {
    fmt::print("  {:<14}{}\n", what, text);
}

void print_parameters(const std::vector<laws::Parameter>& parameters) {
    fmt::print("\n  parameters{}\n", parameters.empty() ? ": none except the materials" : "");
    for (const laws::Parameter& p : parameters) {
        fmt::print("    {:<22}{}\n    {:<22}{}; default: {}\n", p.name, p.meaning, "", p.allowed(),
                   standard_of(p));
    }
}

void print_one(const laws::Entry& e) {
    fmt::print("{}{}\n\n", e.name, e.aliases.empty() ? "" : " (also " + joined(e.aliases) + ")");
    line("family", e.family);
    line("equation", e.equation);
    line("stored energy", e.stored_energy);
    line("separation", e.separation);
    line("validity", e.validity());
    line("source", e.source);
    if (e.refused.empty()) line("step order", e.step_order.text());
    if (!e.refused.empty()) line("not offered", e.refused);
    if (e.needs_yield_stress)
        line("material", "needs yield_stress; the softer of the two bodies yields");
    print_parameters(e.parameters);
}

void print_one(const laws::LineEntry& e) {
    fmt::print("{}{}, a law of line contacts\n\n", e.name,
               e.aliases.empty() ? "" : " (also " + joined(e.aliases) + ")");
    line("equation", e.equation);
    line("damping", "factor 1 + chi delta_dot/delta_dot_0, with chi of the law that damping names");
    line("cylinders", fmt::format("a pin in a hole{}{}", e.external ? ", or side by side" : "",
                                  e.flat ? ", or on a flat" : ""));
    line("valid up to", e.limit == "none" ? "any overlap" : "the overlap " + e.limit);
    line("validity", e.validity);
    line("source", e.source);
    print_parameters(e.parameters);
}

void print_one(const laws::RestitutionFormula& f) {
    fmt::print("{}, a restitution formula\n\n", f.name);
    line("equation", f.equation);
    line("validity", f.validity);
    line("needs", fmt::format("yield_stress{}{}", f.needs_poisson_ratio ? ", poisson_ratio" : "",
                              f.needs_density ? ", density" : ""));
    line("source", f.source);
}

void print_one(const laws::ListedLaw& l) {
    fmt::print("{}\n\n", l.name);
    line("for", l.systems);
    line("equation", l.equation);
    line("source", l.source);
}

std::string short_list(const std::vector<laws::Parameter>& parameters) {
    std::vector<std::string> names;
    for (const laws::Parameter& p : parameters)
        names.emplace_back(p.name);
    if (names.size() > 4) {
        names.resize(4);
        names.emplace_back("...");
    }
    return names.empty() ? "-" : joined(names, " ");
}

void print_table() {
    fmt::print("{:<26}{:<24}{:<60}{}\n", "law", "family", "parameters", "source");
    for (const laws::Entry& e : laws::catalogue()) {
        fmt::print("{:<26}{:<24}{:<60}{}\n", e.name, e.family, short_list(e.parameters), e.source);
        for (const std::string& alias : e.aliases)
            fmt::print("{:<26}the same as {}\n", alias, e.name);
    }
    fmt::print(
        "\nFor `beadwave collide` if both bodies have a length, for contacts of a mechanism with a "
        "length or line_length, and for chains whose beads have a length:\n\n");
    fmt::print("{:<26}{:<24}{:<60}{}\n", "line law", "cylinders", "parameters", "source");
    for (const laws::LineEntry& e : laws::line_catalogue()) {
        fmt::print("{:<26}{:<24}{:<60}{}\n", e.name, e.external ? "internal, external" : "internal",
                   short_list(e.parameters), e.source);
        for (const std::string& alias : e.aliases)
            fmt::print("{:<26}the same as {}\n", alias, e.name);
    }
    fmt::print("\n{:<26}{:<24}{}\n", "law of rigid contacts", "for", "source");
    for (const laws::ListedLaw& l : laws::rigid_laws())
        fmt::print("{:<26}{:<24}{}\n", l.name, l.systems, l.source);
    fmt::print("\n{:<26}{:<24}{}\n", "friction.law, its keys", "for", "source");
    for (const auto& entries : {laws::friction_laws(), laws::friction_numbers()}) {
        for (const laws::ListedLaw& f : entries)
            fmt::print("{:<26}{:<24}{}\n", f.name, f.systems, f.source);
    }
    fmt::print(
        "\n`beadwave collide` also prints the result of these formulas for yielding pairs:\n\n");
    fmt::print("{:<26}{:<76}{}\n", "restitution formula", "validity", "source");
    for (const laws::RestitutionFormula& f : laws::restitution_formulas()) {
        fmt::print("{:<26}{:<76}{}\n", f.name, f.validity, f.source);
    }
    fmt::print("\n`beadwave laws NAME` describes one of them in full.\n");
}

/// Prints all entries with this name.
void show(const std::string& name) {
    bool first = true;
    const auto show_one = [&](const auto* entry) {
        if (entry == nullptr) return;
        if (!first) fmt::print("\n");
        print_one(*entry);
        first = false;
    };
    show_one(laws::find(name));
    show_one(laws::find_line(name));
    show_one(laws::find_restitution_formula(name));
    show_one(laws::find_listed(name));
}

/// The law in the parameters of another program.
void show_translation(const tasks::TranslateRequest& request, bool json) {
    const tasks::LawTranslation result = tasks::translate(request);
    for (const std::string& warning : result.warnings)
        print_warning(warning);
    if (json) {
        print_json(result.json());
    } else {
        print(result.text());
    }
}

/// The law's numbers for one impact.
void show_numbers(const std::string& law, std::span<const std::string> at, bool json) {
    if (law.empty()) throw InputError("--at: needs a law; expected laws NAME --at KEY=VALUE");
    const tasks::LawNumbers numbers = tasks::law_numbers(law, at);
    if (json) {
        print_json(numbers.json());
    } else {
        print(numbers.text());
    }
}

/// Refuses options that only --for uses.
void check_alone(const tasks::TranslateRequest& request) {
    for (const auto& [option, given] : {std::pair{"--case", !request.collision.empty()},
                                        {"--set", !request.overrides.empty()},
                                        {"--speeds", !request.speeds.empty()},
                                        {"--masses", !request.masses.empty()}}) {
        if (given)
            throw InputError(fmt::format(
                "{}: is of --for PROGRAM, which is not given; expected laws NAME --for PROGRAM",
                option));
    }
}

}  // namespace

Command laws_command(CLI::App& app) {
    struct Options {
        tasks::TranslateRequest translated{};
        std::vector<std::string> at{};
        bool json = false, markdown = false;
    };
    const auto given = std::make_shared<Options>();
    Line line(app, "laws", "List the contact laws, or describe one");
    tasks::TranslateRequest& translated = given->translated;
    line.add_option("NAME", translated.law, "the law to describe (default: a table of all laws)");
    add_json(line, given->json);
    add_repeated(line, "--at", given->at, "KEY=VALUE",
                 "the optimal damping of poursina-nikravesh for one impact: restitution, exponent "
                 "(1.5), stiffness (N/m^n), mass (effective, kg) and speed (m/s); given once for "
                 "each");
    line.add_option("--for", translated.program,
                    "the law in the parameters of another program, with the restitution that these "
                    "give: " +
                        tasks::program_names())
        .type_name("PROGRAM");
    line.add_option("--case", translated.collision,
                    "with --for: the bodies and the parameters of the law, a collision case as of "
                    "collide (default: two steel spheres)");
    add_repeated(line, "--set", translated.overrides, "KEY=VALUE",
                 "with --for: set one key of the case, for example law.restitution=0.8; may be "
                 "given several times");
    line.add_option(
            "--speeds", translated.speeds,
            "with --for: impact speeds in m/s (default: from a tenth to ten times the speed "
            "of the case)")
        .type_name("LOW:HIGH");
    line.add_option("--masses", translated.masses,
                    "with --for: effective masses in kg (default: from half to twice that of the "
                    "case)")
        .type_name("LOW:HIGH");
    line.add_flag("--markdown", given->markdown,
                  "describe all laws in Markdown, the text of docs/LAWS.md");

    return {.line = line, .run = [given](ranks::Communicator&) {
                const tasks::TranslateRequest& request = given->translated;
                const std::string& name = request.law;
                if (request.program.empty()) check_alone(request);
                if (!given->at.empty() && !request.program.empty())
                    throw InputError("--at: is given together with --for; give one of the two");
                if (!given->at.empty()) {
                    show_numbers(name, given->at, given->json);
                    return 0;
                }
                if (given->markdown) {
                    fmt::print("{}", laws_markdown());
                } else if (!request.program.empty()) {
                    if (name.empty())
                        throw InputError(
                            "--for: needs a law; expected laws NAME --for PROGRAM (beadwave laws "
                            "lists all)");
                    show_translation(request, given->json);
                } else if (given->json) {
                    print_json(name.empty() ? tasks::laws_json() : tasks::laws_json(name));
                } else if (name.empty()) {
                    print_table();
                } else {
                    tasks::check_catalogued(name);
                    show(name);
                }
                return 0;
            }};
}

}  // namespace beadwave::cli
