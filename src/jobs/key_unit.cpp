// The unit of a key, in the form of H5MD.

#include "beadwave/laws/catalogue.hpp"
#include "jobs/keys.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::jobs {
namespace {

/// "segment.0.radius" and "segment.N.radius" give "segment.radius".
std::string without_numbers(const std::string& path) {
    std::string text;
    for (std::size_t from = 0; from <= path.size();) {
        const std::size_t to = std::min(path.find('.', from), path.size());
        const std::string part = path.substr(from, to - from);
        const bool number =
            part == "N" || part.find_first_not_of("0123456789") == std::string::npos;
        if (!number) text += (text.empty() ? "" : ".") + part;
        from = to + 1;
    }
    return text;
}

/// "kg/m^3" as "kg m-3"; "" for "-".
std::string h5md_unit(std::string_view unit) {
    std::string out;
    bool below = false;
    for (std::size_t at = 0; at < unit.size();) {
        const std::size_t end = std::min(unit.find_first_of(" /()", at), unit.size());
        const std::string_view factor = unit.substr(at, end - at);
        if (!factor.empty() && factor != "1" && factor != "-") {
            const std::size_t power = factor.find('^');
            const std::string_view exponent =
                power == std::string_view::npos ? "" : factor.substr(power + 1);
            out += fmt::format("{}{}{}{}", out.empty() ? "" : " ", factor.substr(0, power),
                               below ? "-" : "", below && exponent.empty() ? "1" : exponent);
        }
        below = below || (end < unit.size() && unit[end] == '/');
        at = end + 1;
    }
    return out;
}

/// That of a parameter of laws, if all laws that have it agree.
std::string_view unit_of_parameter(std::string_view name) {
    std::string_view unit;
    for (const laws::Entry& law : laws::catalogue()) {
        for (const laws::Parameter& parameter : law.parameters) {
            if (parameter.name != name) continue;
            if (!unit.empty() && unit != parameter.unit) return {};
            unit = parameter.unit;
        }
    }
    return unit;
}

/// "material.NAME.density" for "material.steel.density".
bool is_key(const std::string& path, const std::string& key) {
    const std::string name = "NAME.";
    const std::size_t free = path.find(name);
    if (free == std::string::npos) return without_numbers(path) == without_numbers(key);
    return key.starts_with(path.substr(0, free)) &&
           key.ends_with(path.substr(free + name.size() - 1));
}

}  // namespace

std::string key_unit(const std::string& key) {
    if (key.starts_with("law.")) return h5md_unit(unit_of_parameter(key.substr(4)));
    for (const ListedKey& each : listed_keys())
        if (is_key(each.path, key)) return h5md_unit(each.key.unit());
    return {};
}

}  // namespace beadwave::jobs
