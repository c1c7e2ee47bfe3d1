#include "fit/sandwich.hpp"

#include "fit/qr.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace beadwave::fit {
namespace {

/// The traces in units of their own root mean square.
std::vector<std::vector<double>> scaled(std::span<const TraceRows> traces) {
    std::vector<std::vector<double>> all;
    for (const TraceRows& trace : traces) {
        const std::vector<double>& r = trace.residual;
        const double square = std::inner_product(r.begin(), r.end(), r.begin(), 0.0);
        if (!(square > 0.0)) continue;
        const double scale = std::sqrt(static_cast<double>(r.size()) / square);
        all.emplace_back();
        for (const double one : r)
            all.back().push_back(scale * one);
    }
    return all;
}

/// y with R' y = x.
std::vector<double> solve_lower(const std::vector<double>& r, std::vector<double> x) {
    const std::size_t p = x.size();
    for (std::size_t i = 0; i < p; ++i) {
        for (std::size_t j = 0; j < i; ++j)
            x[i] -= r[j * p + i] * x[j];
        x[i] /= r[i * p + i];
    }
    return x;
}

/// (1 - S)^(-1/2) v, for a symmetric S with eigenvalues from 0 to 1.
std::vector<double> widened(const std::vector<double>& s, const std::vector<double>& v) {
    const std::size_t p = v.size();
    const SingularValues found = singular_values(s, p);
    constexpr double least = 0.01;  // a block that determines a parameter leaves it no residual
    std::vector<double> result = v;
    for (std::size_t k = 0; k < p; ++k) {
        const double left = std::max(1.0 - found.values[k], least);
        const double along = std::inner_product(v.begin(), v.end(), found.vectors[k].begin(), 0.0);
        for (std::size_t i = 0; i < p; ++i)
            result[i] += (1.0 / std::sqrt(left) - 1.0) * along * found.vectors[k][i];
    }
    return result;
}

/// Row k of R^-1 for each k.
std::vector<std::vector<double>> inverse_rows(const std::vector<double>& r, std::size_t p) {
    std::vector<std::vector<double>> rows(p, std::vector<double>(p));
    for (std::size_t j = 0; j < p; ++j) {
        std::vector<double> unit(p, 0.0);
        unit[j] = 1.0;
        const std::vector<double> column = solve_upper(r, unit);
        for (std::size_t i = 0; i < p; ++i)
            rows[i][j] = column[i];
    }
    return rows;
}

/// The sums over the blocks, parameter by parameter.
class Sums {
  public:
    explicit Sums(const std::vector<double>& r, std::size_t p)
        : influence_(inverse_rows(r, p)),
          variance_(p * p, 0.0),
          weight_(p, 0.0),
          squares_(p, 0.0) {}

    /// `score`: of the block, in the coordinates of Q; `share`: sum of the squares of q, p x p.
    void add(const std::vector<double>& score, const std::vector<double>& share, bool counted) {
        const std::size_t p = score.size();
        std::vector<double> moved(p);
        for (std::size_t k = 0; k < p; ++k) {
            moved[k] = std::inner_product(score.begin(), score.end(), influence_[k].begin(), 0.0);
            double part = 0.0;
            for (std::size_t i = 0; i < p; ++i) {
                for (std::size_t j = 0; j < p; ++j)
                    part += influence_[k][i] * share[i * p + j] * influence_[k][j];
            }
            weight_[k] += part;
            squares_[k] += counted ? part * part : 0.0;
        }
        for (std::size_t i = 0; i < p; ++i) {
            for (std::size_t j = 0; j < p; ++j)
                variance_[i * p + j] += moved[i] * moved[j];
        }
    }

    Sandwich result() const {
        Sandwich found{variance_, {}};
        // At the best values the scores of all blocks add up to zero: one is not free.
        for (std::size_t k = 0; k < weight_.size(); ++k)
            found.freedom.push_back(std::max(weight_[k] * weight_[k] / squares_[k] - 1.0, 1.0));
        return found;
    }

