// The only file that calls LAPACK: a module of its own, loaded on demand.

#include "modes/lapack.hpp"
#include "simd/column.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

using beadwave::modes::lapack::Complex;
using beadwave::modes::lapack::Routines;
using beadwave::simd::Column;

extern "C" {
void dbdsqr_(const char*, const int*, const int*, const int*, const int*, double*, double*, double*,
             const int*, double*, const int*, double*, const int*, double*, int*, std::size_t);
void dbdsdc_(const char*, const char*, const int*, double*, double*, double*, const int*, double*,
             const int*, double*, int*, double*, int*, int*, std::size_t, std::size_t);
void dgesvd_(const char*, const char*, const int*, const int*, double*, const int*, double*,
             double*, const int*, double*, const int*, double*, const int*, int*, std::size_t,
             std::size_t);
void zheevd_(const char*, const char*, const int*, Complex*, const int*, double*, Complex*,
             const int*, double*, const int*, int*, const int*, int*, std::size_t, std::size_t);
void dsbev_(const char*, const char*, const int*, const int*, double*, const int*, double*, double*,
            const int*, double*, int*, std::size_t, std::size_t);
void dsyevd_(const char*, const char*, const int*, double*, const int*, double*, double*,
             const int*, int*, const int*, int*, std::size_t, std::size_t);
void dgeev_(const char*, const char*, const int*, double*, const int*, double*, double*, double*,
            const int*, double*, const int*, double*, const int*, int*, std::size_t, std::size_t);
void dgbtrf_(const int*, const int*, const int*, const int*, double*, const int*, int*, int*);
void dgbtrs_(const char*, const int*, const int*, const int*, const int*, const double*, const int*,
             const int*, double*, const int*, int*, std::size_t);
void zgtsv_(const int*, const int*, Complex*, Complex*, Complex*, Complex*, const int*, int*);
}

namespace {

std::size_t square(int n) {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
}

/// Numbers on a cache-line boundary, copied in and back: some builds of BLAS round differently
/// where numbers are differently aligned, and where malloc() puts them is chance.
template <class Number>
class Aligned {
  public:
    Aligned(Number* numbers, std::size_t count)
        : numbers_(numbers), count_(count), copy_(count * per_number) {
        std::copy_n(numbers, count, data());
    }
    /// Aligned numbers that are not copied back.
    explicit Aligned(std::size_t count)
        : numbers_(nullptr), count_(count), copy_(count * per_number) {}
    ~Aligned() {
        if (numbers_ != nullptr) std::copy_n(data(), count_, numbers_);
    }
    Aligned(const Aligned&) = delete;
    Aligned& operator=(const Aligned&) = delete;

    Number* data() { return reinterpret_cast<Number*>(copy_.data()); }

  private:
    static constexpr std::size_t per_number = sizeof(Number) / sizeof(double);

    Number* numbers_;
    std::size_t count_;
    Column copy_;
};

int bidiagonal_values(int n, double* diagonal, double* above) {
    std::vector<double> work(8 * static_cast<std::size_t>(n));
    const int none = 0, one = 1;
    int info = 0;
    dbdsqr_("U", &n, &none, &none, &none, diagonal, above, nullptr, &one, nullptr, &one, nullptr,
            &one, work.data(), &info, 1);
    return info;
}

int bidiagonal_vectors(int n, double* diagonal, double* above, double* right) {
    Aligned<double> left(square(n)), work(3 * square(n) + 4 * static_cast<std::size_t>(n)),
        vectors(square(n));
    std::vector<int> integers(8 * static_cast<std::size_t>(n));
    int info = 0;
    dbdsdc_("U", "I", &n, diagonal, above, left.data(), &n, vectors.data(), &n, nullptr, nullptr,
            work.data(), integers.data(), &info, 1, 1);
    // Rows of a matrix stored by columns.
    const auto size = static_cast<std::size_t>(n);
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t column = 0; column < size; ++column)
            right[row * size + column] = vectors.data()[column * size + row];
    }
    return info;
}

int singular_values(int n, double* matrix, double* values) {
    const int length = 8 * n + 16, one = 1;
    Aligned<double> own(matrix, square(n)), work(static_cast<std::size_t>(length));
    int info = 0;
    dgesvd_("N", "N", &n, &n, own.data(), &n, values, nullptr, &one, nullptr, &one, work.data(),
            &length, &info, 1, 1);
    return info;
}

