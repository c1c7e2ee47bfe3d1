// Standard errors that do not assume white noise: the sandwich estimator over blocks of rows.
//
// The best values are off by (J'J)^-1 times the sum of J_i r_i over the rows. White noise makes the
// variance of this sum s^2 J'J. Here it is the sum of squares over blocks of successive rows of a
// trace, which may correlate and differ in size within a block. The blocks are longer than the
// residuals correlate.
#pragma once

#include "fit/loss.hpp"
#include "fit/residual_checks.hpp"
#include "fit/residual_function.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::fit {

/// How many rows the residuals correlate over: 1 + 2 (rho_1 + rho_2 + ...), summed up to five times
/// the result (Madras and Sokal, J. Stat. Phys. 50 (1988) 109); 1 if they do not.
double correlation_length(std::span<const TraceRows> traces);

/// Rows per block: four correlation lengths.
std::size_t block_rows(double correlation_length);

/// The variance of a sum divided by the sum of the variances of its blocks, for noise whose
/// correlation falls by the same factor from row to row. Blocks of four correlation lengths leave
/// up to an eighth out: the correlation of the end of one with the start of the next.
double between_blocks(double correlation_length, std::size_t block);

/// Successive blocks: the end of each, as a number of rows from the first trace on. `rows`: of each
/// trace. No block contains rows of two traces.
std::vector<std::size_t> block_ends(std::span<const std::size_t> rows, std::size_t block);

/// One row of the least-squares problem that is no measurement: a prior, which counts as it is.
using PriorRow = std::vector<double>;

struct Sandwich {
    std::vector<double> covariance;  ///< p x p, of the parameters of the columns
    /// Degrees of freedom per parameter: one less than the number of blocks that determine it, as
    /// Satterthwaite counts them; at least 1.
    std::vector<double> freedom;
};

/// `all`: weighted residuals and derivatives; the columns are independent. Each block's sum is
/// divided by the root of the part of the noise that the fit left in it (Bell and McCaffrey, Survey
/// Methodology 28 (2002) 169). `factor`: of the variance of the blocks, see between_blocks().
Sandwich sandwich(const Residuals& all, Loss loss, std::span<const std::size_t> ends, double factor,
                  std::span<const PriorRow> priors);

}  // namespace beadwave::fit
