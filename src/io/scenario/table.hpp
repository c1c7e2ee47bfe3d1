// A table of a scenario as rows: each key once, with unit, range, meaning and the member that it
// sets; between the rows, rules about several keys. The rows are read in their order.
#pragma once

#include "io/scenario/key_value.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace beadwave::io {

/// The rows of a table that sets the members of a T. T is known by the address of its objects, the
/// target, and a member by its place, the distance from there in bytes: so this code is compiled
/// once, not for each T.
class Rows {
  public:
    using Read = std::function<void(const TomlTable&, const Key&, void* target, Reading&)>;
    /// Makes an object in a member, and returns its address.
    using Make = void* (*)(void* member);
    /// Makes the object of the chosen alternative in a member; null: the alternatives set the
    /// target.
    using Select = void* (*)(void* member, std::size_t chosen);

    Rows();
    Rows(const Rows&);
    Rows(Rows&&) noexcept;
    Rows& operator=(const Rows&);
    Rows& operator=(Rows&&) noexcept;
    ~Rows();

    /// `standard`: the member in an object that has its defaults.
    void add(Key key, const MemberType& type, std::size_t place, const void* standard);
    void row(Key key, Read read);
    /// No `make`: the member is the object.
    void table(Key key, const Rows& inside, std::size_t place, Make make);
    void tables(Key key, const Rows& inside, std::size_t place, Make append);
    void include(const Rows& other, std::size_t place);
    void choose(Key kind, std::initializer_list<const Rows*> alternatives, std::size_t place,
                Select select);
    void rename(std::string_view old_name, std::string_view new_name);

    void read(const TomlTable& table, void* target, Reading& reading) const;
    void read_rows(const TomlTable& table, void* target, Reading& reading) const;
    std::vector<Key> keys() const;
    const Renamed& renamed() const { return renamed_; }

  private:
    struct Row;
    struct Choice;

    std::vector<std::string> names(std::optional<std::size_t> chosen) const;
    std::size_t given(const TomlTable& table) const;

    std::vector<Row> rows_;
    std::shared_ptr<const Choice> choice_;  ///< null: none
    Renamed renamed_;
};

/// A table that sets the members of a T, whose own values are the defaults.
template <class T>
class Table {
  public:
    /// A key that sets `member`: a pointer to a member, or a function from T to a reference.
    template <class Member>
    Table& add(Key key, Member member) {
        rows_.add(std::move(key), member_type<Type<Member>>(), place_of(member),
                  &at(standards(), member));
        return *this;
    }
    template <class Member>
    Table& add(std::string_view name, Key value, Member member, std::string_view meaning) {
        return add(named(name, std::move(value), meaning), member);
    }

    /// A key that a rule reads.
    Table& known(Key key) {
        rows_.row(std::move(key), nullptr);
        return *this;
    }

    /// A key that `take(table, key, target, reading)` reads.
    template <class Take>
    Table& row(Key key, Take take) {
        rows_.row(std::move(key), [take](const TomlTable& table, const Key& its_key, void* target,
                                         Reading& reading) {
            take(table, its_key, *static_cast<T*>(target), reading);
        });
        return *this;
    }

    /// `check(table, target, reading)` runs after the rows above it.
    template <class Check>
    Table& rule(Check check) {
        rows_.row({}, [check](const TomlTable& table, const Key&, void* target, Reading& reading) {
            check(table, *static_cast<T*>(target), reading);
        });
        return *this;
    }

    /// A table inside this one. Its member may be optional, or T itself.
    template <class Member, class M>
    Table& table(Key key, Member member, const Table<M>& rows) {
        if constexpr (std::same_as<Type<Member>, std::optional<M>>) {
            rows_.table(std::move(key), rows.rows_, place_of(member), [](void* its) -> void* {
                return &static_cast<std::optional<M>*>(its)->emplace();
            });
        } else {
            static_assert(std::same_as<Type<Member>, M>);
            rows_.table(std::move(key), rows.rows_, place_of(member), nullptr);
        }
        return *this;
    }
    Table& table(Key key, const Table& rows) {
        rows_.table(std::move(key), rows.rows_, 0, nullptr);
        return *this;
    }
    /// A table with one key.
    template <class Member>
    Table& table(std::string_view table_name, std::string_view name, Key value, Member member,
                 std::string_view meaning) {
        return table(plain(table_name, Kind::table),
                     Table().add(name, std::move(value), member, meaning));
    }

