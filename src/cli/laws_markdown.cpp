#include "cli/laws_markdown.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/restitution.hpp"
#include "laws/listed_laws.hpp"

#include <fmt/format.h>

#include <span>

namespace beadwave::cli {
namespace {

class Page {
  public:
    void line(const std::string& text) { text_ += text + "\n"; }
    void item(const char* what, const std::string& text) {
        if (!text.empty()) line(fmt::format("- {}: {}", what, text));
    }
    void parameters(std::span<const laws::Parameter> parameters) {
        for (const laws::Parameter& p : parameters) {
            const std::string standard = p.required() ? "required"
                                         : p.standard
                                             ? fmt::format("default {:g}", *p.standard)
                                             : fmt::format("default \"{}\"", p.standard_word);
            line(fmt::format("- `{}`: {}; {}; {}", p.name, p.meaning, p.allowed(), standard));
        }
    }
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

}  // namespace

std::string laws_markdown() {
    Page page;
    page.line("# Contact laws\n");
    page.line(
        "Written by `beadwave laws --markdown` from the catalogue of the program. delta: overlap; "
        "delta_dot: approach");
    page.line(
        "speed; delta_dot_0: impact speed; e: coefficient of restitution; E, R, m: effective "
        "modulus, radius and mass;");
    page.line("sigma_y: yield stress of the softer body.");
    for (const laws::Entry& e : laws::catalogue()) {
        page.line(fmt::format("\n## {}\n", e.name));
        for (const std::string& alias : e.aliases)
            page.line(fmt::format("- also called {}", alias));
        page.item("family", e.family);
        page.item("not offered", e.refused);
        page.item("equation", e.equation);
        page.item("stored energy", e.stored_energy);
        page.item("contact ends", e.separation);
        page.item("validity", e.validity());
        if (e.refused.empty()) page.item("order in the time step", e.step_order.text());
        page.item("source", e.source);
        page.parameters(e.parameters);
    }
    page.line(
        "\n# Line contacts\n\nFor `beadwave collide` if both bodies have a `length`, for contacts "
        "of a mechanism with a `length`\n(journal) or `line_length`, and for chains whose beads "
        "have "
        "a `length`.\nEvery law has a damping on top of its elastic "
        "force, F (1 + chi delta_dot/delta_dot_0), and these parameters beside its own:\n");
    const std::span<const laws::Parameter> damping = laws::line_damping_parameters();
    page.parameters(damping);
    for (const laws::LineEntry& e : laws::line_catalogue()) {
        page.line(fmt::format("\n## {} (line)\n", e.name));
        page.item("equation", e.equation);
        page.item("cylinders", std::string("a pin in a hole") +
                                   (e.external ? "; side by side" : "") +
                                   (e.flat ? "; on a flat" : ""));
        page.item("validity", e.validity);
        page.item("source", e.source);
        page.parameters(std::span(e.parameters).first(e.parameters.size() - damping.size()));
    }
    page.line(
        "\n# Friction\n\nValues of `friction.law`, and keys that act beside it in "
        "[packings](SCENARIO_PACKINGS.md#friction-rolling-twisting) and\n"
        "[mechanisms](SCENARIO_MECHANISMS.md#contacts). N: normal force; v: slip speed; k: "
        "tangential stiffness; m: effective mass;\nG*: effective shear modulus.\n");
    for (const auto& entries : {laws::friction_laws(), laws::friction_numbers()}) {
        for (const laws::ListedLaw& f : entries)
            page.line(
                fmt::format("- **{}** ({}): {}; {}", f.name, f.systems, f.equation, f.source));
        page.line("");
    }
    page.line(
        "# Coefficients of restitution\n\nFor `beadwave collide` if a yield stress is given.\n");
    for (const laws::RestitutionFormula& f : laws::restitution_formulas()) {
        page.line(fmt::format("- **{}**: {}; {}; {}", f.name, f.equation, f.validity, f.source));
    }
    return page.text();
}

}  // namespace beadwave::cli
