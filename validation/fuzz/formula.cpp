// The text of a formula: its graph, the tape and its values.
#include "beadwave/argument_error.hpp"
#include "laws/expression/parse.hpp"
#include "target.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace {

using beadwave::laws::Formula;

/// Evaluates the tape alone and in a batch, which must agree to the bit.
void evaluate(const beadwave::laws::Tape& tape, const std::vector<double>& slots) {
    using beadwave::laws::Tape;
    constexpr std::size_t width = 3;
    double one[Tape::most_registers], batch[Tape::most_registers * width];
    const auto set = [&](std::size_t at, double value) {
        one[at] = value;
        std::fill_n(batch + at * width, width, value);
    };
    for (const auto& [at, value] : {std::pair{0, 1e-6}, {1, -0.3}, {2, 1.0}})
        set(static_cast<std::size_t>(at), value);
    for (std::size_t k = 0; k < tape.slots; ++k)
        set(Tape::first_slot + k, slots[k]);
    for (std::size_t k = 0; k < tape.literals; ++k)
        set(tape.first_literal() + k, tape.literal[k]);
    beadwave::laws::run_tape(tape, one, 1, 1);
    beadwave::laws::run_tape(tape, batch, width, width);
    const double a = one[tape.result], b = batch[tape.result * width + 2];
    if (a != b && !(std::isnan(a) && std::isnan(b))) std::abort();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    try {
        Formula formula;
        const laws::FormulaNames names{
            [&](const std::string& name) -> std::optional<Formula::Node> {
                if (name == "delta") return formula.input(Formula::Input::overlap);
                if (name == "ddot") return formula.input(Formula::Input::approach_speed);
                if (name == "v0") return formula.input(Formula::Input::impact_speed);
                if (name == "k" || name == "R") return formula.constant(name, name == "R");
                return std::nullopt;
            },
            {"delta", "ddot", "v0", "k", "R"}};
        const std::string_view text(reinterpret_cast<const char*>(data), size);
        const Formula::Node root = laws::parse(text, formula, names);
        const laws::Compiled compiled = laws::tapes_of(formula, {root});
        evaluate(compiled.tapes[0], formula.values(compiled.slots, [](const std::string& name) {
            return name == "k" ? -2.0 : 1e-3;
        }));
    } catch (const ArgumentError&) {
        // allowed
    }
    return 0;
}
