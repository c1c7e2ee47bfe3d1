// The vector code of the tiled engine: the laws and the steps of the tiles, compiled once per
// instruction set.

#include "../elements/element_kernel.hpp"
#include "tiled_kernel.hpp"

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "laws/law_list.hpp"
#include "beadwave/laws/expression/batch.hpp"
#include "laws/unloading_path.hpp"
#include "beadwave/laws/slopes.hpp"

namespace beadwave::dynamics::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;
}

#include "../elements/element_beads.inl.hpp"
#include "tiled_law.inl.hpp"
#include "tiled_formula.inl.hpp"
#include "tiled_step.inl.hpp"
#include "tiled_advance.inl.hpp"
#include "tiled_sleep.inl.hpp"
#include "tiled_slopes.inl.hpp"
// clang-format on

namespace beadwave::dynamics {

template <>
Kernel tiled_kernel<simd::Target::BEADWAVE_TARGET>(std::size_t law) {
    using namespace BEADWAVE_TARGET;
    Kernel kernel;
    with_law<laws::LawList, Vector>(law, [&]<class Law>() {
        static_assert(laws::field_count<typename Law::Memory> <= simd::most_fields);
        static constexpr LawCode code = code_of<Law>();
        kernel = {
            .init_forces =
                [](const Parameters& p, const TileTask& row, std::size_t begin, std::size_t end) {
                    init_forces(code, SpreadParameters(p, code.fields), row, begin, end);
                },
            .init_half_step =
                [](const Parameters& p, const TileTask& row, std::size_t begin, std::size_t end) {
                    init_half_step(SpreadParameters(p, 0), row, begin, end);
                },
            .advance =
                [](const Parameters& p, const TileTask& row) {
                    advance(code, sweeps_of_row<Law>(p, row), SpreadParameters(p, code.fields),
                            row);
                },
            .scan =
                [](const Parameters& p, const TileTask& row, std::size_t begin, std::size_t end,
                   double tolerance) {
                    return scan(code, SpreadParameters(p, code.fields), row, begin, end, tolerance);
                },
            .row_slopes =
                [](const Parameters& p, const TileTask& row, std::size_t begin, std::size_t end,
                   double speed) {
                    return row_slopes(code, SpreadParameters(p, code.fields), row, begin, end,
                                      speed);
                }};
    });
    return kernel;
}

}  // namespace beadwave::dynamics

#include "simd/end_vector_code.hpp"
