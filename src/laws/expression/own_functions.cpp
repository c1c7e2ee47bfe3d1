#include "laws/expression/own_functions.hpp"

#include "beadwave/argument_error.hpp"
#include "laws/expression/parse.hpp"
#include "laws/expression/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// A hash of values at overlaps, speeds and numbers of other sizes.
std::uint64_t sampled(const FunctionCall& call) {
    constexpr std::array<double, 6> places{1e-7, 3e-6, 1e-4, 0.37, 2.0, 1e9};
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const double a : places) {
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
    const std::uint64_t hash = sampled(made.call);
    const std::scoped_lock lock(mutex);
    // Another function with equal samples is another one all the same.
    int twins = 0;
    for (OwnFunction& each : all()) {
        if (each.name != name || !each.identity.starts_with(fmt::format("{:016x}", hash))) continue;
        ++twins;
    }
    if (const OwnFunction* const last = all().empty() ? nullptr : &all().back();
        last != nullptr && last->name == name && last->call.address == address)
        return;
    made.identity = fmt::format("{:016x}.{}.{}", hash, arguments, twins);
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
