// The pairs of a block in a step of the fast engine.

#include "fast_packing_engine.hpp"

#include <omp.h>

#include <algorithm>

namespace beadwave::packing {

void FastPackingEngine::step_pairs(std::size_t b, double step, Scratch& scratch, const Sums& sums) {
    Entries all = contacts_.entries.of_block(b);
    contacts_.memory.give(all, taken_.settles);
    if (contacts_.mixed)
        return contacts_.mixed->step_block(laws_.table, laws_.kernel, all, step, scratch, sums);
    const Lines lines = bodies_.lines();
    const KindTable& laws = laws_.table.kernel();
    const auto step_entries = [&](const KindTable& table, const Entries& e, std::size_t from) {
        for (; from < e.count; from += batch) {
            const std::size_t count = std::min(batch, e.count - from);
            laws_.kernel.place(table, lines, e, from, count, step, scratch);
            laws_.kernel.normal(table, e, from, count, scratch);
            ContactWorks::EntriesOfWalls of_walls{};
            if (works_) of_walls = works_->prepare(e, from, count, step, walls_.loads, scratch);
            laws_.kernel.slide(table, e, from, count, step, scratch, sums);
            if (works_)
                works_->work_on_walls(b - share_.first_block(), e, from, of_walls, step,
                                      walls_.loads, walls_.steps(), scratch);
        }
    };
    NearPairs::Part part;
    if (!taken_.settles && near_.acts()) part = near_.part(b);
    if (part.near != nullptr) step_entries(*part.table, *part.near, 0);
    step_entries(laws, all, part.far_end);
    if (part.looks)
        near_.look(b, lines, laws_.kernel, static_cast<std::size_t>(omp_get_thread_num()));
    if (taken_.settles) contacts_.memory.drop_signs_of_zeros(all.number, all.number + all.count);
}

}  // namespace beadwave::packing
