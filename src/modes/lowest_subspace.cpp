#include "modes/lowest_subspace.hpp"

#include "base/random_numbers.hpp"
#include "modes/lapack.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace beadwave::modes {
namespace {

constexpr std::size_t width = panel_width;

Panel random_panel(const PanelProduct& product, std::size_t number) {
    Panel panel = product.zeros();
    for (std::size_t k = 0; k < product.size() * width; ++k)
        panel[k] = from_minus_one_to_one(
            splitmix64(splitmix64_step * (number * product.size() * width + k + 1)));
    return panel;
}

/// The sums of squares of eight vectors.
std::array<double, width> squares_of(const PanelProduct& product, const Panel& panel) {
    const std::span<const Panel> one(&panel, 1);
    const std::vector<double> all = product.products(one, one);
    std::array<double, width> squares;
    for (std::size_t j = 0; j < width; ++j)
        squares[j] = all[j * width + j];
    return squares;
}

/// Somewhat above the largest eigenvalue: eight runs of Lanczos' method, side by side.
double upper_bound(PanelProduct& product, const Stop& stop) {
    const std::size_t steps = std::min<std::size_t>(60, product.size());
    Panel now = random_panel(product, 0), next = product.zeros(), before = product.zeros();
    std::array<double, width> beta{};
    std::array<std::vector<double>, width> diagonal, beside;
    const std::size_t numbers = product.size() * width;
    const auto first = squares_of(product, now);
    for (std::size_t k = 0; k < numbers; ++k)
        now[k] /= std::sqrt(first[k % width]);
    std::array<bool, width> ended{};
    for (std::size_t step = 0; step < steps; ++step) {
        end_if(stop);
        product.apply(now, next);
        const std::vector<double> all = product.products({&now, 1}, {&next, 1});
        for (std::size_t k = 0; k < numbers; ++k) {
            const std::size_t j = k % width;
            next[k] -= all[j * width + j] * now[k] + beta[j] * before[k];
        }
        const auto squares = squares_of(product, next);
        for (std::size_t j = 0; j < width; ++j) {
            if (ended[j]) continue;
            diagonal[j].push_back(all[j * width + j]);
            beside[j].push_back(std::sqrt(squares[j]));
            ended[j] = !(beside[j].back() > 1e-10 * std::fabs(diagonal[j].front()));
        }
        for (std::size_t j = 0; j < width; ++j)
            beta[j] = ended[j] ? 0.0 : beside[j].back();
        for (std::size_t k = 0; k < numbers; ++k) {
            const std::size_t j = k % width;
            before[k] = now[k];
            now[k] = ended[j] ? 0.0 : next[k] / beta[j];
        }
    }
    double bound = 0.0;
    for (std::size_t j = 0; j < width; ++j) {
        const std::size_t n = diagonal[j].size();
        std::vector<double> matrix(n * n);
        for (std::size_t i = 0; i < n; ++i) {
            matrix[i * n + i] = diagonal[j][i];
            if (i + 1 < n) matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = beside[j][i];
        }
        const double largest = lapack::symmetric(matrix, n).back();
        const double residual = beside[j].back() * std::fabs(matrix[n * n - 1]);
        bound = std::max(bound, largest + residual);
    }
    return 1.02 * bound;
}

/// The iteration of one subspace.
class Iteration {
  public:
    Iteration(PanelProduct& product, std::size_t count, const Stop& stop)
        : product_(product), count_(count), stop_(stop), image_(product.zeros()) {}

    /// The degree at which the polynomial for `cut` grows from 1 at the cut to exp(growth) at
    /// `value`.
    double degree_for(double growth, double cut, double value) const {
        const double beyond = 2.0 * (cut - value) / (highest - cut);
        return growth / std::acosh(1.0 + std::max(beyond, 1e-12));
    }

    void filter(Panel& panel, int degree, double cut) {
        product_.filter(panel, degree, 0.5 * (highest + cut), 0.5 * (highest - cut),
                        [&] { end_if(stop_); });
    }

