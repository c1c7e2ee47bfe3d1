// The forces of contacts that engines of packings give are those that acted in the last step: in
// both engines alike, as the sensors have them, and after a resume.

#include "packing/fast/fast_packing_engine.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "tumbling.hpp"

#include <algorithm>
#include <string>

namespace beadwave::validation::packing_contact_forces_test {

using packing::Vec3;

namespace {

/// Also with a wall that has a mass and hangs in a damped load.
packing::Packing bed(const std::string& law, laws::FrictionLaw friction) {
    packing::Packing p =
        tumbling(law, {.law = friction, .coefficient = 0.3, .stiffness = 5e6, .damping = 1.0},
                 {.lattice = packing::Lattice::bcc,
                  .cells = {4, 3, 4},
                  .origin = {0, 0, steel_radius},
                  .radius = steel_radius,
                  .overlap = 5e-5});
    p.walls[1].velocity = {};
    p.walls[1].load =
        packing::Load{.mass = 2e-3, .force = 50.0, .target_velocity = 0.1, .gain = 20.0};
    return p;
}

/// The largest difference of the contacts' forces, over the largest force.
double difference(const packing::PackingEngine& a, const packing::PackingEngine& b) {
    const auto of_a = a.contacts(), of_b = b.contacts();
    REQUIRE(of_a.size() == of_b.size());
    std::vector<Vec3> one, two;
    for (std::size_t k = 0; k < of_a.size(); ++k) {
        REQUIRE(of_a[k].first == of_b[k].first);
        REQUIRE(of_a[k].second == of_b[k].second);
        one.insert(one.end(), {of_a[k].normal_force, of_a[k].tangential_force});
        two.insert(two.end(), {of_b[k].normal_force, of_b[k].tangential_force});
    }
    REQUIRE(!one.empty());
    return largest_difference(one, two);
}

/// The sums of the contacts' forces on all particles [N].
std::vector<Vec3> summed(const packing::PackingEngine& engine) {
    std::vector<Vec3> sums(engine.particles());
    for (const packing::ContactState& c : engine.contacts()) {
        sums[c.first] += c.normal_force + c.tangential_force;
        if (c.second < sums.size()) sums[c.second] -= c.normal_force + c.tangential_force;
    }
    return sums;
}

}  // namespace

TEST_CASE("both engines give the forces of contacts that acted in the step, under every law") {
    constexpr double rounding = 1e-12;  // of one step; sums of ten forces of one size
    for (const laws::Entry& entry : laws::catalogue()) {
        if (entry.make == nullptr) continue;
        for (const auto friction : {laws::FrictionLaw::linear, laws::FrictionLaw::mindlin}) {
            const packing::Packing p = bed(entry.name, friction);
            const auto plain = packing::make_plain_packing_engine(p, 1e-7);
            const auto fast = packing::make_packing_engine(p, 1e-7, 1);
            INFO(entry.name, " ", static_cast<int>(friction));
            CHECK(difference(*fast, *plain) < rounding);
            plain->advance(1);
            fast->advance(1);
            CHECK(difference(*fast, *plain) < rounding);
            // The paths of the engines part by rounding, which damping forces magnify.
            plain->advance(59);
            fast->advance(59);
            CHECK(difference(*fast, *plain) < 1e-9);
            for (packing::PackingEngine* const engine : {plain.get(), fast.get()}) {
                packing::ParticleTrace trace{.particles = {}, .force = {}, .velocity = {}};
                for (std::size_t i = 0; i < p.particles(); ++i)
                    trace.particles.push_back(i);
                engine->advance(1, trace);
                CHECK(largest_difference(summed(*engine), trace.force) < rounding);
            }
        }
    }
}

TEST_CASE("a velocity that is set, or a force from outside, leaves the forces of the last step") {
    const packing::Packing p = bed("tsuji", laws::FrictionLaw::linear);
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-7);
        engine->advance(30);
        const std::vector<Vec3> before = summed(*engine);
        engine->set_velocities(7, {3.0, -2.0, 1.0}, {50.0, 0.0, 20.0});
        CHECK(summed(*engine) == before);
        const stepping::BodyForce<Vec3> push{7, {1.0, 2.0, 3.0}};
        engine->kick({&push, 1}, stepping::HalfStep::second);
        CHECK(summed(*engine) == before);
    }
}

TEST_CASE("the forces of contacts keep their bits when a run is resumed") {
    for (const bool strains : {false, true}) {
        packing::Packing p = bed("tsuji", laws::FrictionLaw::linear);
        if (strains) {
            p.box.strain = packing::Straining{.rate = {-20.0, 0, 0}};
            p.walls.clear();
            p.fixed.clear();
            p.gravity = {};
            p.box.periodic = {true, true, true};
            p.box.strain->rate = {};
            p.box.strain->has_piston = {true, false, false};
            p.box.strain->stress = {1e6, 0, 0};
            p.box.strain->mass = 1e-3;
        }
        for (const EngineMaker& make : engine_makers) {
            const auto engine = make(p, 1e-7);
            engine->advance(40);
            const SavedPacking state = saved(*engine);
            const auto resumed = make(p, 1e-7);
            restore(*resumed, 40, state);
            CHECK(difference(*engine, *resumed) == 0.0);
        }
    }
}

}  // namespace beadwave::validation::packing_contact_forces_test
