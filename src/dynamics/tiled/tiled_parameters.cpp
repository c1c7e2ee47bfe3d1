#include "tiled_parameters.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

namespace beadwave::dynamics {
namespace {

bool same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// The law's fields, kick, push and mass of every contact and the bead to its right, and of what is
/// put behind the chain's end: a wall that nothing moves, or, if no contact reaches it, beads like
/// the last one, so that a uniform chain is uniform to the end.
class Source {
  public:
    Source(const chain::Chain& chain, double time_step)
        : chain_(chain), half_step_(0.5 * time_step), fields_(chain.contacts.columns().size()) {
        for (const chain::Load& load : chain.loads)
            loads_[load.bead] += load.force;
    }

    std::size_t columns() const { return fields_ + 3; }

    double operator()(std::size_t column, std::size_t i) const {
        const std::size_t n = chain_.beads();
        if (column < fields_) return chain_.contacts.columns()[column][std::min(i, n)];
        const std::size_t bead = std::min(i, n - 1);
        if (column == fields_) {
            const bool held = chain_.is_fixed(bead) || (i >= n && std::isfinite(chain_.gap[n]));
            return held ? 0.0 : half_step_ * (1.0 / chain_.mass[bead]);
        }
        if (column == fields_ + 1) return i < n ? push(i) : 0.0;
        return chain_.mass[bead];
    }

  private:
    double push(std::size_t i) const {
        const double weight = chain_.mass[i] * chain_.gravity;
        const auto load = loads_.find(i);
        return load == loads_.end() ? weight : weight + load->second;
    }

    const chain::Chain& chain_;
    double half_step_;
    std::size_t fields_;
    std::map<std::size_t, double> loads_;
};

}  // namespace

template <class Value>
StretchColumns::StretchColumns(std::size_t columns, std::size_t end, std::size_t longest_row,
                               Value value)
    : stretch_begin_(end), stretch_end_(end), right_begin_(end) {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < end;) {
        std::size_t stop = i + 1;
        const auto equal = [&] {
            for (std::size_t column = columns; column-- > 0;) {
                if (!same(value(column, i), value(column, stop))) return false;
            }
            return true;
        };
        while (stop < end && equal())
            ++stop;
        if (stop - i > longest) {
            longest = stop - i;
            stretch_begin_ = i;
            stretch_end_ = stop;
        }
        i = stop;
    }
    // A row must not reach over both ends of the stretch.
    if (longest < end && longest < 2 * longest_row) stretch_begin_ = stretch_end_ = end;
    const std::size_t left_end =
        stretch_begin_ == 0 ? 0 : std::min(stretch_begin_ + longest_row, end);
    if (stretch_end_ < end) right_begin_ = stretch_end_ - std::min(stretch_end_, longest_row);
    for (std::size_t column = 0; column < columns; ++column) {
        common_.push_back(stretch_begin_ < end ? value(column, stretch_begin_) : 0.0);
        Column& left = left_.emplace_back(left_end);
        for (std::size_t i = 0; i < left_end; ++i)
            left[i] = value(column, i);
        Column& right = right_.emplace_back(end - right_begin_);
        for (std::size_t i = right_begin_; i < end; ++i)
            right[i - right_begin_] = value(column, i);
    }
}

ParameterStore::ParameterStore(const chain::Chain& chain, double time_step, std::size_t end,
                               std::size_t longest_row)
    : time_step_(time_step),
      law_fields_(chain.contacts.columns().size()),
      law_and_bead_(law_fields_ + 3, end, longest_row, Source(chain, time_step)),
      gap_(1, end, longest_row,
           [&](std::size_t, std::size_t c) {
               return c <= chain.beads() ? chain.gap[c] : std::numeric_limits<double>::infinity();
           }),
      common_gap_(longest_row, *gap_.common(0)) {}

void ParameterStore::balance(std::size_t bead, double net_force) {
    const double push = law_and_bead_.at(law_fields_ + 1, bead);
    if (std::abs(push + net_force) <= 1e-15 * std::abs(push))
        law_and_bead_.set(law_fields_ + 1, bead, -net_force);
}

Parameters ParameterStore::row(std::size_t begin, std::size_t end) const {
    Parameters p{};
    p.time_step = time_step_;
    p.uniform = law_and_bead_.uniform(begin, end);
    const auto column = [&](std::size_t k) {
        return p.uniform ? law_and_bead_.common(k) : law_and_bead_.row(k, begin);
    };
    for (std::size_t k = 0; k < law_fields_; ++k)
        p.law[k] = column(k);
    p.kick = column(law_fields_);
    p.push = column(law_fields_ + 1);
    p.gap = gap_.uniform(begin, end) ? common_gap_.data() : gap_.row(0, begin);
    return p;
}

}  // namespace beadwave::dynamics