  private:
    std::vector<std::vector<double>> influence_;
    std::vector<double> variance_, weight_, squares_;
};

}  // namespace

double correlation_length(std::span<const TraceRows> traces) {
    const std::vector<std::vector<double>> all = scaled(traces);
    std::size_t longest = 0;
    for (const std::vector<double>& r : all)
        longest = std::max(longest, r.size());
    double length = 1.0;
    constexpr double window = 5.0;
    for (std::size_t lag = 1; lag < longest && static_cast<double>(lag) <= window * length; ++lag) {
        double products = 0.0, rows = 0.0;
        for (const std::vector<double>& r : all) {
            if (r.size() <= lag) continue;
            products += std::inner_product(r.begin() + static_cast<std::ptrdiff_t>(lag), r.end(),
                                           r.begin(), 0.0);
            rows += static_cast<double>(r.size());
        }
        if (rows > 0.0) length += 2.0 * products / rows;
    }
    return std::max(length, 1.0);
}

std::size_t block_rows(double correlation_length) {
    constexpr double lengths = 4.0;
    return static_cast<std::size_t>(std::ceil(lengths * correlation_length));
}

double between_blocks(double correlation_length, std::size_t block) {
    const double left_out = 0.5 * (correlation_length - 1.0 / correlation_length);
    return 1.0 / (1.0 - left_out / static_cast<double>(block));
}

std::vector<std::size_t> block_ends(std::span<const std::size_t> rows, std::size_t block) {
    std::vector<std::size_t> ends;
    std::size_t before = 0;
    for (const std::size_t count : rows) {
        const std::size_t blocks = std::max<std::size_t>(1, (count + block / 2) / block);
        for (std::size_t b = 1; b <= blocks && count > 0; ++b)
            ends.push_back(before + b * count / blocks);
        before += count;
    }
    return ends;
}

Sandwich sandwich(const Residuals& all, Loss loss, std::span<const std::size_t> ends, double factor,
                  std::span<const PriorRow> priors) {
    const std::size_t p = all.columns.size();
    std::vector<LossTerms> terms;
    for (const double residual : all.values)
        terms.push_back(loss_terms(loss, residual));
    std::vector<std::vector<double>> columns = all.columns;
    for (std::size_t k = 0; k < p; ++k) {
        for (std::size_t i = 0; i < terms.size(); ++i)
            columns[k][i] *= std::sqrt(terms[i].curve);
        for (const PriorRow& prior : priors)
            columns[k].push_back(prior[k]);
    }
    const std::vector<double> none(terms.size() + priors.size(), 0.0);
    const std::vector<double> r = qr_factorise(std::move(columns), none).r;
    Sums sums(r, p);
    std::size_t row = 0;
    std::vector<double> q(p);
    for (const std::size_t end : ends) {
        std::vector<double> score(p, 0.0), share(p * p, 0.0);
        for (; row < end; ++row) {
            for (std::size_t k = 0; k < p; ++k)
                q[k] = all.columns[k][row];
            q = solve_lower(r, std::move(q));
            for (std::size_t i = 0; i < p; ++i) {
                score[i] += std::sqrt(factor) * q[i] * terms[row].slope * all.values[row];
                for (std::size_t j = 0; j < p; ++j)
                    share[i * p + j] += terms[row].curve * q[i] * q[j];
            }
        }
        sums.add(widened(share, score), share, true);
    }
    for (const PriorRow& prior : priors) {
        q = solve_lower(r, prior);
        std::vector<double> share(p * p);
        for (std::size_t i = 0; i < p; ++i) {
            for (std::size_t j = 0; j < p; ++j)
                share[i * p + j] = q[i] * q[j];
        }
        sums.add(q, share, false);
    }
    return sums.result();
}

}  // namespace beadwave::fit
