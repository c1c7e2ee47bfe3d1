#include "orbits/tangent_rows.hpp"

#include "simd/clones.hpp"
#include "stepping/drift.hpp"

#include <algorithm>

namespace beadwave::orbits {
namespace {

BEADWAVE_CLONES void predict_row(std::size_t n, const double* __restrict change,
                                 const double* __restrict v, double* __restrict predicted) {
    for (std::size_t j = 0; j < n; ++j)
        predicted[j] = v[j] + change[j];
}

BEADWAVE_CLONES void set_row(std::size_t n, double k, const double* __restrict u,
                             double* __restrict out) {
    for (std::size_t j = 0; j < n; ++j)
        out[j] = k * u[j];
}

BEADWAVE_CLONES void add_row(std::size_t n, double k, const double* __restrict u,
                             double* __restrict out) {
    for (std::size_t j = 0; j < n; ++j)
        out[j] += k * u[j];
}

/// A bead between two others, without damping: most rows of most chains.
BEADWAVE_CLONES void kick_between(std::size_t n, const double* k, const double* __restrict left,
                                  const double* __restrict own, const double* __restrict right,
                                  double* __restrict change, double* __restrict v) {
    for (std::size_t j = 0; j < n; ++j) {
        const double c = k[0] * left[j] + k[1] * own[j] + k[2] * right[j];
        change[j] = c;
        v[j] += c;
    }
}

}  // namespace

TangentRows::TangentRows(const std::vector<Link>& links, const std::vector<std::size_t>& freedom,
                         std::vector<double> kick, bool damped, Tangent& tangent)
    : tangent_(tangent),
      kick_(std::move(kick)),
      damped_(damped),
      change_(tangent.velocity.rows, tangent.velocity.columns),
      predicted_(damped ? tangent.velocity.rows : 0, tangent.velocity.columns) {
    const std::size_t rows = kick_.size();
    std::vector<std::vector<std::size_t>> columns(rows);
    const auto at = [&](std::size_t body) { return body == none ? none : freedom[body]; };
    for (std::size_t i = 0; i < rows; ++i)
        columns[i].push_back(i);
    for (const Link& link : links) {
        const std::size_t a = at(link.first), b = at(link.second);
        if (a == none || b == none) continue;
        columns[a].push_back(b);
        columns[b].push_back(a);
    }
    row_.push_back(0);
    for (std::vector<std::size_t>& each : columns) {
        std::ranges::sort(each);
        each.erase(std::unique(each.begin(), each.end()), each.end());
        column_.insert(column_.end(), each.begin(), each.end());
        row_.push_back(column_.size());
    }
    stiffness_.resize(column_.size());
    damping_.resize(column_.size());
    const auto place = [&](std::size_t i, std::size_t j) {
        if (i == none || j == none) return none;
        const auto begin = column_.begin() + static_cast<std::ptrdiff_t>(row_[i]);
        const auto end = column_.begin() + static_cast<std::ptrdiff_t>(row_[i + 1]);
        return static_cast<std::size_t>(std::lower_bound(begin, end, j) - column_.begin());
    };
    for (const Link& link : links) {
        const std::size_t a = at(link.first), b = at(link.second);
        place_.push_back({place(a, a), place(a, b), place(b, a), place(b, b)});
    }
}

void TangentRows::set_values(const std::vector<Link>& links) {
    const auto add = [&](std::vector<double>& values, std::size_t link, double slope) {
        const auto& place = place_[link];
        if (place[0] != none) values[place[0]] -= slope;
        if (place[1] != none) values[place[1]] += slope;
        if (place[2] != none) values[place[2]] += slope;
        if (place[3] != none) values[place[3]] -= slope;
    };
    std::ranges::fill(stiffness_, 0.0);
    if (damped_) std::ranges::fill(damping_, 0.0);
    for (std::size_t k = 0; k < links.size(); ++k) {
        add(stiffness_, k, links[k].stiffness);
        if (damped_) add(damping_, k, links[k].damping);
    }
    for (std::size_t i = 0; i < kick_.size(); ++i) {
        for (std::size_t p = row_[i]; p < row_[i + 1]; ++p) {
            stiffness_[p] *= kick_[i];
            damping_[p] *= kick_[i];
        }
    }
}

void TangentRows::drift(double time_step) {
    const std::size_t n = change_.columns;
    for (std::size_t i = 0; i < kick_.size(); ++i) {
        stepping::drift(n, time_step, &change_(i, 0), &tangent_.velocity(i, 0),
                        &tangent_.displacement(i, 0));
        if (damped_) predict_row(n, &change_(i, 0), &tangent_.velocity(i, 0), &predicted_(i, 0));
    }
}

void TangentRows::init(const std::vector<Link>& links) {
    if (damped_) predicted_ = tangent_.velocity;
    const std::vector<double> before = tangent_.velocity.numbers;
    kick(links);
    tangent_.velocity.numbers = before;
}

void TangentRows::kick(const std::vector<Link>& links) {
    set_values(links);
    const std::size_t n = change_.columns;
    for (std::size_t i = 0; i < kick_.size(); ++i) {
        const std::size_t p = row_[i];
        double* const change = &change_(i, 0);
        double* const v = &tangent_.velocity(i, 0);
        const auto u = [&](std::size_t at) { return &tangent_.displacement(column_[at], 0); };
        if (!damped_ && row_[i + 1] - p == 3) {
            kick_between(n, &stiffness_[p], u(p), u(p + 1), u(p + 2), change, v);
            continue;
        }
        set_row(n, stiffness_[p], u(p), change);
        for (std::size_t q = p + 1; q < row_[i + 1]; ++q)
            add_row(n, stiffness_[q], u(q), change);
        for (std::size_t q = p; damped_ && q < row_[i + 1]; ++q) {
            if (damping_[q] != 0.0) add_row(n, damping_[q], &predicted_(column_[q], 0), change);
        }
        add_row(n, 1.0, change, v);
    }
}

}  // namespace beadwave::orbits