/// `job`: "V" for eigenvectors too, "N" for eigenvalues alone.
int hermitian_by(const char* job, int n, Complex* matrix, double* values) {
    const std::size_t size = static_cast<std::size_t>(n), blocks = 34 * size;
    Aligned<Complex> own(matrix, square(n)), work(std::max(2 * size + square(n), blocks));
    Aligned<double> real_work(1 + 5 * size + 2 * square(n));
    std::vector<int> integers(3 + 5 * size);
    const auto length = [](std::size_t count) {
        return static_cast<int>(std::min<std::size_t>(count, 2'147'483'647));
    };
    const int work_length = length(std::max(2 * size + square(n), blocks)),
              real_length = length(1 + 5 * size + 2 * square(n)),
              integer_length = length(integers.size());
    int info = 0;
    zheevd_(job, "L", &n, own.data(), &n, values, work.data(), &work_length, real_work.data(),
            &real_length, integers.data(), &integer_length, &info, 1, 1);
    return info;
}

int hermitian(int n, Complex* matrix, double* values) {
    return hermitian_by("V", n, matrix, values);
}

int hermitian_values(int n, Complex* matrix, double* values) {
    return hermitian_by("N", n, matrix, values);
}

int banded_values(int n, int width, double* band, double* values) {
    const int rows = width + 1, one = 1;
    const std::size_t size = static_cast<std::size_t>(n);
    Aligned<double> own(band, size * static_cast<std::size_t>(rows)), work(3 * size);
    int info = 0;
    dsbev_("N", "L", &n, &width, own.data(), &rows, values, nullptr, &one, work.data(), &info, 1,
           1);
    return info;
}

int symmetric(int n, double* matrix, double* values) {
    const std::size_t size = static_cast<std::size_t>(n), length = 1 + 6 * size + 2 * square(n);
    Aligned<double> own(matrix, square(n)), work(length);
    std::vector<int> integers(3 + 5 * size);
    const int work_length = static_cast<int>(std::min<std::size_t>(length, 2'147'483'647));
    const int integer_length = static_cast<int>(integers.size());
    int info = 0;
    dsyevd_("V", "L", &n, own.data(), &n, values, work.data(), &work_length, integers.data(),
            &integer_length, &info, 1, 1);
    return info;
}

int general(int n, double* matrix, double* real, double* imaginary, double* vectors) {
    const int length = 34 * n, one = 1;
    Aligned<double> own(matrix, square(n)), found(vectors, square(n)),
        work(static_cast<std::size_t>(length));
    int info = 0;
    dgeev_("N", "V", &n, own.data(), &n, real, imaginary, nullptr, &one, found.data(), &n,
           work.data(), &length, &info, 1, 1);
    return info;
}

std::size_t band_size(int n, int width) {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(3 * width + 1);
}

int band_factors(int n, int width, double* numbers, int* pivots) {
    const int rows = 3 * width + 1;
    Aligned<double> own(numbers, band_size(n, width));
    int info = 0;
    dgbtrf_(&n, &n, &width, &width, own.data(), &rows, pivots, &info);
    return info;
}

int solve_band(int n, int width, const double* numbers, const int* pivots, double* right) {
    const int rows = 3 * width + 1, one = 1;
    Aligned<double> factors(band_size(n, width)), own(right, static_cast<std::size_t>(n));
    std::copy_n(numbers, band_size(n, width), factors.data());
    int info = 0;
    dgbtrs_("N", &n, &width, &width, &one, factors.data(), &rows, pivots, own.data(), &n, &info, 1);
    return info;
}

int solve_tridiagonal(int n, Complex* below, Complex* diagonal, Complex* above, Complex* right) {
    const int one = 1;
    int info = 0;
    zgtsv_(&n, &one, below, diagonal, above, right, &n, &info);
    return info;
}

}  // namespace

extern "C" const Routines* beadwave_lapack() {
    static constexpr Routines routines{.bidiagonal_values = bidiagonal_values,
                                       .bidiagonal_vectors = bidiagonal_vectors,
                                       .singular_values = singular_values,
                                       .hermitian = hermitian,
                                       .hermitian_values = hermitian_values,
                                       .symmetric = symmetric,
                                       .banded_values = banded_values,
                                       .general = general,
                                       .band_factors = band_factors,
                                       .solve_band = solve_band,
                                       .solve_tridiagonal = solve_tridiagonal};
    return &routines;
}
