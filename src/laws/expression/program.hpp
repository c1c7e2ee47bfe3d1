// The formulas of a law's settings, compiled once, and the program's list of them.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/expression/expression.hpp"
#include "beadwave/laws/settings.hpp"
#include "laws/expression/formula.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::laws {

struct ExpressionProgram {
    std::string text;     ///< all that it was made of
    double number = 0.0;  ///< its name in laws: follows from the text alone
    Formula formula{};
    Tape force{};
    std::optional<Tape> energy{};
    std::vector<Formula::Node> slots{};
    ExpressionKind kind = ExpressionKind::elastic;
    std::vector<std::string> unused{};  ///< parameters that no formula reads
};

/// Whether formulas have this name for a number: "delta", "K".
bool is_name_of_formulas(std::string_view name);

/// The program of these settings. It exists as long as the process, because laws are values that
/// are copied anywhere. Throws ExpressionError.
const ExpressionProgram& expression_program(const Settings&);

/// The law of a contact; the numbers are not checked. The impact speed must be known, if the
/// formula reads it: throws ArgumentError.
AnyLaw expression_law(const ExpressionProgram&, const Contact&, const Settings&);

/// Checks the numbers of a law: the force is zero at closing and finite, pulls only if the settings
/// allow it, and makes no energy; the stored energy is its integral. Looks at overlaps up to a
/// tenth of the radius, within a sixth of that, and speeds up to 10 m/s. What was checked before is
/// not checked again. Throws ExpressionError.
void check_expression_numbers(const ExpressionProgram&, const Contact&, const Settings&);

}  // namespace beadwave::laws
