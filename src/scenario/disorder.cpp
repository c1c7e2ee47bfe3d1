#include "scenario/disorder.hpp"

#include <Random123/boxmuller.hpp>
#include <Random123/philox.h>

namespace beadwave::scenario {

double disordered_radius(double deviation, std::uint64_t seed, std::uint64_t number) {
    const r123::Philox2x64 draw;
    const auto bits = draw({{number, 0}}, {{seed}});
    return 1.0 + deviation * r123::boxmuller(bits[0], bits[1]).x;
}

}  // namespace beadwave::scenario
