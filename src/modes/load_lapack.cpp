// Loads the module that holds lapack/routines.cpp.

#include "base/load_module.hpp"
#include "modes/lapack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace beadwave::modes::lapack {
namespace {

const Routines& routines() {
    static const auto get = reinterpret_cast<GetRoutines>(
        load_module({"modes", BEADWAVE_LAPACK_FROM_PROGRAM, BEADWAVE_LAPACK_BUILT, routines_name}));
    return *get();
}

int size(std::size_t n) {
    return static_cast<int>(n);
}

void require(int status, const char* what) {
    if (status != 0)
        throw std::runtime_error(fmt::format("LAPACK: {} failed with status {}", what, status));
}

}  // namespace

void bidiagonal_values(std::vector<double>& diagonal, std::vector<double>& above) {
    require(routines().bidiagonal_values(size(diagonal.size()), diagonal.data(), above.data()),
            "dbdsqr");
}

std::vector<double> bidiagonal_vectors(std::vector<double>& diagonal, std::vector<double>& above) {
    std::vector<double> right(diagonal.size() * diagonal.size());
    require(routines().bidiagonal_vectors(size(diagonal.size()), diagonal.data(), above.data(),
                                          right.data()),
            "dbdsdc");
    return right;
}

std::vector<double> singular_values(std::vector<double> matrix, std::size_t n) {
    std::vector<double> values(n);
    require(routines().singular_values(size(n), matrix.data(), values.data()), "dgesvd");
    return values;
}

std::vector<double> hermitian(std::vector<Complex>& matrix, std::size_t n) {
    std::vector<double> values(n);
    require(routines().hermitian(size(n), matrix.data(), values.data()), "zheevd");
    return values;
}

std::vector<double> hermitian_values(std::vector<Complex>& matrix, std::size_t n) {
    std::vector<double> values(n);
    require(routines().hermitian_values(size(n), matrix.data(), values.data()), "zheevd");
    return values;
}

std::vector<double> symmetric(std::vector<double>& matrix, std::size_t n) {
    std::vector<double> values(n);
    require(routines().symmetric(size(n), matrix.data(), values.data()), "dsyevd");
    return values;
}

std::vector<double> banded_values(std::vector<double> band, std::size_t n, std::size_t width) {
    std::vector<double> values(n);
    require(routines().banded_values(size(n), size(width), band.data(), values.data()), "dsbev");
    return values;
}

Eigenpairs general(std::vector<double> matrix, std::size_t n) {
    std::vector<double> real(n), imaginary(n), columns(n * n);
    require(
        routines().general(size(n), matrix.data(), real.data(), imaginary.data(), columns.data()),
        "dgeev");
    Eigenpairs pairs;
    for (std::size_t k = 0; k < n; ++k) {
        pairs.values.emplace_back(real[k], imaginary[k]);
        // For a pair of conjugate values the first column has the real parts, the second one the
        // imaginary parts for Im > 0.
        const bool first = imaginary[k] > 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            const double* at = columns.data() + k * n + i;
            pairs.vectors.push_back(imaginary[k] == 0.0 ? Complex(*at)
                                    : first             ? Complex(at[0], at[n])
                                            : Complex(at[-static_cast<std::ptrdiff_t>(n)], -at[0]));
        }
    }
    return pairs;
}

BandFactors factors_of_band(const std::vector<double>& rows, std::size_t n, std::size_t width) {
    // By columns, below `width` rows that pivots fill.
    const std::size_t height = 3 * width + 1;
    BandFactors factors{.n = n, .width = width, .numbers = std::vector<double>(n * height)};
    factors.pivots.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t first = i < width ? 0 : i - width, last = std::min(i + width + 1, n);
        for (std::size_t j = first; j < last; ++j)
            factors.numbers[j * height + 2 * width + i - j] =
                rows[i * (2 * width + 1) + j + width - i];
    }
    const int status = routines().band_factors(size(n), size(width), factors.numbers.data(),
                                               factors.pivots.data());
    require(std::min(status, 0), "dgbtrf");
    return factors;
}

void solve(const BandFactors& factors, std::vector<double>& right) {
    require(routines().solve_band(size(factors.n), size(factors.width), factors.numbers.data(),
                                  factors.pivots.data(), right.data()),
            "dgbtrs");
}

bool solve_tridiagonal(std::vector<Complex>& below, std::vector<Complex>& diagonal,
                       std::vector<Complex>& above, std::vector<Complex>& right) {
    return routines().solve_tridiagonal(size(diagonal.size()), below.data(), diagonal.data(),
                                        above.data(), right.data()) == 0;
}

}  // namespace beadwave::modes::lapack
