// Loads the module that holds nlopt/search.cpp.

#include "base/load_module.hpp"
#include "beadwave/input_error.hpp"
#include "design/search.hpp"

#include <exception>
#include <stdexcept>

namespace beadwave::design {
namespace {

nlopt_module::Search loaded_search() {
#ifdef BEADWAVE_NLOPT_BUILT
    static const auto run = reinterpret_cast<nlopt_module::Search>(load_module(
        {"designs", BEADWAVE_NLOPT_FROM_PROGRAM, BEADWAVE_NLOPT_BUILT, nlopt_module::search_name}));
    return run;
#else
    throw InputError(
        "this beadwave was built without NLopt, which designs need; install it (Debian: "
        "libnlopt-dev) and build beadwave again");
#endif
}

}  // namespace

void check_search() {
    loaded_search();
}

void search(const Problem& problem) {
    const nlopt_module::Search run = loaded_search();
    std::exception_ptr error;
    Problem guarded = problem;
    guarded.evaluate = [&](std::span<const double> x) -> const Sample* {
        if (error) return nullptr;
        try {
            return problem.evaluate(x);
        } catch (...) {
            error = std::current_exception();
            return nullptr;
        }
    };
    const char* const wrong = run(&guarded);
    if (error) std::rethrow_exception(error);
    if (wrong != nullptr) throw std::runtime_error(wrong);
}

}  // namespace beadwave::design