    /// [[name]]; one that is needed must not be empty.
    template <class C, class M>
    Table& tables(Key key, std::vector<M> C::*member, const Table<M>& rows) {
        rows_.tables(std::move(key), rows.rows_, place_of(member), [](void* its) -> void* {
            return &static_cast<std::vector<M>*>(its)->emplace_back();
        });
        return *this;
    }

    /// Rows of another table, whose members are in `part` of T.
    template <class M, class Part>
    Table& include(const Table<M>& other, Part part) {
        static_assert(std::same_as<Type<Part>, M>);
        rows_.include(other.rows_, place_of(part));
        return *this;
    }
    template <class Base>
    Table& include(const Table<Base>& other) {
        if constexpr (std::same_as<Base, T>)
            rows_.include(other.rows_, 0);
        else
            rows_.include(other.rows_, distance<Base>(standards()));
        return *this;
    }

    /// Further keys, which depend on the word of `kind`. They are read before the other rows, after
    /// the member got this word, or the alternative with its number.
    template <class Word, std::same_as<Table>... Tables>
    Table& choose(Key kind, Word T::*member, const Tables&... by_word) {
        rows_.choose(std::move(kind), {&by_word.rows_...}, place_of(member),
                     [](void* its, std::size_t chosen) -> void* {
                         *static_cast<Word*>(its) = static_cast<Word>(chosen);
                         return nullptr;
                     });
        return *this;
    }
    template <class... Ms>
    Table& choose(Key kind, std::variant<Ms...> T::*member, const Table<Ms>&... by_word) {
        rows_.choose(
            std::move(kind), {&by_word.rows_...}, place_of(member),
            [](void* its, std::size_t chosen) -> void* {
                auto& alternatives = *static_cast<std::variant<Ms...>*>(its);
                void* made = nullptr;
                std::size_t i = 0;
                (void)((i++ == chosen && (made = &alternatives.template emplace<Ms>(), true)) ||
                       ...);
                return made;
            });
        return *this;
    }
    /// Further keys without a kind: the first key of each alternative selects it.
    template <class... Ms>
    Table& choose(std::string_view missing, std::variant<Ms...> T::*member,
                  const Table<Ms>&... by_key) {
        return choose(plain({}, Kind::text, missing), member, by_key...);
    }
    template <std::same_as<Table>... Tables>
    Table& choose(std::string_view missing, const Tables&... by_key) {
        rows_.choose(plain({}, Kind::text, missing), {&by_key.rows_...}, 0, nullptr);
        return *this;
    }

    Table& renamed(std::string_view old_name, std::string_view new_name) {
        rows_.rename(old_name, new_name);
        return *this;
    }

    /// Reads a table that has no other keys than these.
    void read(const TomlTable& table, T& target, Reading& reading) const {
        rows_.read(table, &target, reading);
    }
    /// Reads only these keys.
    void read_rows(const TomlTable& table, T& target, Reading& reading) const {
        rows_.read_rows(table, &target, reading);
    }

    /// All keys, in the order in which they are shown.
    std::vector<Key> keys() const { return rows_.keys(); }
    const Renamed& renamed() const { return rows_.renamed(); }

  private:
    template <class>
    friend class Table;

    /// The object with the defaults.
    static T& standards() {
        static T standards{};
        return standards;
    }

    template <class M, class C>
    static M& at(T& object, M C::*member) {
        return object.*member;
    }
    template <class Function>
    static auto& at(T& object, Function function) {
        return function(object);
    }
    template <class Member>
    using Type = std::remove_reference_t<decltype(at(std::declval<T&>(), std::declval<Member>()))>;

    /// A pointer to a member is its place: GCC and Clang have the ABI that says so.
    template <class M, class C>
    static std::size_t place_of(M C::*member) {
        M T::*const own = member;
        return std::bit_cast<std::size_t>(own);
    }
    template <class Function>
    static std::size_t place_of(Function function) {
        return distance(function(standards()));
    }
    template <class M>
    static std::size_t distance(const M& member) {
        return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&member) -
                                        reinterpret_cast<const std::byte*>(&standards()));
    }

    Rows rows_;
};

}  // namespace beadwave::io
