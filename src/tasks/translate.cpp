#include "tasks/translate.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/restitution.hpp"
#include "io/scenario/case_reader.hpp"
#include "tasks/laws_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <utility>

namespace beadwave::tasks {
namespace {

/// Two equal steel spheres, with usual values for what the law requires.
std::string steel_spheres(const laws::Entry& entry) {
    std::string text = "speed = 1.0\n";
    for (const char* body : {"a", "b"}) {
        text += fmt::format(
            "[body.{}]\nradius = 2.5e-3\ndensity = 7850.0\nyoungs_modulus = 2.1e11\n"
            "poisson_ratio = 0.3\nyield_stress = 9e8\n",
            body);
    }
    text += fmt::format("[law]\nname = \"{}\"\n", entry.name);
    for (const laws::Parameter& p : entry.parameters) {
        constexpr double usual_restitution = 0.65;
        if (p.required() && !p.is_file)
            text += fmt::format("{} = {}\n", p.name, p.usual(usual_restitution));
    }
    return text;
}

translation::Range range_of(const std::string& option, const std::string& text, const char* unit,
                            const translation::Range& standard) {
    if (text.empty()) return standard;
    translation::Range range{};
    char rest = '\0';
    if (std::sscanf(text.c_str(), "%lf:%lf%c", &range.low, &range.high, &rest) == 2 &&
        range.low > 0.0 && range.high >= range.low && std::isfinite(range.high))
        return range;
    throw InputError(fmt::format(
        "{} {}: expected LOW:HIGH, numbers above 0 that do not fall, in {}, such as 0.1:10", option,
        shortened(text), unit));
}

const translation::Program& program_of(const std::string& name) {
    if (const translation::Program* program = translation::find_program(name)) return *program;
    std::vector<std::string> known;
    for (const translation::Program* program : translation::programs())
        known.emplace_back(program->name);
    throw InputError(fmt::format("--for: there is no program \"{}\"{}; expected {}",
                                 shortened(name), did_you_mean(name, known), program_names()));
}

/// The case with the law of the request, for any impact speed: a law whose impact speed is not
/// given has that of each impact.
class Cases {
  public:
    explicit Cases(const TranslateRequest& request, const laws::Entry& entry)
        : files_(request.collision.empty() ? io::NamedFiles::relative_to("case.toml")
                                           : io::NamedFiles::relative_to(request.collision)) {
        std::vector<std::string> overrides{fmt::format("law.name=\"{}\"", entry.name)};
        overrides.insert(overrides.end(), request.overrides.begin(), request.overrides.end());
        document_ = request.collision.empty()
                        ? io::parse_toml(steel_spheres(entry), "two steel spheres", overrides)
                        : io::load_toml(request.collision, overrides);
        first_ = io::read_case(document_, files_);
        if (first_.impact)
            throw InputError(fmt::format("{}: is an impact of rigid bodies, which has no law",
                                         request.collision));
    }

    const io::CollisionCase& first() const { return first_; }
    laws::Settings at(double speed) const {
        const std::vector<std::string> settings{fmt::format("speed={}", speed)};
        return io::read_case(io::variant_of(document_, settings), files_).law;
    }

  private:
    io::NamedFiles files_;
    io::TomlDocument document_;
    io::CollisionCase first_{};
};

}  // namespace

std::string program_names() {
    std::string names;
    const auto all = translation::programs();
    for (std::size_t i = 0; i < all.size(); ++i)
        names += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + std::string(all[i]->name);
    return names;
}

LawTranslation translate(const TranslateRequest& request) {
    const translation::Program& program = program_of(request.program);
    check_catalogued(request.law);
    const laws::Entry* entry = laws::find(request.law);
    if (entry == nullptr && laws::find_line(request.law) == nullptr) {
        throw InputError(fmt::format("--for: {} is {}; expected the name of a law", request.law,
                                     laws::find_restitution_formula(request.law) != nullptr
                                         ? "a restitution formula"
                                         : "no law of force over overlap"));
    }
    if (entry != nullptr && !entry->refused.empty())
        throw InputError(fmt::format("--for: {} is not offered: {}", entry->name, entry->refused));
    LawTranslation result{.program = &program,
                          .law = {.name = request.law, .values = {}},
                          .contact = {},
                          .speeds = {},
                          .masses = {},
                          .found = {}};
    const std::string lines = fmt::format(
        "{} cannot express the law: it is one of line contacts, and its contacts are points.",
        program.title);
    if (entry == nullptr) {
        result.found.cannot = lines;
        return result;
    }
    const Cases cases(request, *entry);
    const io::CollisionCase& first = cases.first();
    result.law = first.law;
    result.contact = first.contact;
    result.warnings = first.warnings;
    if (first.line) {
        result.found.cannot = lines;
        return result;
    }
    const double mass = first.contact.mass;
    result.speeds =
        range_of("--speeds", request.speeds, "m/s", {0.1 * first.speed, 10.0 * first.speed});
    result.masses = range_of("--masses", request.masses, "kg", {0.5 * mass, 2.0 * mass});
    const translation::Wanted wanted{.contact = first.contact,
                                     .law =
                                         [&](double at_mass, double speed) {
                                             laws::Contact contact = first.contact;
                                             contact.mass = at_mass;
                                             return laws::make(contact, cases.at(speed));
                                         },
                                     .speeds = result.speeds,
                                     .masses = result.masses,
                                     .yields = entry->family.starts_with("elastoplastic")};
    try {
        result.found = translation::translate(wanted, program);
    } catch (const ArgumentError& error) {
        throw InputError(fmt::format("--for: {}", error.what()));
    }
    return result;
}

}  // namespace beadwave::tasks
