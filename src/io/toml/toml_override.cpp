#include "io/toml/toml_override.hpp"

#include "base/trimmed.hpp"
#include "beadwave/input_error.hpp"
#include "io/toml/toml_text.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace beadwave::io {
namespace {

/// "segment.0.velocity" or "segment[0].velocity": three steps.
std::vector<std::string> steps_of(const std::string& key) {
    std::istringstream parts(key + ".");
    parts.exceptions(std::ios::badbit);  // missing memory is no end of the text
    std::vector<std::string> steps;
    for (std::string part; std::getline(parts, part, '.');) {
        const std::size_t bracket = part.find('[');
        steps.push_back(part.substr(0, bracket));
        if (bracket == std::string::npos) continue;
        const bool closed = part.ends_with(']');
        steps.push_back(closed ? part.substr(bracket + 1, part.size() - bracket - 2) : "");
    }
    return steps;
}

std::optional<std::size_t> index_of(std::string_view step) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    if (error != std::errc{} || end != step.data() + step.size()) return std::nullopt;
    return index;
}

/// The value as the only value of a TOML document; what is not TOML is a string.
toml::table parse_value(std::string_view text) {
    try {
        toml::table parsed = toml::parse(fmt::format("value = {}", text));
        if (parsed.size() == 1) return parsed;
    } catch (const toml::parse_error& error) {
        check_memory(error.description());  // otherwise it is not TOML: a string
    }
    toml::table bare;
    bare.insert("value", std::string(text));
    return bare;
}

class Override {
  public:
    Override(std::string_view setting, std::string_view option) : option_(option) {
        if (!is_utf8(setting)) {
            throw InputError(
                fmt::format("{} {}: must be text in UTF-8", option, shortened(one_line(setting))));
        }
        const std::size_t equals = setting.find('=');
        key_ = trimmed(setting.substr(0, equals));
        if (equals == std::string_view::npos || key_.empty()) {
            throw InputError(
                fmt::format("{} {}: must be key=value, for example --set law.name=hertz", option,
                            shortened(one_line(setting))));
        }
        value_ = trimmed(setting.substr(equals + 1));
        if (value_.empty()) fail("gives no value after the equals sign");
        steps_ = steps_of(key_);
        if (steps_.size() > most_key_parts) {
            fail(fmt::format("the key has more than {} parts", most_key_parts));
        }
        for (const std::string& step : steps_) {
            if (step.empty()) fail("the key has an empty part or an open bracket");
        }
    }

    Overridden apply(toml::table& table) const {
        toml::node* place = &table;
        std::string path;
        for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
            place = &step_into(*place, path, steps_[i]);
            path += (i == 0 ? "" : ".") + steps_[i];
        }
        const toml::table parsed = parse_value(value_);
        const toml::node& value = *parsed.get("value");
        // Copies, which have no source line.
        if (toml::table* parent = place->as_table()) {
            parent->insert_or_assign(steps_.back(), value);
            return {dotted_key(), *parent->get(steps_.back())};
        }
        toml::array& list = list_at(*place, path);
        const std::size_t index = checked(list, path, steps_.back());
        list.replace(list.cbegin() + static_cast<std::ptrdiff_t>(index), value);
        return {dotted_key(), *list.get(index)};
    }

  private:
    std::string dotted_key() const { return joined({steps_.begin(), steps_.end()}, "."); }

    toml::node& step_into(toml::node& parent, const std::string& path,
                          const std::string& step) const {
        if (toml::table* table = parent.as_table()) {
            if (!table->contains(step)) table->insert(step, toml::table{});
            return *table->get(step);
        }
        toml::array& list = list_at(parent, path);
        return *list.get(checked(list, path, step));
    }

    toml::array& list_at(toml::node& node, const std::string& path) const {
        if (!node.is_array()) fail(fmt::format("{} is {}, not a table", path, type_of(node)));
        return *node.as_array();
    }

    std::size_t checked(const toml::array& list, const std::string& path,
                        const std::string& step) const {
        const std::optional<std::size_t> index = index_of(step);
        if (!index)
            fail(fmt::format("{0} is a list: select an element by its number, for example {0}.0",
                             path));
        if (*index >= list.size()) {
            fail(fmt::format("there is no {}.{}: {} holds {}, counted from 0", path,
                             shortened(step), path, list.size()));
        }
        return *index;
    }

    [[noreturn]] void fail(std::string_view why) const {
        throw InputError(one_line(
            fmt::format("{} {} = {}: {}", option_, shortened(key_), shortened(value_), why)));
    }

    std::string_view option_;
    std::string key_;
    std::string value_;
    std::vector<std::string> steps_;
};

}  // namespace

Overridden apply_override(toml::table& table, const std::string& setting, std::string_view option) {
    return Override(setting, option).apply(table);
}

}  // namespace beadwave::io