    /// The eigenvectors of the operator within the subspace.
    void project() {
        const std::size_t m = vectors.size() * width;
        orthonormalise();
        std::vector<double> matrix(m * m);
        for (std::size_t p = 0; p < vectors.size(); ++p) {
            end_if(stop_);
            product_.apply(vectors[p], image_);
            const std::vector<double> column = product_.products(vectors, {&image_, 1});
            for (std::size_t i = 0; i < m; ++i)
                std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                            matrix.begin() + static_cast<std::ptrdiff_t>(i * m + p * width));
        }
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < i; ++j)
                matrix[i * m + j] = matrix[j * m + i] =
                    0.5 * (matrix[i * m + j] + matrix[j * m + i]);
        }
        values = lapack::symmetric(matrix, m);
        combine_by_columns(matrix);
        set_residuals();
    }

    /// Whether this vector, if it is asked for, has a small residual.
    bool is_settled(std::size_t k) const { return k >= count_ || residuals[k] <= tolerance(k); }
    bool all_settled() const {
        for (std::size_t k = 0; k < count_; ++k)
            if (!is_settled(k)) return false;
        return true;
    }
    double tolerance(std::size_t k) const {
        return std::max(3e-6 * std::fabs(values[k]), 1e-13 * highest);
    }

    /// The largest residual of a vector asked for, over its tolerance.
    double worst() const {
        double worst = 0.0;
        for (std::size_t k = 0; k < count_; ++k)
            worst = std::max(worst, residuals[k] / tolerance(k));
        return worst;
    }

    /// Filters the panels that are not settled, and `more` new ones.
    void advance(std::size_t& next_number, std::size_t more) {
        const double cut = this->cut();
        double degree = 8.0;
        for (std::size_t k = 0; k < count_; ++k) {
            if (is_settled(k)) continue;
            const double growth = std::log(4.0 * residuals[k] / tolerance(k));
            degree = std::max(degree, degree_for(growth, cut, values[k]));
        }
        // The lowest must not grow so much that rounding hides the others.
        const double longest = 20.0 / (1.0 / degree_for(1.0, cut, std::min(values[0], 0.0)) -
                                       1.0 / degree_for(1.0, cut, values[count_ - 1]));
        degree = std::min(degree, std::max(longest, 8.0));
        const std::size_t last_panel = (count_ - 1) / width;
        bool rest = false;
        for (std::size_t p = 0; p < vectors.size(); ++p) {
            bool moves = false;
            for (std::size_t k = p * width; k < (p + 1) * width; ++k)
                moves = moves || !is_settled(k);
            if (p == last_panel) rest = moves;
            if (moves || (p > last_panel && rest))
                filter(vectors[p], static_cast<int>(std::ceil(degree)), cut);
        }
        for (std::size_t p = 0; p < more && (vectors.size() + 1) * width <= product_.size(); ++p) {
            vectors.push_back(random_panel(product_, next_number++));
            filter(vectors.back(), static_cast<int>(std::ceil(degree)), cut);
        }
    }

    /// Searches without the subspace for values below the highest one asked for. What is found is
    /// added to the subspace.
    bool is_complete(std::size_t number) {
        const double last = values[count_ - 1], cut = this->cut();
        Panel other = random_panel(product_, number);
        const double degree = std::max(
            8.0,
            std::min(degree_for(10.0, cut, last), degree_for(25.0, cut, std::min(values[0], 0.0))));
        without_subspace(other);
        filter(other, static_cast<int>(std::ceil(degree)), cut);
        without_subspace(other);
        Iteration alone(product_, width, stop_);
        alone.highest = highest;
        alone.vectors.push_back(std::move(other));
        alone.project();
        // Further copies of the last one have its value, to the square of the residuals.
        const double margin = std::max(2e-8 * std::fabs(last), 1e-13 * highest);
        if (alone.values[0] >= last - margin) return true;
        vectors.push_back(std::move(alone.vectors[0]));
        return false;
    }

    double highest = 0.0;
    std::vector<Panel> vectors;
    std::vector<double> values, residuals;

  private:
    /// A cut above the highest value asked for, even if that is part of a multiple eigenvalue.
    double cut() const {
        const double last = values[count_ - 1];
        const double above = last + std::max(0.05 * std::fabs(last), 1e-9 * highest);
        return std::min(std::max(values.back(), above), 0.5 * (last + highest));
    }

    void without_subspace(Panel& other) const {
        for (int round = 0; round < 2; ++round)
            product_.subtract(vectors, product_.products(vectors, {&other, 1}), other);
    }

    /// `matrix` has the new vectors' coefficients by columns, one after another.
    void combine_by_columns(const std::vector<double>& matrix) {
        const std::size_t m = vectors.size() * width;
        std::vector<double> factors(m * m);
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < m; ++j)
                factors[i * m + j] = matrix[j * m + i];
        }
        product_.combine(vectors, factors);
    }

    void orthonormalise() {
        const std::size_t m = vectors.size() * width;
        for (int round = 0; round < 5; ++round) {
            std::vector<double> gram = product_.products(vectors, vectors);
            std::vector<double> scale(m);
            for (std::size_t i = 0; i < m; ++i)
                scale[i] = 1.0 / std::sqrt(gram[i * m + i]);
            for (std::size_t i = 0; i < m; ++i) {
                for (std::size_t j = 0; j < m; ++j)
                    gram[i * m + j] *= scale[i] * scale[j];
            }
            const std::vector<double> squares = lapack::symmetric(gram, m);
            const double least = 1e-16 * squares.back();
            for (std::size_t j = 0; j < m; ++j) {
                const double root = std::sqrt(std::max(squares[j], least));
                for (std::size_t i = 0; i < m; ++i)
                    gram[j * m + i] *= scale[i] / root;
            }
            combine_by_columns(gram);
            if (round > 0 && squares.front() > 0.999) return;
        }
    }

    void set_residuals() {
        residuals.assign(values.size(), 0.0);
        for (std::size_t p = 0; p < vectors.size(); ++p) {
            end_if(stop_);
            product_.apply(vectors[p], image_);
            std::vector<double> diagonal(width * width);
            for (std::size_t j = 0; j < width; ++j)
                diagonal[j * width + j] = values[p * width + j];
            product_.subtract({&vectors[p], 1}, diagonal, image_);
            const auto squares = squares_of(product_, image_);
            for (std::size_t j = 0; j < width; ++j)
                residuals[p * width + j] = std::sqrt(squares[j]);
        }
    }

    PanelProduct& product_;
    std::size_t count_;
    const Stop& stop_;
    Panel image_;
};

}  // namespace

