// Functions of one's own in formulas, given by the address of compiled code: "f(delta, delta_dot)".
// No scenario file can hold one, so the program that reads the scenario gives it before.
#pragma once

#include <cstddef>
#include <string>

namespace beadwave::laws {

/// The address of a function of any type.
using AnyFunction = void (*)();

/// A call of compiled code, on plain numbers. Its derivatives are central differences, which reach
/// 1e-5 of an argument; of a rate, which passes zero, at least 1e-7 [m/s].
struct FunctionCall {
    AnyFunction address = nullptr;  ///< double (*)(double, ...)
    unsigned arguments = 0;         ///< 1, 2 or 3
    unsigned rates = 0;             ///< bit k: argument k depends on the approach speed

    // Never inline: a copy compiled for one instruction set must not get into code for another.
    double operator()(double a) const;
    double operator()(double a, double b) const;
    double operator()(double a, double b, double c) const;
    /// How far differences reach about this place of an argument.
    double reach(std::size_t argument, double at) const;
};

/// Lets formulas call the code at this address by this name. It takes `arguments` doubles, 1 to 3,
/// and returns one. Equal arguments must give equal results, in any thread and at any time; it must
/// stay loaded as long as the process runs. Of several functions of one name, formulas that are
/// read later call the last. Throws ArgumentError for a name that formulas have already.
void add_formula_function(const std::string& name, AnyFunction address, unsigned arguments);

}  // namespace beadwave::laws
