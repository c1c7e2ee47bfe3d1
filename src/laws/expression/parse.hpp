// The text of a formula.
//
//     sums, products, powers   + - * / ^ (or **), as usual; -a^b is -(a^b), a^b^c is a^(b^c)
//     conditions               < <= > >= == != && || !, which are 1 or 0; if(condition, yes, no)
//     functions                sqrt exp log tanh sin cos abs sign min max pow, and
//     own_functions.hpp
//
// Libraries were looked at: muParser evaluates one point at a time and has no derivative, exprtk
// and SymEngine are not packages of Debian 12, and Boost.Spirit would still leave the graph to us.
#pragma once

#include "laws/expression/formula.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::laws {

struct FormulaNames {
    /// The node of a name; none: there is no such name.
    std::function<std::optional<Formula::Node>(const std::string& name)> node;
    std::vector<std::string> known;  ///< for messages
};

/// Throws ArgumentError, such as "column 9: "dleta" is not known; did you mean "delta"?".
Formula::Node parse(std::string_view text, Formula&, const FormulaNames&);

/// Whether a name can be one of a parameter: a letter, then letters, digits and _; no function.
bool is_formula_name(std::string_view);

}  // namespace beadwave::laws
