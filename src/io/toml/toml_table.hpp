// A table of the input, read with checks. Each error is an InputError that says where the value is,
// what was found and what is allowed.
#pragma once

#include "beadwave/laws/settings.hpp"
#include "scenario/origin.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::io {

/// "time" and "step" give "time.step".
std::string dotted(std::string_view table, std::string_view name);

/// A view: the table and the origin must outlive it.
class TomlTable {
  public:
    /// `key`: the dotted key of the table, empty for the whole file.
    TomlTable(const toml::table& table, std::string key, const scenario::Origin& origin)
        : table_(&table), key_(std::move(key)), origin_(&origin) {}

    /// Throws for the first key that is not in `known`; for a retired key the message names the new
    /// one.
    void allow_only(const std::vector<std::string>& known) const;

    bool has(std::string_view name) const { return table_->contains(name); }
    bool has_text(std::string_view name) const;
    bool has_whole_number(std::string_view name) const;
    bool has_table(std::string_view name) const;
    std::vector<std::string> names() const;
    std::string key(std::string_view name) const { return dotted(key_, name); }

    // Each function returns no value if the key is missing, and throws if its value has another
    // type or is out of range.

    std::optional<double> number(std::string_view name, const laws::Parameter& range) const;
    std::optional<std::int64_t> whole_number(std::string_view name, std::int64_t lowest,
                                             std::int64_t highest) const;
    std::optional<std::vector<std::int64_t>> whole_numbers(std::string_view name) const;
    /// A list of numbers, each in the range.
    std::optional<std::vector<double>> numbers(std::string_view name,
                                               const laws::Parameter& range) const;
    /// A list of `least` to `most` numbers, such as [0.0, 1.0, 0.0].
    std::optional<std::vector<double>> numbers(std::string_view name, std::size_t least,
                                               std::size_t most, std::string_view unit) const;
    std::optional<std::vector<bool>> flags(std::string_view name, std::size_t least,
                                           std::size_t most) const;
    std::optional<std::string> text(std::string_view name,
                                    std::string_view wanted = "a string") const;
    /// A list of strings.
    std::optional<std::vector<std::string>> texts(std::string_view name) const;
    std::optional<bool> flag(std::string_view name) const;
    std::optional<TomlTable> table(std::string_view name) const;
    /// [[name]], or a list of inline tables.
    std::optional<std::vector<TomlTable>> tables(std::string_view name) const;

    /// The value; throws if there is none. `wanted` says what to give.
    template <typename T>
    T need(std::optional<T> value, std::string_view name, std::string_view wanted) const {
        if (!value) fail(name, fmt::format("missing; give {}", wanted));
        return *std::move(value);
    }
    double needed_number(std::string_view name, const laws::Parameter& range) const {
        return need(number(name, range), name, range.allowed());
    }

    [[noreturn]] void fail(std::string_view name, std::string_view message) const {
        origin_->fail(key(name), message);
    }

  private:
    const toml::node* find(std::string_view name) const { return table_->get(name); }
    [[noreturn]] void wrong_type(std::string_view name, std::string_view wanted) const;

    const toml::table* table_;
    std::string key_;
    const scenario::Origin* origin_;
};

}  // namespace beadwave::io
