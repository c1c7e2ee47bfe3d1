#include "io/toml/toml_document.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/text_file.hpp"
#include "io/toml/toml_hints.hpp"
#include "io/toml/toml_override.hpp"
#include "io/toml/toml_text.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <string_view>

namespace beadwave::io {
namespace {

toml::table parse(const std::string& text, const std::string& file) {
    if (const int line = line_of_overlong_key(text)) {
        refuse_file(fmt::format("{}:{}", file, line),
                    fmt::format("a key of more than {} parts", most_key_parts));
    }
    try {
        return toml::parse(text);
    } catch (const toml::parse_error& error) {
        std::string_view what = error.description();
        check_memory(what);
        constexpr std::string_view prefix = "Error while parsing ";
        if (what.starts_with(prefix)) what.remove_prefix(prefix.size());
        refuse_file(
            fmt::format("{}:{}", file, error.source().begin.line),
            "not TOML: " + one_line(what) + toml_hint(text, error.source().begin.line, what));
    }
}

/// Records the lines of a value and of everything in it. Values of overrides have no line.
void record_places(const toml::node& value, const std::string& key, scenario::Origin& origin) {
    const auto line = static_cast<int>(value.source().begin.line);
    const toml::table* table = value.as_table();
    const toml::array* list = value.as_array();
    const bool of_tables = list != nullptr && !list->empty() && list->front().is_table();
    if (!key.empty())
        origin.set_place(key, line, table != nullptr || of_tables ? "" : excerpt(value));
    if (table != nullptr) {
        for (const auto& [name, child] : *table)
            record_places(child, dotted(key, name.str()), origin);
    }
    if (list == nullptr) return;
    std::size_t index = 0;
    for (const toml::node& element : *list) {
        const bool dots = element.is_table();
        record_places(element,
                      dots ? fmt::format("{}.{}", key, index) : fmt::format("{}[{}]", key, index),
                      origin);
        ++index;
    }
}

}  // namespace

TomlDocument load_toml(const std::filesystem::path& file, std::span<const std::string> overrides) {
    return parse_toml(read_text_file(file, "TOML"), file.string(), overrides);
}

TomlDocument parse_toml(std::string text, const std::string& name,
                        std::span<const std::string> overrides) {
    TomlDocument document{.table = {}, .origin = scenario::Origin(name), .text = std::move(text)};
    toml::table table = parse(document.text, name);
    if (table.empty()) refuse_file(name, "is empty: it gives no keys");
    for (const std::string& setting : overrides)
        apply_override(table, setting);
    if (!overrides.empty()) document.text = to_document(table);
    record_places(table, "", document.origin);
    document.table = std::make_shared<const toml::table>(std::move(table));
    return document;
}

TomlDocument variant_of(const TomlDocument& document, std::span<const std::string> settings) {
    TomlDocument variant{.table = {}, .origin = document.origin, .text = {}};
    toml::table table = *document.table;
    for (const std::string& setting : settings) {
        const Overridden now = apply_override(table, setting, "--vary");
        variant.origin.set_varied(now.key, excerpt(now.value));
    }
    variant.table = std::make_shared<const toml::table>(std::move(table));
    return variant;
}

}  // namespace beadwave::io
