#include "orbits/starts.hpp"

#include "base/random_numbers.hpp"

#include <numbers>
#include <utility>

namespace beadwave::orbits {

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
