// A table of a scenario as rows: each key once, with unit, range, meaning and the member that it
// sets; between the rows, rules about several keys. The rows are read in their order.
#pragma once

#include "io/scenario/key_value.hpp"

#include <functional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace beadwave::io {

/// A table that sets the members of a T, whose own values are the defaults.
template <class T>
class Table {
  public:
    /// Reads one key of the table.
    using Read = std::function<void(const TomlTable&, const Key&, T&, Reading&)>;

    /// A key that sets `member`: a pointer to a member, or a function from T to a reference.
    template <class Member>
    Table& add(Key key, Member member) {
        T standards{};
        if (!key.required && key.standard.empty())
            key.standard = standard_of(key, std::invoke(member, standards));
        return row(std::move(key), [member](const TomlTable& table, const Key& its_key, T& target,
                                            Reading& reading) {
            read_value(table, its_key, std::invoke(member, target), reading);
        });
    }

    template <class Member>
    Table& add(std::string_view name, Key value, Member member, std::string_view meaning) {
        return add(named(name, std::move(value), meaning), member);
    }

    /// A key that a rule reads.
    Table& known(Key key) { return row(std::move(key), nullptr); }

    /// A key that is read in its own way.
    Table& row(Key key, Read read) {
        rows_.push_back({std::move(key), std::move(read)});
        return *this;
    }

    /// `check(table, target, reading)` runs after the rows above it.
    template <class Check>
    Table& rule(Check check) {
        return row({}, [check](const TomlTable& table, const Key&, T& target, Reading& reading) {
            check(table, target, reading);
        });
    }

    /// A table inside this one. Its member may be optional, or T itself.
    template <class Member, class M>
    Table& table(Key key, Member member, const Table<M>& rows) {
        take_children(key, rows);
        return row(std::move(key), [member, rows](const TomlTable& table, const Key& its_key,
                                                  T& target, Reading& reading) {
            auto inner = table.table(its_key.name);
            if (its_key.required) inner = table.need(std::move(inner), its_key);
            if (!inner) return;
            auto& place = std::invoke(member, target);
            if constexpr (is_optional<std::remove_cvref_t<decltype(place)>>) {
                rows.read(*inner, place.emplace(), reading);
            } else {
                rows.read(*inner, place, reading);
            }
        });
    }
    Table& table(Key key, const Table& rows) {
        return table(
            std::move(key), [](T& target) -> T& { return target; }, rows);
    }
    /// A table with one key.
    template <class Member>
    Table& table(std::string_view table_name, std::string_view name, Key value, Member member,
                 std::string_view meaning) {
        return table(plain(table_name, Kind::table),
                     Table().add(name, std::move(value), member, meaning));
    }

    /// [[name]]; one that is needed must not be empty.
    template <class M>
    Table& tables(Key key, std::vector<M> T::*member, const Table<M>& rows) {
        take_children(key, rows);
        return row(std::move(key), [member, rows](const TomlTable& table, const Key& its_key,
                                                  T& target, Reading& reading) {
            auto elements = table.tables(its_key.name);
            if (its_key.required) elements = table.need(std::move(elements), its_key);
            if (!elements) return;
            if (elements->empty() && its_key.required)
                table.fail(its_key.name, fmt::format("is empty; give {}", its_key.wanted()));
            for (const TomlTable& element : *elements)
                rows.read(element, (target.*member).emplace_back(), reading);
        });
    }

    /// Rows of another table, whose members are in `part` of T.
    template <class M, class Part>
    Table& include(const Table<M>& other, Part part) {
        for (const auto& [key, read] : other.rows_) {
            if (!read) {
                known(key);
                continue;
            }
            row(key, [read = read, part](const TomlTable& table, const Key& its_key, T& target,
                                         Reading& reading) {
                read(table, its_key, std::invoke(part, target), reading);
            });
        }
        renamed_.insert(renamed_.end(), other.renamed_.begin(), other.renamed_.end());
        return *this;
    }

    template <class Base>
    Table& include(const Table<Base>& other) {
        return include(other, [](T& target) -> Base& { return target; });
    }

