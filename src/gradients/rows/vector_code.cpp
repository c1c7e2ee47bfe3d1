// The vector code of rows: one step of some beads, forwards and backwards, compiled once per
// instruction set.

#include "gradients/rows/row_kernel.hpp"

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "beadwave/laws/ma_liu.hpp"

namespace beadwave::gradients::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;
}

#include "gradients/rows/row_law.inl.hpp"
#include "gradients/rows/row_tape.inl.hpp"
#include "gradients/rows/row_paths.inl.hpp"
#include "gradients/rows/forward_row.inl.hpp"
#include "gradients/rows/reverse_row.inl.hpp"
// clang-format on

namespace beadwave::gradients {

template <>
RowKernel row_kernel<simd::Target::BEADWAVE_TARGET>(RowPath path) {
    using namespace BEADWAVE_TARGET;
    switch (path) {
        case RowPath::none:
            break;
        case RowPath::hertz:
            return {&forward_row<HertzPath>, &reverse_row<HertzPath>};
        case RowPath::conservative:
            return {&forward_row<ClosedPath>, &reverse_row<ClosedPath>};
        case RowPath::unloads_as_hertz:
            return {&forward_row<UnloadingPath<true, Called>>,
                    &reverse_row<UnloadingPath<true, Called>>};
        case RowPath::unloads_on_line:
            return {&forward_row<UnloadingPath<false, Called>>,
                    &reverse_row<UnloadingPath<false, Called>>};
        case RowPath::ma_liu:
            return {&forward_row<UnloadingPath<true, Compiled<laws::MaLiu>>>,
                    &reverse_row<UnloadingPath<true, Compiled<laws::MaLiu>>>};
    }
    return {};
}

}  // namespace beadwave::gradients

#include "simd/end_vector_code.hpp"
