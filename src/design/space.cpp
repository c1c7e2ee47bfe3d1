#include "design/space.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::design {

namespace {

/// The nearest of the sizes that a variable has; the value itself if it has none.
double nearest_size(const Variable& variable, double value) {
    const auto least = std::ranges::min_element(
        variable.available, {}, [&](double size) { return std::fabs(size - value); });
    return least == variable.available.end() ? value : *least;
}

double cube(double x) {
    return x * x * x;
}

/// What an unknown of a variable is linear in: its number; for a radius that the mass follows, the
/// cube. So a sum of masses is linear in the unknowns, and every step of a search can meet it.
double linear(const Variable& variable, double value) {
    return variable.density_kept ? cube(value) : value;
}

/// The place of a value in its variable's range, between 0 and 1.
double part_of_range(const Variable& variable, double value) {
    const double low = linear(variable, variable.low);
    return (linear(variable, value) - low) / (linear(variable, variable.high) - low);
}

}  // namespace

Space::Space(std::vector<Variable> variables, Numbers start)
    : variables_(std::move(variables)), start_(std::move(start)) {
    for (std::size_t v = 0; v < variables_.size(); ++v) {
        const Variable& own = variables_[v];
        const std::size_t count = own.equal       ? 1
                                  : own.symmetric ? (own.count() + 1) / 2
                                                  : own.count();
        for (std::size_t k = 0; k < count; ++k) {
            const double value = start_.of(own.kind)[own.first + k];
            Unknown unknown{.variable = v,
                            .beads = {own.first + k},
                            .low = own.low,
                            .high = own.high,
                            .start = part_of_range(own, value),
                            .start_value = value};
            if (own.equal) {
                for (std::size_t i = own.first + 1; i <= own.last; ++i)
                    unknown.beads.push_back(i);
            } else if (own.symmetric && own.last - k != own.first + k) {
                unknown.beads.push_back(own.last - k);
            }
            unknowns_.push_back(std::move(unknown));
        }
    }
}

std::vector<double> Space::start_point() const {
    std::vector<double> x;
    for (const Unknown& unknown : unknowns_)
        x.push_back(unknown.start);
    return x;
}

double Space::value(std::size_t unknown, double x) const {
    const Unknown& own = unknowns_[unknown];
    if (x == own.start) return own.start_value;
    if (x <= 0.0) return own.low;
    if (x >= 1.0) return own.high;
    const Variable& variable = variables_[own.variable];
    const double low = linear(variable, own.low), high = linear(variable, own.high);
    const double at = low + x * (high - low);
    const double value = std::clamp(variable.density_kept ? std::cbrt(at) : at, own.low, own.high);
    constexpr double rounding = 1e-14;
    const double size = nearest_size(variable, value);
    return std::fabs(value - size) <= rounding * std::fabs(size) ? size : value;
}

bool Space::has_sizes() const {
    return std::ranges::any_of(variables_,
                               [](const Variable& each) { return !each.available.empty(); });
}

std::vector<double> Space::rounded(std::span<const double> x) const {
    std::vector<double> rounded(x.begin(), x.end());
    for (std::size_t k = 0; k < rounded.size(); ++k) {
        const Variable& variable = variables_[unknowns_[k].variable];
        if (variable.available.empty()) continue;
        rounded[k] = part_of_range(variable, nearest_size(variable, value(k, x[k])));
    }
    return rounded;
}

Numbers Space::at(std::span<const double> x) const {
    return at(x, start_);
}

Numbers Space::at(std::span<const double> x, Numbers chain) const {
    Numbers numbers = std::move(chain);
    for (std::size_t k = 0; k < unknowns_.size(); ++k) {
        const Variable& variable = variables_[unknowns_[k].variable];
        const double own = value(k, x[k]);
        for (const std::size_t i : unknowns_[k].beads) {
            numbers.of(variable.kind)[i] = own;
            if (!variable.density_kept) continue;
            numbers.of(Kind::mass)[i] =
                start_.of(Kind::mass)[i] * cube(own / start_.of(Kind::radius)[i]);
        }
    }
    return numbers;
}

std::vector<double> Space::gradient(const Numbers& at, const Numbers& by_numbers) const {
    const auto slope = [&](Kind kind, std::size_t i) {
        const std::vector<double>& all = by_numbers.of(kind);
        return all.empty() ? 0.0 : all[i];
    };
    std::vector<double> gradient;
    for (const Unknown& unknown : unknowns_) {
        const Variable& variable = variables_[unknown.variable];
        double sum = 0.0;
        for (const std::size_t i : unknown.beads) {
            sum += slope(variable.kind, i);
            if (variable.density_kept)
                sum += slope(Kind::mass, i) * 3.0 * at.of(Kind::mass)[i] / at.of(Kind::radius)[i];
        }
        const double by = linear(variable, unknown.high) - linear(variable, unknown.low);
        const double own = at.of(variable.kind)[unknown.beads.front()];
        gradient.push_back(variable.density_kept ? sum * by / (3.0 * own * own) : sum * by);
    }
    return gradient;
}

double Space::sum(const Constraint& constraint, const Numbers& at) {
    double sum = 0.0;
    for (std::size_t i = constraint.first; i <= constraint.last; ++i)
        sum += at.of(constraint.kind)[i];
    return sum;
}

std::vector<double> Space::sum_gradient(const Constraint& constraint, const Numbers& at) const {
    Numbers by;
    by.of(constraint.kind).assign(at.of(constraint.kind).size(), 0.0);
    for (std::size_t i = constraint.first; i <= constraint.last; ++i)
        by.of(constraint.kind)[i] = 1.0;
    return gradient(at, by);
}

bool Space::changes(Kind kind, std::size_t first, std::size_t last) const {
    return std::ranges::any_of(variables_, [&](const Variable& each) {
        const bool same = each.kind == kind || (kind == Kind::mass && each.density_kept);
        return same && each.first <= last && first <= each.last;
    });
}

}  // namespace beadwave::design
