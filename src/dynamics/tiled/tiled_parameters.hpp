// The parameters of a chain, arranged for vectors.
//
// An entry is a contact and the bead to its right. Equal entries are of one kind; the numbers of a
// kind are stored once. A row reads them in place if all its entries are of one kind, or if the
// kinds follow one another (as when all entries differ). For any other row the numbers are copied
// into columns of the thread.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/chain/small_index.hpp"
#include "simd/column.hpp"
#include "tiled_kernel.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace beadwave::dynamics {

/// One number per entry; on the longest stretch of equal numbers it is stored once.
class StretchColumn {
  public:
    /// value(i) is the number of entry i in [0, end).
    template <class Value>
    StretchColumn(std::size_t end, std::size_t longest_row, Value value);

    /// The numbers of a row of at most `longest_row` entries.
    const double* row(std::size_t begin, std::size_t end) const {
        if (uniform(begin, end)) return common_.data();
        return begin < stretch_begin_ ? left_.data() + begin
                                      : right_.data() + (begin - right_begin_);
    }
    double at(std::size_t i) const { return *row(i, i + 1); }

  private:
    bool uniform(std::size_t begin, std::size_t end) const {
        return begin >= stretch_begin_ && end <= stretch_end_;
    }

    std::size_t stretch_begin_, stretch_end_, right_begin_;
    simd::Column common_;  // one row of the stretch
    simd::Column left_, right_;
};

/// Columns of a thread for the parameters of one row.
class ParameterBuffer {
  public:
    ParameterBuffer(std::size_t columns, std::size_t longest_row);

    bool holds(std::size_t begin, std::size_t end) const { return begin >= begin_ && end <= end_; }
    void take(std::size_t begin, std::size_t end);
    /// Column k, from entry `first` on.
    double* column(std::size_t k, std::size_t first) {
        return store_.data() + k * stride_ + (first - begin_);
    }

  private:
    std::size_t columns_, stride_;
    simd::Column store_;               // empty until it is needed
    std::size_t begin_ = 0, end_ = 0;  // of the stored entries
};

class ParameterStore {
  public:
    /// Entries [0, end), in rows of at most `longest_row`. Contacts behind the last one never
    /// close.
    ParameterStore(const chain::Chain& chain, double time_step, std::size_t end,
                   std::size_t longest_row);

    /// If the contacts balance a load up to rounding, makes the balance exact. The load was
    /// computed with the scalar law, and vectors may round the static force differently.
    void balance(std::size_t bead, double net_force);

    ParameterBuffer buffer() const { return {kinds_.size(), longest_row_}; }

    /// Parameters of the row of entries [begin, end); valid until the buffer is used for another
    /// row.
    Parameters row(std::size_t begin, std::size_t end, ParameterBuffer& buffer) const;

    /// Entries [begin, end) that are all of one kind or, if they follow, of this one and the next.
    struct Stretch {
        std::size_t begin, end, kind;
        bool follow;
    };
    /// Calls function(stretch) for the parts of [begin, end).
    template <class Function>
    void for_stretches(std::size_t begin, std::size_t end, const Function& function) const {
        while (begin < end) {
            const std::size_t kind = kind_[begin];
            std::size_t stop = begin + 1;
            bool follow = false;
            if (const Run* const run = run_of(begin, stop); run != nullptr) {
                stop = std::min(run->end, end);
                follow = !run->alike;
            } else {
                while (stop < end && kind_[stop] == kind)
                    ++stop;
            }
            function(Stretch{std::exchange(begin, stop), stop, kind, follow});
        }
    }
    /// Field k of the law of each kind.
    const double* law_field(std::size_t k) const { return kinds_[k].data(); }
    /// Gaps of a row of at most `longest_row` entries.
    const double* gaps(std::size_t begin, std::size_t end) const { return gap_.row(begin, end); }
    double kick(std::size_t bead) const { return kinds_[law_fields_][kind_[bead]]; }
    void masses(std::size_t begin, std::size_t end, double* mass) const {
        const double* const of_kind = kinds_[law_fields_ + 2].data();
        for_stretches(begin, end, [&](const Stretch& s) {
            if (s.follow)
                std::copy_n(of_kind + s.kind, s.end - s.begin, mass + (s.begin - begin));
            else
                std::fill_n(mass + (s.begin - begin), s.end - s.begin, of_kind[s.kind]);
        });
    }

  private:
    /// Entries that are all of one kind, or whose kinds follow one another.
    struct Run {
        std::size_t begin, end;
        bool alike;
    };

    void add_run(const Run& run);
    const Run* run_of(std::size_t begin, std::size_t end) const;
    void spread(std::size_t begin, std::size_t end, ParameterBuffer& buffer) const;

    double time_step_;
    std::size_t law_fields_, longest_row_;
    std::vector<simd::Column>
        kinds_;               // the law's fields, kick, body force, mass: one number per kind
    chain::SmallIndex kind_;  // per entry
    std::vector<Run> runs_;   // long ones only, in order
    StretchColumn gap_;
};

}  // namespace beadwave::dynamics
