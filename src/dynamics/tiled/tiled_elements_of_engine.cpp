// What beads carry, in the tasks of the tiled engine.

#include "tiled_engine_class.hpp"

namespace beadwave::dynamics {

void TiledEngine::set_elements(TileTask& row, TiledElements::Work& work, Rows& rows, std::size_t at,
                               std::size_t length, std::int64_t done) const {
    of_beads_->set_row(work, rows, at, row.first, row.first + length, done);
    row.elements = &work.row;
    if (rows.has_scratch()) row.state.half_after = of_beads_->half_after(rows);
    row.element_kernel = &of_beads_->kernel();
}

void TiledEngine::init_elements(const chain::Chain& chain) {
    ElementPointers state = of_beads_->pointers(state_);
    of_beads_->table().place_masses(chain, state.slots);
    of_beads_->prepare(0, 0, state_);
    TiledElements::Work work = of_beads_->work();
    with_rows([&](const Parameters& p, const TileTask& row, std::size_t begin, std::size_t end) {
        TileTask task = row;
        set_elements(task, work, state_, row.first, end, 0);
        of_beads_->add_first_loads(work, row.first, row.first + begin, row.first + end);
        of_beads_->kernel().init(work.row, p, row.state, begin, end);
    });
    elements_->attach(of_beads_->table(), state);
}

void TiledEngine::scan_elements(const TileTask& row, std::size_t begin, std::size_t end,
                                Scan& found) const {
    const ElementKernel& kernel = *row.element_kernel;
    found.finite = found.finite && kernel.finite(*row.elements, begin, end);
    const bool none = found.begin == found.end;
    std::size_t first = none ? end : found.begin, last = none ? begin : found.end;
    const auto rests = [&](std::size_t block) {
        return kernel.at_rest(*row.elements, row.state, block, block + block_beads);
    };
    for (std::size_t block = begin; block < first; block += block_beads) {
        if (rests(block)) continue;
        first = block;
        last = std::max(last, block + block_beads);
    }
    for (std::size_t block = end; block > last; block -= block_beads) {
        if (!rests(block - block_beads)) last = block;
    }
    if (first < last) {
        found.begin = first;
        found.end = last;
    }
}

}  // namespace beadwave::dynamics