    /// Further keys, which depend on the word of `kind`. They are read before the other rows,
    /// after `select(target, number of the word)`.
    Table& choose(Key kind, std::vector<Table> by_word,
                  std::function<void(T&, std::size_t)> select) {
        for (const Table& each : by_word)
            renamed_.insert(renamed_.end(), each.renamed_.begin(), each.renamed_.end());
        kind_ = std::move(kind);
        alternatives_ = std::move(by_word);
        select_ = std::move(select);
        return *this;
    }
    template <class... Ms>
    Table& choose(Key kind, std::variant<Ms...> T::*member, const Table<Ms>&... by_word) {
        return choose(
            std::move(kind),
            {Table().include(by_word,
                             [member](T& t) -> Ms& { return std::get<Ms>(t.*member); })...},
            [member](T& target, std::size_t chosen) {
                std::size_t i = 0;
                (void)((i++ == chosen && ((target.*member).template emplace<Ms>(), true)) || ...);
            });
    }
    /// The same without a kind: the first key of each alternative selects it.
    template <class... Ms>
    Table& choose(std::string_view missing, std::variant<Ms...> T::*member,
                  const Table<Ms>&... by_key) {
        return choose(Key{.meaning = missing}, member, by_key...);
    }

    Table& renamed(std::string_view old_name, std::string_view new_name) {
        renamed_.emplace_back(old_name, new_name);
        return *this;
    }

    /// Reads a table that has no other keys than these.
    void read(const TomlTable& table, T& target, Reading& reading) const {
        std::optional<std::size_t> chosen;
        if (!kind_.name.empty()) chosen = table.need(table.word(kind_), kind_);
        table.allow_only(names(chosen), renamed_);
        if (!alternatives_.empty() && !chosen) chosen = given(table);
        if (chosen) {
            select_(target, *chosen);
            alternatives_[*chosen].read_rows(table, target, reading);
        }
        read_rows(table, target, reading);
    }

    /// Reads only these keys.
    void read_rows(const TomlTable& table, T& target, Reading& reading) const {
        for (const auto& [key, read] : rows_) {
            if (read) read(table, key, target, reading);
        }
    }

    /// All keys, in the order in which they are shown.
    std::vector<Key> keys() const {
        std::vector<Key> keys;
        if (!kind_.name.empty()) keys.push_back(kind_);
        for (std::size_t i = 0; i < alternatives_.size(); ++i) {
            for (Key& key : alternatives_[i].keys()) {
                if (!kind_.name.empty()) {
                    key.only_with = kind_.words[i];
                } else if (key.required && key.name != alternatives_[i].rows_.front().key.name) {
                    key = std::move(key).otherwise(
                        fmt::format("needed with `{}`", alternatives_[i].rows_.front().key.name));
                }
                keys.push_back(std::move(key));
            }
        }
        for (const Row& row : rows_) {
            if (!row.key.name.empty()) keys.push_back(row.key);
        }
        return keys;
    }
    const Renamed& renamed() const { return renamed_; }

  private:
    template <class>
    friend class Table;
    struct Row {
        Key key;
        Read read;
    };

    template <class M>
    static void take_children(Key& key, const Table<M>& rows) {
        key.children = rows.keys();
        key.renamed_children = rows.renamed();
    }

    std::vector<std::string> names(std::optional<std::size_t> chosen) const {
        std::vector<std::string> names;
        if (!kind_.name.empty()) names.emplace_back(kind_.name);
        for (std::size_t i = 0; i < alternatives_.size(); ++i) {
            if (chosen && *chosen != i) continue;
            for (std::string& name : alternatives_[i].names({}))
                names.push_back(std::move(name));
        }
        for (const Row& row : rows_) {
            if (!row.key.name.empty()) names.emplace_back(row.key.name);
        }
        return names;
    }

    /// The alternative whose first key is given; the keys of the others must not be.
    std::size_t given(const TomlTable& table) const {
        std::optional<std::size_t> given;
        const auto first = [&](std::size_t i) { return alternatives_[i].rows_.front().key.name; };
        for (std::size_t i = 0; i < alternatives_.size(); ++i) {
            if (!table.has(first(i))) continue;
            if (given) {
                table.fail(first(i), fmt::format("is given in addition to {}; give one of the two",
                                                 first(*given)));
            }
            given = i;
        }
        if (!given) table.fail(first(0), kind_.meaning);
        for (std::size_t i = 0; i < alternatives_.size(); ++i) {
            for (const Row& row : alternatives_[i].rows_) {
                if (i != *given && !row.key.name.empty() && table.has(row.key.name)) {
                    table.fail(row.key.name,
                               fmt::format("belongs to {}, not to {}", first(i), first(*given)));
                }
            }
        }
        return *given;
    }

    std::vector<Row> rows_;
    Key kind_{};  ///< its name is empty if keys select the alternative; `meaning`: the message
    std::vector<Table> alternatives_;
    std::function<void(T&, std::size_t)> select_;
    Renamed renamed_;
};

}  // namespace beadwave::io
