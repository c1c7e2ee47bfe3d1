// The settings of the law "expression": the texts of its formulas, and parameters of any name.
#pragma once

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::laws {

/// The law whose force is a formula.
inline constexpr std::string_view expression_name = "expression";
/// Before the names of parameters among Settings::values: "parameters.k".
inline constexpr std::string_view expression_parameters = "parameters.";

/// A formula is wrong: what() has the column in its text.
struct ExpressionError : ArgumentError {
    ExpressionError(std::string which, const std::string& what)
        : ArgumentError(which + ": " + what), key(std::move(which)), fault(what) {}
    std::string key;    ///< "force", "energy" or "parameters.NAME"
    std::string fault;  ///< what() without it
};

/// Checks texts and names. Returns the parameters that no formula reads. Throws ExpressionError.
std::vector<std::string> check_expression(const Settings&);

}  // namespace beadwave::laws
