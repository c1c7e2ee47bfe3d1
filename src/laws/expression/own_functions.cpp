#include "laws/expression/own_functions.hpp"

#include "beadwave/argument_error.hpp"
#include "laws/expression/parse.hpp"
#include "laws/expression/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <mutex>

namespace beadwave::laws {
namespace {

std::mutex mutex;

std::deque<OwnFunction>& all() {
    static std::deque<OwnFunction> functions;  // in the order in which they were given
    return functions;
}

double called(const FunctionCall& call, double a, double b, double c) {
    return call.arguments == 1 ? call(a) : call.arguments == 2 ? call(a, b) : call(a, b, c);
}

/// A hash of values at numbers of all sizes from 1e-9 to 1e9, eight of each decade.
std::uint64_t sampled(const FunctionCall& call) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (int k = -72; k <= 72; ++k) {
        const double a = std::pow(10.0, k / 8.0);
        for (const double b : {-1.0, -1e-3, 0.0, 1e-3, 1.0}) {
            const auto bits = std::bit_cast<std::uint64_t>(called(call, a, b, 0.5 * a));
            for (int byte = 0; byte < 8; ++byte)
                hash = (hash ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3;
        }
    }
    return hash;
}

}  // namespace

double FunctionCall::operator()(double a) const {
    return reinterpret_cast<double (*)(double)>(address)(a);
}

double FunctionCall::operator()(double a, double b) const {
    return reinterpret_cast<double (*)(double, double)>(address)(a, b);
}

double FunctionCall::operator()(double a, double b, double c) const {
    return reinterpret_cast<double (*)(double, double, double)>(address)(a, b, c);
}

double FunctionCall::reach(std::size_t argument, double at) const {
    constexpr double part = 1e-5, least_rate = 1e-2;
    const bool is_rate = (rates >> argument & 1U) != 0;
    return part * (is_rate ? std::max(std::fabs(at), least_rate) : std::fabs(at)) + 1e-30;
}

void add_formula_function(const std::string& name, AnyFunction address, unsigned arguments) {
    if (address == nullptr)
        throw ArgumentError(fmt::format("the function {} has no address", name));
    if (arguments < 1 || arguments > 3) {
        throw ArgumentError(
            fmt::format("the function {} takes {} arguments; expected 1, 2 or 3", name, arguments));
    }
    if (!is_formula_name(name) || is_name_of_formulas(name)) {
        throw ArgumentError(
            fmt::format("\"{}\" cannot be the name of a function; expected a letter, then letters, "
                        "digits and _, "
                        "and no name that formulas have already",
                        name));
    }
    OwnFunction made{.name = name, .identity = {}, .call = {address, arguments, 0}};
    // Functions that are equal at all samples count as one.
    made.identity = fmt::format("{:016x}.{}", sampled(made.call), arguments);
    const std::scoped_lock lock(mutex);
    all().push_back(std::move(made));
}

const OwnFunction* own_function(std::string_view name) {
    const std::scoped_lock lock(mutex);
    const OwnFunction* last = nullptr;
    for (const OwnFunction& each : all())
        if (each.name == name) last = &each;
    return last;
}

std::vector<const OwnFunction*> own_functions() {
    const std::scoped_lock lock(mutex);
    std::vector<const OwnFunction*> last;
    for (const OwnFunction& each : all()) {
        std::erase_if(last, [&](const OwnFunction* before) { return before->name == each.name; });
        last.push_back(&each);
    }
    return last;
}

}  // namespace beadwave::laws