LowestSubspace find_lowest(PanelProduct& product, std::size_t count, double share,
                           const Stop& stop) {
    Iteration search(product, count, stop);
    search.highest = upper_bound(product, stop);
    const std::size_t panels = (count + std::max<std::size_t>(16, count / 2) + width - 1) / width;
    const double cut = search.highest * std::max(share, 1.0 / 400.0);
    const int degree = static_cast<int>(std::ceil(search.degree_for(8.0, cut, 0.0)));
    for (std::size_t p = 0; p < panels; ++p) {
        search.vectors.push_back(random_panel(product, p + 1));
        search.filter(search.vectors.back(), degree, cut);
    }
    search.project();
    std::size_t number = panels + 1;
    bool complete = false;
    double before = INFINITY;
    for (int round = 0; round < 60 && !complete; ++round) {
        if (!search.all_settled()) {
            // The subspace ends in a group of almost equal values: it must hold all of them.
            const double worst = search.worst();
            const bool stalls = worst > 0.3 * before;
            before = worst;
            search.advance(number, stalls ? panels / 4 + 1 : 0);
            search.project();
        } else if (complete = search.is_complete(number++); !complete) {
            search.project();
        }
    }
    return {.values = std::move(search.values),
            .residuals = std::move(search.residuals),
            .vectors = std::move(search.vectors),
            .highest = search.highest,
            .converged = complete};
}

}  // namespace beadwave::modes
