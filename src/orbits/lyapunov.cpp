#include "orbits/lyapunov.hpp"

#include "base/random_numbers.hpp"
#include "orbits/starts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace beadwave::orbits {
namespace {

constexpr std::size_t enough_starts = 8, least_blocks = 48;

/// Gram and Schmidt's method on the columns of u over velocities times `time`, twice against
/// rounding. Sets the lengths, which are then 1.
void orthonormalise(Tangent& tangent, double time, std::vector<double>& length) {
    const std::size_t n = tangent.displacement.rows, k = tangent.displacement.columns;
    Matrix &u = tangent.displacement, &v = tangent.velocity;
    const auto product = [&](std::size_t a, std::size_t b) {
        double sum = 0.0;
        for (std::size_t i = 0; i < n; ++i)
            sum += u(i, a) * u(i, b) + time * time * v(i, a) * v(i, b);
        return sum;
    };
    const auto add = [&](std::size_t a, std::size_t b, double factor) {
        for (std::size_t i = 0; i < n; ++i) {
            u(i, b) += factor * u(i, a);
            v(i, b) += factor * v(i, a);
        }
    };
    for (std::size_t b = 0; b < k; ++b) {
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t a = 0; a < b; ++a)
                add(a, b, -product(a, b));
        length[b] = std::sqrt(product(b, b));
        add(b, b, 1.0 / length[b] - 1.0);
    }
}

double mean_of(const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

double variance_of(const std::vector<double>& all) {
    const double mean = mean_of(all);
    double sum = 0.0;
    for (const double x : all)
        sum += (x - mean) * (x - mean);
    return all.size() < 2 ? 0.0 : sum / static_cast<double>(all.size() - 1);
}

double median_of(std::vector<double> all) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::ranges::nth_element(all, middle);
    return *middle;
}

/// The means of one exponent over blocks of time [1/s], of one start.
using Blocks = std::vector<double>;

class Average {
  public:
    Average(PeriodMap& map, const LyapunovRequest& request)
        : map_(map),
          request_(request),
          count_(std::min(request.exponents, 2 * map.freedoms())),
          time_(request.period / (2.0 * std::numbers::pi)),
          uniform_(request.seed) {
        const auto starts = static_cast<std::int64_t>(request.starts);
        blocks_ = (static_cast<std::int64_t>(least_blocks) + starts - 1) / starts;
        blocks_ = std::clamp<std::int64_t>(request.periods, 1, std::max<std::int64_t>(blocks_, 3));
    }

    void add(State state) {
        Tangent tangent{Matrix(map_.freedoms(), count_), Matrix(map_.freedoms(), count_)};
        for (double& x : tangent.displacement.numbers)
            x = uniform_();
        for (double& x : tangent.velocity.numbers)
            x = uniform_() / time_;
        std::vector<double> length(count_);
        orthonormalise(tangent, time_, length);
        std::vector<Blocks> means(count_);
        advance(state, tangent, request_.transient, length);
        for (std::int64_t block = 0; block < blocks_; ++block) {
            const std::int64_t periods =
                request_.periods * (block + 1) / blocks_ - request_.periods * block / blocks_;
            const std::vector<double> sum = advance(state, tangent, periods, length);
            for (std::size_t k = 0; k < count_; ++k)
                means[k].push_back(sum[k] / (static_cast<double>(periods) * request_.period));
        }
        starts_.push_back(std::move(means));
    }

    Lyapunov result() const {
        std::vector<std::pair<double, double>> all;
        for (std::size_t k = 0; k < count_; ++k)
            all.emplace_back(mean_of(of_starts(k)), standard_error(k));
        std::ranges::stable_sort(all, std::greater<>(), [](const auto& one) { return one.first; });
        Lyapunov result{.largest_of_starts = of_starts(0),
                        .starts_differ = starts_differ(),
                        .least_overlap = least_overlap_,
                        .crossed_jump = crossed_jump_};
        for (const auto& [exponent, error] : all) {
            result.exponents.push_back(exponent);
            result.standard_errors.push_back(error);
        }
        return result;
    }

  private:
    std::vector<double> advance(State& state, Tangent& tangent, std::int64_t periods,
                                std::vector<double>& length) {
        const double step = request_.period / static_cast<double>(request_.steps);
        std::vector<double> sum(count_);
        for (std::int64_t period = 0; period < periods; ++period) {
            if (request_.stop && request_.stop()) throw std::runtime_error("interrupted");
            map_.run(state, step, request_.steps, &tangent);
            least_overlap_ = std::min(least_overlap_, map_.least_overlap());
            crossed_jump_ = crossed_jump_ || map_.crossed_jump();
            orthonormalise(tangent, time_, length);
            for (std::size_t k = 0; k < count_; ++k)
                sum[k] += std::log(length[k]);
            if (!std::isfinite(sum[0] + state.displacement[0]))
                throw std::runtime_error(
                    "the motion is not finite; more steps per period may help");
        }
        return sum;
    }

    std::vector<double> of_starts(std::size_t k) const {
        std::vector<double> means;
        for (const std::vector<Blocks>& one : starts_)
            means.push_back(mean_of(one[k]));
        return means;
    }

    /// The variance of a block about the mean of its own start.
    double variance_within(std::size_t k) const {
        std::vector<double> all;
        for (const std::vector<Blocks>& one : starts_)
            all.push_back(variance_of(one[k]));
        return mean_of(all);
    }

    double standard_error(std::size_t k) const {
        const auto starts = static_cast<double>(starts_.size());
        if (starts_.size() >= enough_starts) return std::sqrt(variance_of(of_starts(k)) / starts);
        double drift = 0.0;
        for (const std::vector<Blocks>& one : starts_) {
            const auto middle = one[k].begin() + static_cast<std::ptrdiff_t>(one[k].size() / 2);
            if (one[k].size() > 1)
                drift += mean_of({one[k].begin(), middle}) - mean_of({middle, one[k].end()});
        }
        return std::max(std::sqrt(variance_within(k) / (starts * static_cast<double>(blocks_))),
                        0.5 * std::fabs(drift) / starts);
    }

    /// Whether the mean of a start is farther from that of most than blocks of time explain. By
    /// chance six of its standard errors happen in fewer than one of ten thousand runs.
    bool starts_differ() const {
        if (starts_.size() < enough_starts || blocks_ < 3) return false;
        std::vector<double> variances;
        for (const std::vector<Blocks>& one : starts_)
            variances.push_back(variance_of(one[0]) / static_cast<double>(blocks_));
        const double least = 1e-3 / request_.period;
        const double far = std::max(6.0 * std::sqrt(median_of(std::move(variances))), least);
        const std::vector<double> means = of_starts(0);
        const double middle = median_of(means);
        return std::ranges::any_of(means,
                                   [&](double mean) { return std::fabs(mean - middle) > far; });
    }

    PeriodMap& map_;
    const LyapunovRequest& request_;
    std::size_t count_;
    double time_;
    Uniform uniform_;
    std::int64_t blocks_ = 1;
    std::vector<std::vector<Blocks>> starts_;  ///< start, exponent, block
    double least_overlap_ = INFINITY;
    bool crossed_jump_ = false;
};

}  // namespace

Lyapunov lyapunov(PeriodMap& map, const State& start, const LyapunovRequest& request) {
    Average average(map, request);
    for (State& each :
         starts_around(start, request.starts, request.spread, request.period, request.seed))
        average.add(std::move(each));
    return average.result();
}

}  // namespace beadwave::orbits
