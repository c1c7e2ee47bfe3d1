// Loads the module that holds ceres/minimise.cpp.

#include "base/load_module.hpp"
#include "fit/minimise.hpp"

#include <exception>
#include <stdexcept>

namespace beadwave::fit {

double QrFactors::sum_of_squares() const {
    double sum = remainder * remainder;
    for (const double residual : qt_residuals)
        sum += residual * residual;
    return sum;
}

std::vector<double> minimise(const LeastSquares& problem) {
    static const auto run = reinterpret_cast<ceres_module::Minimise>(load_module(
        {"fits", BEADWAVE_CERES_FROM_PROGRAM, BEADWAVE_CERES_BUILT, ceres_module::minimise_name}));
    std::exception_ptr error;
    LeastSquares guarded = problem;
    guarded.evaluate = [&](std::span<const double> x, bool derivatives, QrFactors& qr) {
        if (error) return false;
        try {
            return problem.evaluate(x, derivatives, qr);
        } catch (...) {
            error = std::current_exception();
            return false;
        }
    };
    guarded.enough = [&](std::span<const double> x, const QrFactors& qr) {
        return error || problem.enough(x, qr);
    };
    std::vector<double> best;
    const char* const wrong = run(&guarded, &best);
    if (error) std::rethrow_exception(error);
    if (wrong != nullptr) throw std::runtime_error(wrong);
    return best;
}

}  // namespace beadwave::fit
