// The pairs of a block in a step of the fast engine.

#include "fast_packing_engine.hpp"

#include <omp.h>

#include <algorithm>

namespace beadwave::packing {

void FastPackingEngine::make_room(SumColumns& columns) const {
    const std::size_t capacity = line * sum_lines_.most();
    if (columns.force.size() >= capacity) return;
    columns.force = Column(capacity);
    if (rolls_) columns.torque = Column(capacity);
}

void FastPackingEngine::step_pairs(std::size_t b, double step, Scratch& scratch, const Sums& sums) {
    Entries e = contacts_.entries.of_block(b);
    contacts_.memory.give(e, settles_);
    if (contacts_.mixed)
        return contacts_.mixed->step_block(table_, kernel_, e, step, scratch, sums);
    const Lines lines = bodies_.lines();
    const KindTable& laws = table_.kernel();
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    NearPairs::Part part{e.count, e.count, false};
    if (!settles_ && near_.acts()) {
        part = near_.part(b, thread);
        near_.give(e, b);
    }
    const auto place = [&](std::size_t from, std::size_t count) {
        kernel_.place(laws, lines, e, from, count, step, scratch);
        if (part.looks) std::copy_n(scratch.overlap, count, near_.overlaps(thread) + from);
    };
    const auto step_entries = [&](std::size_t from, std::size_t end) {
        for (; from < end; from += batch) {
            const std::size_t count = std::min(batch, end - from);
            place(from, count);
            kernel_.normal(laws, e, from, count, scratch);
            ContactWorks::EntriesOfWalls of_walls{};
            if (works_) of_walls = works_->prepare(e, from, count, step, loads_, scratch);
            kernel_.slide(laws, lines, e, from, count, step, scratch, sums);
            if (works_)
                works_->work_on_walls(b - share_.first_block(), e, from, of_walls, step, loads_,
                                      wall_step_, scratch);
        }
    };
    step_entries(0, part.near_end);
    for (std::size_t from = part.near_end; part.looks && from < part.far_end; from += batch)
        place(from, std::min(batch, part.far_end - from));
    step_entries(part.far_end, e.count);
    if (part.looks) near_.put_aside(b, thread);
    if (settles_) contacts_.memory.drop_signs_of_zeros(e.number, e.number + e.count);
}

}  // namespace beadwave::packing
