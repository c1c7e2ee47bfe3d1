// A table of the input, read with checks. Each error is an InputError that says where the value is,
// what was found and what is allowed.
#pragma once

#include "io/toml/key.hpp"
#include "io/toml/toml_fwd.hpp"
#include "scenario/origin.hpp"

#include <array>
#include <cstdint>
#include <memory>
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

    /// Throws for the first key that is not in `known`; for a renamed key the message has the new
    /// name.
    void allow_only(const std::vector<std::string>& known, const Renamed& renamed = {}) const;

    bool has(std::string_view name) const;
    bool has_text(std::string_view name) const;
    bool has_whole_number(std::string_view name) const;
    bool has_table(std::string_view name) const;
    std::vector<std::string> names() const;
    std::string key(std::string_view name) const;

    // Each function returns no value if the key is missing, and throws if its value has another
    // type or is out of range.

    std::optional<double> number(const Key& key) const;
    std::optional<std::int64_t> whole(const Key& key) const;
    std::optional<bool> flag(const Key& key) const;
    std::optional<std::string> text(const Key& key) const;
    /// The number of the word among `words`.
    std::optional<std::size_t> word(const Key& key) const;
    /// Lists with `least` to `most` elements, such as [0.0, 1.0, 0.0].
    std::optional<std::vector<double>> numbers(const Key& key, std::size_t least,
                                               std::size_t most) const;
    std::optional<std::vector<bool>> flags(const Key& key, std::size_t least,
                                           std::size_t most) const;
    std::optional<std::vector<std::string>> texts(const Key& key, std::size_t least,
                                                  std::size_t most) const;
    /// A list of points, such as [[0.0, 1.0], [2.0, 1.0]].
    std::optional<std::vector<std::array<double, 2>>> points(const Key& key) const;
    /// A list of any length of lists of so many numbers each; `wanted`: one of them, for messages.
    std::optional<std::vector<std::vector<double>>> lists(const Key& key, std::size_t numbers,
                                                          std::string_view wanted) const;
    /// A list of any length.
    std::optional<std::vector<std::int64_t>> wholes(const Key& key) const;
    std::optional<TomlTable> table(std::string_view name) const;
    /// [[name]], or a list of inline tables.
    std::optional<std::vector<TomlTable>> tables(std::string_view name) const;

    /// A table with one key: the table `name`, whose keys those of the table `name` of `over`
    /// replace. Both must be there.
    std::shared_ptr<const toml::table> merged(std::string_view name, const TomlTable& over) const;

    /// The value; throws if there is none.
    template <class T>
    T need(std::optional<T> value, const Key& key) const {
        if (!value) fail_missing(key);
        return *std::move(value);
    }
    double needed_number(const Key& key) const;

    [[noreturn]] void fail(std::string_view name, std::string_view message) const;

  private:
    [[noreturn]] void fail_missing(const Key& key) const;
    const toml::node* find(std::string_view name) const;
    /// The elements of the list that the key has, if it is given.
    std::optional<std::vector<const toml::node*>> elements(const Key& key, std::size_t least,
                                                           std::size_t most) const;
    /// Throws if the node does not have the `right` type.
    void check_type(const toml::node& node, bool right, std::string_view place,
                    std::string_view wanted) const;
    double number_at(const toml::node& node, std::string_view place, const Key& key) const;
    std::int64_t whole_at(const toml::node& node, std::string_view place, const Key& key) const;
    bool flag_at(const toml::node& node, std::string_view place) const;
    std::string text_at(const toml::node& node, std::string_view place,
                        std::string_view wanted) const;

    const toml::table* table_;
    std::string key_;
    const scenario::Origin* origin_;
};

}  // namespace beadwave::io
