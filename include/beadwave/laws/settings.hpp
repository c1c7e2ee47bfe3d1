// The name of a law, and the values given to it.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace beadwave::laws {

/// One parameter of a law: what the catalogue shows, and what input is checked against.
struct Parameter {
    std::string_view name;
    std::string_view unit;  ///< "-" when dimensionless
    std::string_view meaning;
    double lowest = -std::numeric_limits<double>::infinity();
    double highest = std::numeric_limits<double>::infinity();
    bool lowest_allowed = true;             ///< false: strictly above `lowest`
    std::optional<double> standard = {};    ///< value when not given; none: must be given
    std::vector<std::string_view> words{};  ///< words accepted in place of a number
    std::string_view standard_word{};       ///< the word taken when not given
    bool number_allowed = true;
    std::optional<double> example = {};  ///< a usual value, where one must be given
    bool is_file = false;                ///< a file's path, neither a number nor one of `words`
    bool is_text = false;                ///< any text, which the law itself checks
    std::string_view example_text{};     ///< a usual text, where one must be given

    /// "a number above 0 and at most 1", "\"gap\" or \"force\"".
    std::string allowed() const;
    bool accepts(double value) const;
    bool accepts(std::string_view word) const;
    bool required() const { return !standard && standard_word.empty(); }
    /// A usual value as TOML, where one must be given; empty for a file. `otherwise`: without an
    /// example.
    std::string usual(double otherwise) const;
};

using Value = std::variant<double, std::string>;

/// Law name and checked values, with defaults filled in.
struct Settings {
    std::string name;  ///< the catalogue's own name, never an alias
    std::map<std::string, Value, std::less<>> values;
    /// By parameter, the text of the file that it names; a file that is not here is read from its
    /// path.
    std::map<std::string, std::string, std::less<>> file_texts{};

    double number(std::string_view parameter) const;
    bool is(std::string_view parameter, std::string_view word) const;
    /// A word that was given.
    const std::string& word(std::string_view parameter) const;
};

}  // namespace beadwave::laws
