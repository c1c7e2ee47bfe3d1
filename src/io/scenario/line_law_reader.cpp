#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "io/scenario/law_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::io {
namespace {

std::vector<std::string> parameters_of_all_line_laws() {
    std::vector<std::string> names;
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        for (const laws::Parameter& parameter : entry.parameters) {
            if (std::ranges::find(names, parameter.name) == names.end())
                names.emplace_back(parameter.name);
        }
    }
    return names;
}

const laws::LineEntry& named_line_law(const TomlTable& table) {
    const std::string_view wanted = "a line law's name (beadwave laws lists all)";
    const std::string name = table.need(table.text("name", wanted), "name", wanted);
    if (const laws::LineEntry* entry = laws::find_line(name)) return *entry;
    if (laws::find(name) != nullptr) {
        table.fail("name",
                   "is not a law of line contacts, and these bodies have a length; a damping "
                   "factor is added to a line law: name = \"johnson\", damping = \"flores\"");
    }
    table.fail("name", fmt::format("no such line law{} (beadwave laws lists all)",
                                   did_you_mean(name, laws::known_line_names())));
}

}  // namespace

laws::Settings read_line_law(const TomlTable& root, std::vector<std::string>& warnings) {
    const TomlTable table = root.need(
        root.table("law"), "law", "[law] with the name of a line law (beadwave laws lists all)");
    const std::vector<std::string> parameters = parameters_of_all_line_laws();
    std::vector<std::string> known = {"name"};
    known.insert(known.end(), parameters.begin(), parameters.end());
    table.allow_only(known);

    const laws::LineEntry& law = named_line_law(table);
    laws::Settings settings{.name = law.name, .values = {}};
    for (const laws::Parameter& parameter : law.parameters) {
        settings.values.emplace(parameter.name, read_law_value(table, law.name, parameter));
    }
    for (const std::string& name : parameters) {
        if (!table.has(name)) continue;
        if (!settings.values.contains(name)) {
            warnings.push_back(
                fmt::format("{} has no effect: {} does not take it", table.key(name), law.name));
        } else if (settings.is("damping", "none") &&
                   (name == "restitution" || name == "impact_speed")) {
            warnings.push_back(
                fmt::format("{} has no effect: law.damping is \"none\"", table.key(name)));
        }
    }
    if (table.has("damping") && !settings.is("damping", "none") && !table.has("restitution")) {
        table.fail("restitution", "missing; law.damping needs a number above 0 up to 1");
    }
    return settings;
}

}  // namespace beadwave::io
