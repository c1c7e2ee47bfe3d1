// The memory of all contacts: columns with a number for each entry.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "laws/tangential/slider.hpp"
#include "old_pairs.hpp"
#include "packing/contacts/contact_accounts.hpp"
#include "packing_kernel.hpp"
#include "simd/column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::packing {

/// The numbers of contacts that are kept from step to step.
struct KeptOfContacts {
    std::size_t normal_numbers = 0;      ///< of the normal law
    bool slides = false, rolls = false;  ///< tangential springs, and those of rolling and twisting
    /// The tangential force at the last step. The memory of other laws has all of it, but that of a
    /// slider with a dashpot does not tell the dashpot's part.
    bool tangential_force = false;
    /// Whether the works of contacts are kept, and the part of them that only walls have.
    bool works = false, rubs = false;
    bool pushes = false;  ///< whether work_push is kept where works are

    bool keeps(std::size_t work) const {
        if (work == work_push) return works && pushes;
        if (work >= work_on_wall) return rubs && (works || work == work_pressing);
        if (work == work_sliding) return works && (slides || rolls);
        if (work == work_rolling || work == work_twisting) return works && rolls;
        if (work >= work_given) return works;
        if (work >= work_torque) return works && rolls;
        return works && (rubs || !pushes) && (work < work_lever || slides);
    }
    /// Whether only the entries of walls use a column of Work.
    bool of_walls(std::size_t work) const {
        return work < work_torque ? pushes : work >= work_on_wall && work != work_push;
    }
};

class ContactMemory {
  public:
    /// Makes the memory of entries that never touched.
    void reset(const KeptOfContacts& kept, std::size_t entries);
    /// Becomes the memory of the entries of a new list, column by column, so that there is never
    /// twice the memory of all.
    void follow(const EntriesBefore& before, int threads);
    std::size_t entries() const { return entries_; }

    const simd::Column& normal_column(std::size_t k) const { return normal_[k]; }
    laws::AnyMemory normal(std::size_t entry) const;
    laws::SliderMemory<double> sliding(std::size_t entry) const { return of(sliding_, entry); }
    laws::SliderMemory<double> rolling(std::size_t entry) const { return of(rolling_, entry); }
    bool slides() const { return kept_.slides; }
    bool has_tangential_force() const { return !tangential_force_.empty(); }
    laws::Triple<double> tangential_force(std::size_t entry) const {  ///< [N]
        return {tangential_force_[0][entry], tangential_force_[1][entry],
                tangential_force_[2][entry]};
    }

    /// The number of an entry in a column of Work; 0: the column is not kept.
    double work(std::size_t column, std::size_t entry) const {
        return work_[column].size() == 0 ? 0.0 : work_[column][entry];
    }
    laws::Triple<double> work_triple(std::size_t column, std::size_t entry) const {
        return {work(column, entry), work(column + 1, entry), work(column + 2, entry)};
    }
    ContactSums sums(std::size_t entry) const {
        ContactSums all;
        each_sum(
            [&](double ContactSums::*sum, std::size_t column) { all.*sum = work(column, entry); });
        return all;
    }
    void set_sums(std::size_t entry, const ContactSums& all) {
        each_sum([&](double ContactSums::*sum, std::size_t column) {
            if (work_[column].size() != 0) work_[column][entry] = all.*sum;
        });
    }
    /// Sets the number of an entry in a column of Work, unless the column is not kept.
    void set_work(std::size_t column, std::size_t entry, double number) {
        if (work_[column].size() != 0) work_[column][entry] = number;
    }

    /// Gives a block's entries their columns. `last`: of an advance.
    void give(Entries& entries, bool last);

    /// Calls visit(name, column) for all columns.
    template <class Self, class Visit>
    static void each_column(Self& self, Visit visit) {
        for (std::size_t k = 0; k < self.normal_.size(); ++k)
            visit(fmt::format("memory_{}", k), self.normal_[k]);
        for (std::size_t k = 0; k < 4; ++k) {
            if (self.kept_.slides) visit(fmt::format("sliding_{}", k), self.sliding_[k]);
            if (self.kept_.rolls) visit(fmt::format("rolling_{}", k), self.rolling_[k]);
        }
        for (std::size_t k = 0; k < self.tangential_force_.size(); ++k)
            visit(fmt::format("tangential_force_{}", k), self.tangential_force_[k]);
        for (std::size_t k = 0; k < work_columns; ++k) {
            if (self.kept_.keeps(k)) visit(fmt::format("work_{}", k), self.work_[k]);
        }
    }
    std::vector<simd::Column*> columns();
    bool keeps_work(std::size_t column) const { return kept_.keeps(column); }
    /// Calls visit(column) for the columns of these entries that pairs of two particles use, and
    /// sets those that only walls use to null.
    template <class Visit>
    void each_column_between(Entries& e, Visit visit) const {
        const auto visit_kept = [&](double*& column) {
            if (column != nullptr) visit(column);
        };
        std::ranges::for_each(e.memory, visit_kept);
        std::ranges::for_each(e.sliding, visit_kept);
        std::ranges::for_each(e.rolling, visit_kept);
        for (std::size_t k = 0; k < work_columns; ++k) {
            if (kept_.of_walls(k)) e.work[k] = nullptr;
            visit_kept(e.work[k]);
        }
    }

    /// Makes zeros of these entries positive. The sign of the zeros of an open contact is that of
    /// its last products, and steps leave open contacts out at will.
    void drop_signs_of_zeros(std::size_t from, std::size_t end);

    /// Swaps what the laws remember, not what the pairs have done.
    void swap(std::size_t one, std::size_t two);

    // In mixed precision the tangential springs are elsewhere.
    void free_springs();
    /// Copies of them, for each_column(), until the next list.
    template <class SpringOf>
    void show_springs(std::size_t entries, SpringOf spring_of) const {
        if (!kept_.slides) return;
        for (simd::Column& column : sliding_)
            column = simd::Column(entries);
        for (std::size_t e = 0; e < entries; ++e) {
            const laws::SliderMemory<double> spring = spring_of(e);
            const double numbers[] = {spring.vector.x, spring.vector.y, spring.vector.z,
                                      spring.number};
            for (std::size_t k = 0; k < 4; ++k)
                sliding_[k][e] = numbers[k];
        }
    }

  private:
    template <class Visit>
    static void each_sum(Visit visit) {
        visit(&ContactSums::given, work_given);
        visit(&ContactSums::sliding, work_sliding);
        visit(&ContactSums::rolling, work_rolling);
        visit(&ContactSums::twisting, work_twisting);
    }
    using Four = std::array<simd::Column, 4>;
    static laws::SliderMemory<double> of(const Four& columns, std::size_t entry) {
        return {{columns[0][entry], columns[1][entry], columns[2][entry]}, columns[3][entry]};
    }

    KeptOfContacts kept_;
    std::size_t entries_ = 0;
    bool springs_elsewhere_ = false;
    std::vector<simd::Column> normal_;
    mutable Four sliding_;
    Four rolling_;
    std::vector<simd::Column> tangential_force_;  // three, or none
    std::array<simd::Column, work_columns> work_;
};

}  // namespace beadwave::packing
