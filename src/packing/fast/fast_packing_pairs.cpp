// The pairs of a block in a step of the fast engine.

#include "fast_packing_engine.hpp"

#include <omp.h>

#include <algorithm>

namespace beadwave::packing {

void FastPackingEngine::step_pairs(std::size_t b, double step, Scratch& scratch, const Sums& sums) {
    Entries e = contacts_.entries.of_block(b);
    contacts_.memory.give(e, taken_.settles);
    if (contacts_.mixed)
        return contacts_.mixed->step_block(laws_.table, laws_.kernel, e, step, scratch, sums);
    const Lines lines = bodies_.lines();
    const KindTable& laws = laws_.table.kernel();
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    NearPairs::Part part{e.count, e.count, false};
    if (!taken_.settles && near_.acts()) {
        part = near_.part(b, thread);
        near_.give(e, b);
    }
    const auto place = [&](std::size_t from, std::size_t count) {
        laws_.kernel.place(laws, lines, e, from, count, step, scratch);
        if (part.looks) std::copy_n(scratch.overlap, count, near_.overlaps(thread) + from);
    };
    const auto step_entries = [&](std::size_t from, std::size_t end) {
        for (; from < end; from += batch) {
            const std::size_t count = std::min(batch, end - from);
            place(from, count);
            laws_.kernel.normal(laws, e, from, count, scratch);
            ContactWorks::EntriesOfWalls of_walls{};
            if (works_) of_walls = works_->prepare(e, from, count, step, walls_.loads, scratch);
            laws_.kernel.slide(laws, lines, e, from, count, step, scratch, sums);
            if (works_)
                works_->work_on_walls(b - share_.first_block(), e, from, of_walls, step,
                                      walls_.loads, walls_.steps(), scratch);
        }
    };
    step_entries(0, part.near_end);
    for (std::size_t from = part.near_end; part.looks && from < part.far_end; from += batch)
        place(from, std::min(batch, part.far_end - from));
    step_entries(part.far_end, e.count);
    if (part.looks) near_.put_aside(b, thread);
    if (taken_.settles) contacts_.memory.drop_signs_of_zeros(e.number, e.number + e.count);
}

}  // namespace beadwave::packing
