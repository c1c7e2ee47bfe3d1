#include "contact_memory.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::packing {

using simd::Column;

void ContactMemory::reset(const KeptOfContacts& kept, std::size_t entries) {
    *this = {};
    kept_ = kept;
    entries_ = entries;
    for (std::size_t k = 0; k < kept.normal_numbers; ++k)
        normal_.emplace_back(entries);
    for (std::size_t k = 0; k < 4; ++k) {
        if (kept.slides) sliding_[k] = Column(entries);
        if (kept.rolls) rolling_[k] = Column(entries);
    }
    for (std::size_t k = 0; kept.tangential_force && k < 3; ++k)
        tangential_force_.emplace_back(entries);
    for (std::size_t k = 0; k < work_columns; ++k) {
        if (kept.keeps(k)) work_[k] = Column(entries);
    }
}

laws::AnyMemory ContactMemory::normal(std::size_t entry) const {
    laws::AnyMemory memory{};
    for (std::size_t k = 0; k < normal_.size(); ++k)
        memory[k] = normal_[k][entry];
    return memory;
}

void ContactMemory::give(Entries& e, bool last) {
    const std::size_t from = e.number;
    for (std::size_t k = 0; k < normal_.size(); ++k)
        e.memory[k] = normal_[k].data() + from;
    for (std::size_t k = 0; k < 4; ++k) {
        e.sliding[k] = kept_.slides && !springs_elsewhere_ ? sliding_[k].data() + from : nullptr;
        e.rolling[k] = kept_.rolls ? rolling_[k].data() + from : nullptr;
    }
    for (std::size_t k = 0; last && k < tangential_force_.size(); ++k)
        e.tangential_force[k] = tangential_force_[k].data() + from;
    for (std::size_t k = 0; k < work_columns; ++k)
        e.work[k] = kept_.keeps(k) ? work_[k].data() + from : nullptr;
}

std::vector<Column*> ContactMemory::columns() {
    std::vector<Column*> all;
    each_column(*this, [&](const std::string&, Column& column) { all.push_back(&column); });
    return all;
}

void ContactMemory::drop_signs_of_zeros(std::size_t from, std::size_t end) {
    const auto drop = [&](Column& column) {
        if (column.size() == 0) return;
        for (std::size_t e = from; e < end; ++e)
            column[e] += 0.0;
    };
    std::ranges::for_each(normal_, drop);
    std::ranges::for_each(sliding_, drop);
    std::ranges::for_each(rolling_, drop);
    std::ranges::for_each(tangential_force_, drop);
    std::ranges::for_each(work_, drop);
}

void ContactMemory::swap(std::size_t one, std::size_t two) {
    for (Column& numbers : normal_)
        std::swap(numbers[one], numbers[two]);
    for (std::size_t k = 0; k < 4; ++k) {
        if (kept_.slides && !springs_elsewhere_) std::swap(sliding_[k][one], sliding_[k][two]);
        if (kept_.rolls) std::swap(rolling_[k][one], rolling_[k][two]);
    }
}

void ContactMemory::follow(const EntriesBefore& before, int threads) {
    entries_ = before.from.size();
    springs_elsewhere_ = false;
    const auto follow_one = [&](Column& column, bool turns) {
        Column now(entries_);
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (std::size_t e = 0; e < entries_; ++e) {
            const double sign = turns && before.turned[e] != 0 ? -1.0 : 1.0;
            if (before.from[e] != no_pair) now[e] = sign * column[before.from[e]];
        }
        column = std::move(now);
    };
    for (Column& column : normal_)
        follow_one(column, false);
    for (std::size_t k = 0; k < 4; ++k) {
        if (kept_.slides) follow_one(sliding_[k], k < 3);
        if (kept_.rolls) follow_one(rolling_[k], k < 3);
    }
    for (Column& column : tangential_force_)
        follow_one(column, true);
    for (std::size_t k = 0; k < work_columns; ++k) {
        const bool turns = k < work_lever || (k >= work_torque && k < work_given);
        if (kept_.keeps(k)) follow_one(work_[k], turns);
    }
}

void ContactMemory::free_springs() {
    springs_elsewhere_ = true;
    sliding_ = {};
}

}  // namespace beadwave::packing
