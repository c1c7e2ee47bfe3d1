// The routines of LAPACK that modes need. They are in a module that is loaded on demand.
//
// All matrices are stored by columns. A routine that does not converge throws std::runtime_error.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::modes::lapack {

using Complex = std::complex<double>;

/// Singular values of the upper bidiagonal matrix, descending, each with a small relative error
/// (dqds). `diagonal` (n) is replaced by them; `above` (n) is used up, its last number is not read.
void bidiagonal_values(std::vector<double>& diagonal, std::vector<double>& above);

/// As bidiagonal_values(), but returns the right singular vectors, one per row of the result.
std::vector<double> bidiagonal_vectors(std::vector<double>& diagonal, std::vector<double>& above);

/// Singular values of a real n x n matrix, descending.
std::vector<double> singular_values(std::vector<double> matrix, std::size_t n);

/// Eigenvalues of a Hermitian n x n matrix, ascending; the matrix is replaced by the eigenvectors,
/// one per column.
std::vector<double> hermitian(std::vector<Complex>& matrix, std::size_t n);

/// The eigenvalues alone, ascending; the matrix is used up.
std::vector<double> hermitian_values(std::vector<Complex>& matrix, std::size_t n);

/// As hermitian(), but for a real symmetric matrix.
std::vector<double> symmetric(std::vector<double>& matrix, std::size_t n);

/// Eigenvalues of a symmetric n x n matrix with `width` numbers below its diagonal, ascending.
/// `band`: by columns, from the diagonal downwards, width + 1 numbers each.
std::vector<double> banded_values(std::vector<double> band, std::size_t n, std::size_t width);

struct Eigenpairs {
    std::vector<Complex> values;
    std::vector<Complex> vectors;  ///< n numbers each, in the order of the values
};
/// Eigenvalues and eigenvectors of a real n x n matrix, in no order.
Eigenpairs general(std::vector<double> matrix, std::size_t n);

/// The factors of an n x n matrix with `width` numbers on each side of the diagonal.
struct BandFactors {
    std::size_t n = 0, width = 0;
    std::vector<double> numbers{};
    std::vector<int> pivots{};
};
/// `rows`: 2 width + 1 numbers of each row about its diagonal; those outside of the matrix are not
/// read. A matrix that is singular to the last digit has a zero among the factors.
BandFactors factors_of_band(const std::vector<double>& rows, std::size_t n, std::size_t width);
/// Replaces `right` by the solution.
void solve(const BandFactors& factors, std::vector<double>& right);

/// Solves a tridiagonal system; `right` is replaced by the solution. False if it is singular.
bool solve_tridiagonal(std::vector<Complex>& below, std::vector<Complex>& diagonal,
                       std::vector<Complex>& above, std::vector<Complex>& right);

/// What the module provides: the same functions, with LAPACK's status as their result.
struct Routines {
    int (*bidiagonal_values)(int n, double* diagonal, double* above);
    int (*bidiagonal_vectors)(int n, double* diagonal, double* above, double* right);
    int (*singular_values)(int n, double* matrix, double* values);
    int (*hermitian)(int n, Complex* matrix, double* values);
    int (*hermitian_values)(int n, Complex* matrix, double* values);
    int (*symmetric)(int n, double* matrix, double* values);
    int (*banded_values)(int n, int width, double* band, double* values);
    int (*general)(int n, double* matrix, double* real, double* imaginary, double* vectors);
    int (*band_factors)(int n, int width, double* numbers, int* pivots);
    int (*solve_band)(int n, int width, const double* numbers, const int* pivots, double* right);
    int (*solve_tridiagonal)(int n, Complex* below, Complex* diagonal, Complex* above,
                             Complex* right);
};
inline constexpr const char* routines_name = "beadwave_lapack";
using GetRoutines = const Routines* (*)();

}  // namespace beadwave::modes::lapack
