// The numbers of a mechanism with loops do not depend on where its arrays are in memory: a run that
// continues elsewhere must be the same to the bit. The sums of some builds of LAPACK do.

#include "mechanism/multibody.hpp"
#include "three_cranks.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace beadwave::validation::mechanism_memory_test {
namespace {

using namespace mechanism;

/// Holds and frees blocks of any size, so that what is allocated next lies elsewhere.
class Scattered {
  public:
    explicit Scattered(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        for (int k = 0; k < 4000; ++k) {
            auto block = std::make_unique<std::byte[]>(8 + random() % 4096);
            if (random() % 2 == 0) blocks_.push_back(std::move(block));
        }
    }

  private:
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

/// Coordinates and speeds that close the loops, accelerations and joint forces in some states.
std::vector<double> numbers_of(const Mechanism& made, int states) {
    Multibody multibody(made);
    const std::size_t n = multibody.coordinates();
    std::vector<Load> loads(made.bodies.size());
    for (std::size_t b = 0; b < loads.size(); ++b)
        loads[b].force = made.bodies[b].mass * made.gravity;
    std::vector<double> all, q(n, 0.0), u(n), accelerations(n);
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    for (int state = 0; state < states; ++state) {
        for (std::size_t k = 0; k < n; ++k) {
            q[k] += 1e-3 * any(random);
            u[k] = any(random);
        }
        REQUIRE(multibody.project_constraints(0.0, q, u, 1e-13));
        multibody.accelerate(loads, accelerations);
        for (const auto& numbers : {q, u, accelerations})
            all.insert(all.end(), numbers.begin(), numbers.end());
        for (const JointReaction& joint : multibody.joint_reactions())
            all.insert(all.end(), {joint.force[0], joint.force[1], joint.torque});
    }
    return all;
}

void check_places(const Mechanism& made, int states, int places) {
    const std::vector<double> expected = numbers_of(made, states);
    for (int seed = 1; seed <= places; ++seed) {
        CAPTURE(seed);
        const Scattered blocks(static_cast<std::uint64_t>(seed));
        CHECK((numbers_of(made, states) == expected));
    }
}

}  // namespace

TEST_CASE("thirty-three four-bar linkages have the same numbers wherever they are in memory") {
    check_places(linkages(33, 2), 60, 4);
}

TEST_CASE("loops that repeat conditions have the same numbers wherever they are in memory") {
    check_places(linkages(12, 3), 40, 4);
}

TEST_CASE("a hundred loops have the same numbers wherever they are in memory") {
    check_places(linkages(100, 2), 2, 4);
}

}  // namespace beadwave::validation::mechanism_memory_test
