// One key of an input file, written once: what its reader checks, and what `beadwave keys`, the
// tables of docs/SCENARIO*.md and the JSON schema for editors show.
#pragma once

#include "beadwave/laws/settings.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::io {

enum class Kind {
    number,
    whole,
    flag,  ///< true or false
    text,
    word,      ///< one of `words`
    material,  ///< the name of a [material.NAME]
    file,      ///< the path of a CSV file
    numbers,   ///< a list, as are the next four
    wholes,
    flags,
    texts,
    points,  ///< a list of [x, y]
    table,
    tables,       ///< [[name]]
    named_tables  ///< [name.NAME]
};

/// Old and new name of a key or a word. A new key with dots is one of the whole file.
using Renamed = std::vector<std::pair<std::string_view, std::string_view>>;

/// The members are set by the functions below, and by Table. What is special is compiled once, in
/// key.cpp: tables have hundreds of keys.
struct Key {
    static constexpr auto no_limit = std::numeric_limits<std::int64_t>();

    std::string_view name{};
    Kind kind = Kind::text;
    std::string_view meaning{};
    laws::Parameter limits{};  ///< unit and range of a number, or of each number of a list
    std::int64_t lowest = no_limit.min(), highest = no_limit.max();  ///< of a whole number
    std::vector<std::string> words{};
    bool required = false;
    std::string standard{};       ///< the value without the key, as TOML; empty: none
    std::string standard_text{};  ///< in words, if it is not the same in all scenarios
    std::string range_text{};     ///< the range in words, if the other members do not say it
    std::string expected{};       ///< what is allowed, for messages
    std::string given{};          ///< what to give, for the message of a missing key
    std::string section{};        ///< heading of this key and the following ones in the docs
    std::string same_as{};        ///< the key beside this one that takes the same keys
    std::string only_with{};      ///< the kind that this key belongs to
    bool or_word = false;         ///< a table that may also be one of `words`
    bool from_catalogue = false;  ///< a parameter of a law: `beadwave laws` shows it
    Renamed renamed_words{};
    std::vector<Key> children{};  ///< of a table
    Renamed renamed_children{};

    Key();
    Key(const Key&);
    Key(Key&&) noexcept;
    Key& operator=(const Key&);
    Key& operator=(Key&&) noexcept;
    ~Key();

    /// The key must be given. `what` replaces allowed() in the message of a missing key.
    Key& needed(std::string_view what = {});
    Key& optional();
    Key& expects(std::string_view text);
    Key& ranges(std::string_view text);
    Key& otherwise(std::string_view text);
    Key& under(std::string_view heading);
    Key& like(std::string_view key);
    Key& renamed(Renamed old_and_new);

    /// What a value must be, for messages: "a number above 0, in m".
    std::string allowed() const;
    /// What a list of `least` to `most` elements must be, for messages.
    std::string allowed(std::size_t least, std::size_t most) const;
    /// What one whole number must be, also one in a list, for messages.
    std::string allowed_whole() const;
    /// What to give if the key is missing.
    std::string wanted() const { return given.empty() ? allowed() : given; }

    // For people: the columns of a table of keys.
    std::string_view unit() const { return limits.unit; }
    std::string_view type() const;
    std::string range() const;
    /// `table`: the optional table of a key that is needed in it.
    std::string standard_in(std::string_view table) const;
};

/// ", in m"; empty for a unit "-".
std::string in_unit(std::string_view unit);

// Values of keys: what is the same for several names. A unit "-" means none.

Key of(Kind kind);
Key in_range(const laws::Parameter& limits);
Key any_number(std::string_view unit);
Key from_zero(std::string_view unit);
Key above_zero(std::string_view unit);
Key between(double lowest, double highest);
Key whole(std::int64_t lowest, std::int64_t highest = Key::no_limit.max());
Key words(std::vector<std::string> words);
Key words(std::initializer_list<std::string_view> words);
/// The name of a material.
Key material();
/// A list of three numbers; in the plane two are enough.
Key vector3(std::string_view unit);
/// A list of two numbers.
Key vector2(std::string_view unit);

Key named(std::string_view name, Key value, std::string_view meaning = {});
Key plain(std::string_view name, Kind kind, std::string_view meaning = {});

}  // namespace beadwave::io
