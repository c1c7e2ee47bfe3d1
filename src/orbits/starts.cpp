#include "orbits/starts.hpp"

#include <numbers>
#include <utility>

namespace beadwave::orbits {

double Uniform::operator()() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-52 - 1.0;
}

std::vector<State> starts_around(const State& start, std::size_t count, double spread,
                                 double period, std::uint64_t seed) {
    Uniform uniform(~seed);
    const double speed = 2.0 * std::numbers::pi / period;
    std::vector<State> all;
    for (std::size_t k = 0; k < count; ++k) {
        State state = start;
        for (std::size_t i = 0; k > 0 && i < start.displacement.size(); ++i) {
            state.displacement[i] += spread * uniform();
            state.velocity[i] += spread * speed * uniform();
        }
        all.push_back(std::move(state));
    }
    return all;
}

}  // namespace beadwave::orbits
