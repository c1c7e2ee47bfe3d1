// The vector code that counts nodes, compiled once per instruction set.

#include "modes/nodes/node_kernel.hpp"
#include "simd/begin_vector_code.hpp"

namespace beadwave::modes::BEADWAVE_TARGET {

namespace hn = hwy::HWY_NAMESPACE;
using simd::BEADWAVE_TARGET::LaneBits;
using simd::BEADWAVE_TARGET::Lanes;
using simd::BEADWAVE_TARGET::Register;
using simd::BEADWAVE_TARGET::register_lanes;

/// As many registers as keep the processor busy, but stay in registers.
inline constexpr std::size_t at_once = register_lanes == 8 ? 4 : 3;

template <std::size_t registers>
void count_lanes(const NodeChain& chain, NodeCounts& counts, std::size_t first) {
    const LaneBits whole;
    using Bits = hn::Vec<LaneBits>;
    Register square[registers], u[registers], f[registers], exponent[registers];
    Bits nodes[registers];
    for (std::size_t r = 0; r < registers; ++r) {
        square[r] = Register::load(counts.square + first + r * register_lanes);
        u[r] = Register(1.0);
        f[r] = Register(chain.left);
        nodes[r] = hn::Zero(whole);
    }
    const auto push = [&](std::size_t r, double mass) HWY_ATTR {
        f[r] = Register(hn::NegMulAdd((square[r] * Register(mass)).raw, u[r].raw, f[r].raw));
    };
    const auto move_to = [&](std::size_t r, Register next) HWY_ATTR {
        const Bits changed = hn::Xor(hn::BitCast(whole, u[r].raw), hn::BitCast(whole, next.raw));
        nodes[r] = hn::Add(nodes[r], hn::ShiftRight<63>(changed));
        u[r] = next;
    };
    const std::size_t last = chain.beads - 1;
    for (std::size_t begin = 0; begin < last; begin += chain.block) {
        const std::size_t end = begin + chain.block < last ? begin + chain.block : last;
        for (std::size_t i = begin; i < end; ++i) {
            const double mass = chain.mass[i], compliance = chain.compliance[i];
            for (std::size_t r = 0; r < registers; ++r) {
                push(r, mass);
                move_to(r, Register(hn::MulAdd(f[r].raw, Register(compliance).raw, u[r].raw)));
            }
        }
        for (std::size_t r = 0; r < registers; ++r) {
            // An exact power of two from the exponent of the larger number.
            const Register size = max(abs(u[r]), abs(f[r]));
            const Bits power = hn::ShiftRight<52>(hn::BitCast(whole, size.raw));
            const Register scale(hn::BitCast(
                Lanes(), hn::ShiftLeft<52>(hn::Sub(hn::Set(whole, std::uint64_t{2046}), power))));
            const hn::RebindToSigned<Lanes> integers;
            exponent[r] +=
                Register(hn::ConvertTo(Lanes(), hn::BitCast(integers, power))) - Register(1023.0);
            u[r] *= scale;
            f[r] *= scale;
        }
    }
    for (std::size_t r = 0; r < registers; ++r) {
        push(r, chain.mass[last]);
        const Register end(hn::MulAdd(u[r].raw, Register(chain.right).raw, f[r].raw));
        move_to(r, end);
        const std::size_t at = first + r * register_lanes;
        const hn::RebindToSigned<Lanes> integers;
        hn::StoreU(hn::ConvertTo(Lanes(), hn::BitCast(integers, nodes[r])), Lanes(),
                   counts.nodes + at);
        end.store(counts.end + at);
        exponent[r].store(counts.exponent + at);
    }
}

void count_nodes(const NodeChain& chain, NodeCounts& counts) {
    std::size_t first = 0;
    for (; first + at_once * register_lanes <= node_lanes; first += at_once * register_lanes)
        count_lanes<at_once>(chain, counts, first);
    for (; first < node_lanes; first += register_lanes)
        count_lanes<1>(chain, counts, first);
}

}  // namespace beadwave::modes::BEADWAVE_TARGET

namespace beadwave::modes {

template <>
CountNodes node_kernel<simd::Target::BEADWAVE_TARGET>() {
    return &BEADWAVE_TARGET::count_nodes;
}

}  // namespace beadwave::modes

#include "simd/end_vector_code.hpp"
