// The law that the user writes.

#include "beadwave/laws/expression/settings.hpp"
#include "laws/catalogue/families.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/expression/program.hpp"

namespace beadwave::laws {
namespace {

AnyLaw make_expression(const Contact& c, const Settings& s) {
    const ExpressionProgram& program = expression_program(s);
    AnyLaw law = expression_law(program, c, s);
    check_expression_numbers(program, c, s);
    return law;
}

Parameter text_parameter(std::string_view name, std::string_view meaning) {
    return {
        .name = name, .unit = "-", .meaning = meaning, .number_allowed = false, .is_text = true};
}

std::vector<Parameter> expression_parameters_list() {
    Parameter force = text_parameter(
        "force",
        "the force as a formula in delta, delta_dot, delta_dot_0 (or ddot, v0), R, E, m, K and the "
        "names in law.parameters, in N");
    force.example_text = "K*delta^1.5*(1 + 0.2*delta_dot)";
    Parameter energy = text_parameter(
        "energy",
        "the stored energy as a formula, in J; \"integral\": the integral of the force at rate 0");
    energy.words = {"integral"};
    energy.standard_word = "integral";
    return {force, energy, impact_speed_parameter(), min_impact_speed_parameter(),
            separation_parameter("force")};
}

}  // namespace

std::vector<Entry> own_entries() {
    return {
        {.name = std::string(expression_name),
         .aliases = {},
         .family = "own",
         .equation = "F = the formula in `force`, delta > 0",
         .parameters = expression_parameters_list(),
         .separation = "zero force, without tension; with separation = \"gap\" zero overlap",
         .stored_energy = "the formula in `energy`; without it the integral of F at rate 0",
         .validity = "as the formula. It must be zero and finite at zero overlap, must not gain "
                     "energy from the rate and may pull at rate 0 only with separation = "
                     "\"gap\"; this is checked up to a tenth of R and 10 m/s",
         .source = "the user",
         .make = make_expression,
         .step_order = {.order = 2.0, .remark = "1 where the formula jumps, such as at closing"}}};
}

}  // namespace beadwave::laws
