// Periodic boxes that strain: prescribed rates, shear, pistons. Work, ledger, lists, bits.

#include "beadwave/argument_error.hpp"
#include "crystals.hpp"
#include "largest.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "packing/packing_engine.hpp"
#include "packing_engines.hpp"
#include "packing_system/packing_measures.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "splitmix.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <set>

namespace beadwave::validation::straining_box_test {

using packing::Vec3;

namespace {

/// Spheres of several sizes in a periodic box, with a little room.
packing::Packing loose(const std::string& law, const packing::Straining& strain, double edge = 10.0,
                       std::size_t count = 60) {
    packing::Packing p = steel_packing(law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    std::uint64_t drawn = 0;
    const auto uniform = [&] { return std::ldexp(static_cast<double>(mixed(++drawn) >> 11), -53); };
    std::vector<double> radii;
    for (std::size_t i = 0; i < count; ++i)
        radii.push_back(steel_radius * (0.8 + 0.4 * uniform()));
    const double side = edge * steel_radius;
    const auto centres = packing::random_loose(radii, {}, {side, side, side}, 3, 5);
    for (std::size_t i = 0; i < count; ++i) {
        p.add(radii[i], steel_mass(radii[i]), centres[i]);
        p.velocity.back() = 6.0 * Vec3{uniform() - 0.5, uniform() - 0.5, uniform() - 0.5};
    }
    p.skin = 0.3 * 0.8 * steel_radius;
    p.box.upper = {side, side, side};
    p.box.periodic = {true, true, true};
    p.box.strain = strain;
    return p;
}

const packing::Straining all_rates{.rate = {-60.0, 25.0, -40.0}, .shear_rate = {90.0, -30.0, 50.0}};
const packing::Straining with_pistons{.rate = {0, 0, -40.0},
                                      .shear_rate = {60.0, 0, 0},
                                      .has_piston = {true, true, false},
                                      .stress = {4e4, 2e4, 0},
                                      .mass = 2e-3,
                                      .damping = 0.05};

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    Largest largest;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest.enter(size_of(a[i] - b[i]));
    return largest;
}

std::vector<Vec3> positions(const packing::Packing& p, const packing::PackingEngine& engine) {
    std::vector<Vec3> all = engine.displacement();
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] += p.position[i];
    return all;
}

}  // namespace

TEST_CASE("particles that touch nothing follow the affine motion of the box") {
    packing::Packing p = steel_packing();
    const double side = 20.0 * steel_radius;
    p.box = {.lower = {0.01, -0.02, 0.03},
             .upper = {0.01 + side, -0.02 + side, 0.03 + side},
             .periodic = {true, true, true},
             .strain = packing::Straining{.rate = {-20, 10, 5}, .shear_rate = {30, -15, 8}}};
    for (const Vec3 at : {Vec3{3, 3, 3}, {10, 4, 15}, {16, 17, 9}})
        p.add(steel_radius, steel_mass(steel_radius), p.box.lower + steel_radius * at);
    p.velocity[1] = {0.3, -0.2, 0.1};
    for (const EngineMaker& make : engine_makers) {
        const double dt = 1e-5, t = 400 * dt;
        const auto engine = make(p, dt);
        engine->advance(400);
        const auto now = positions(p, *engine);
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3 r = p.position[i] - p.box.lower;
            // Edges grow in proportion to time; so do the paths of particles without force.
            const Vec3 affine{r.x * (1 - 20 * t) + t * (30 * r.y - 15 * r.z),
                              r.y * (1 + 10 * t) + t * 8 * r.z, r.z * (1 + 5 * t)};
            CHECK(size_of(now[i] - p.box.lower - affine - t * p.velocity[i]) < 1e-15);
        }
        CHECK_RELATIVE(engine->box().edges.of[0], side * (1 - 20 * t), 1e-13);
        CHECK_RELATIVE(engine->box().edges.of[3], side * 30 * t, 1e-12);
    }
}

TEST_CASE(
    "a crystal that a box presses has the stress of its overlaps, and the box does its work") {
    // A fcc crystal under equal strain: 12 contacts of the same force f at the distance r. The sum
    // over the 6 contacts per particle of f r n n is 2 f r times the unit tensor, the volume per
    // particle r^3 / sqrt(2): p = 2 sqrt(2) f / r^2.
    packing::Packing p = crystal_of(packing::Lattice::fcc, {2, 2, 2}, true, 0.0);
    const double rate = -0.5, dt = 2e-7, end = 4e-3;
    p.box.strain = packing::Straining{.rate = {rate, rate, rate}};
    const double modulus = steel_modulus / (2 * (1 - steel_ratio * steel_ratio));
    const double stiffness = 4.0 / 3.0 * modulus * std::sqrt(steel_radius / 2);
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        engine->advance(static_cast<std::int64_t>(std::lround(end / dt)));
        const double r = 2 * steel_radius * (1 + rate * end), overlap = 2 * steel_radius - r;
        const double force = stiffness * std::pow(overlap, 1.5);
        const observers::MeasuredState state(p, *engine);
        const observers::Tensor stress = observers::stress(state);
        for (const std::size_t k : {0u, 4u, 8u})
            CHECK_RELATIVE(-stress[k], 2 * std::sqrt(2.0) * force / (r * r), 1e-9);
        for (const std::size_t k : {1u, 2u, 5u})
            CHECK(std::abs(stress[k]) < 1e-9 * -stress[0]);
        CHECK(engine->totals().translational < 1e-20);
        // 6 contacts per particle, 2/5 of force times overlap in each.
        const double stored = 32 * 6 * 0.4 * force * overlap;
        CHECK_RELATIVE(engine->totals().stored_normal, stored, 1e-9);
        // The trapezoidal rule over 20,000 steps of a power of 1.5.
        CHECK_RELATIVE(engine->totals().external_work, stored, 1e-7);
    }
}

TEST_CASE("the ledger balances in boxes that strain, to second order of the step") {
    struct Case {
        std::string name;
        packing::Straining strain;
    };
    for (const Case& each : {Case{"rates", all_rates}, Case{"pistons", with_pistons}}) {
        const std::string& name = each.name;
        for (const std::string law : {"hertz", "tsuji", "ma-liu"}) {
            if (sanitised && law != "ma-liu") continue;
            const packing::Packing p = loose(law, each.strain);
            for (const EngineMaker& make : engine_makers) {
                std::array<double, 2> error{};
                for (int k = 0; k < 2; ++k) {
                    const auto engine = make(p, 1e-7 / (1 << k));
                    const packing::PackingTotals before = engine->totals();
                    engine->advance(12000 << k);
                    const packing::PackingTotals after = engine->totals();
                    CHECK(engine->neighbour_list_builds() > 3);
                    CHECK(std::abs(after.external_work) > 0.02 * before.translational);
                    const double scale = before.translational + std::abs(after.external_work);
                    error[static_cast<std::size_t>(k)] =
                        std::abs(energy_of(after) - energy_of(before)) / scale;
                }
                INFO(name << " " << law);
                MESSAGE(name << " " << law << ": errors " << error[0] << " " << error[1]);
                CHECK(error[1] < 2e-5);
            }
        }
    }
}

TEST_CASE("both engines step a box that strains alike") {
    for (const packing::Straining& strain : {all_rates, with_pistons}) {
        packing::Packing p = loose("tsuji", strain);
        p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.05, .damping_ratio = 0.2};
        const auto plain = packing::make_plain_packing_engine(p, 1e-7);
        const auto fast = packing::make_packing_engine(p, 1e-7, 1);
        plain->advance(4000);
        fast->advance(4000);
        REQUIRE(fast->totals().dissipated_normal > 0.01 * fast->totals().translational);
        CHECK(largest_distance(plain->displacement(), fast->displacement()) < 1e-9 * steel_radius);
        const packing::PackingTotals a = plain->totals(), b = fast->totals();
        CHECK_RELATIVE(a.external_work, b.external_work, 1e-7);
        CHECK_RELATIVE(a.translational, b.translational, 1e-7);
        CHECK_RELATIVE(a.dissipated_normal, b.dissipated_normal, 1e-6);
        for (std::size_t k = 0; k < packing::Edges::numbers; ++k)
            CHECK_ABSOLUTE(plain->box().edges.of[k], fast->box().edges.of[k], 1e-12);
    }
}

TEST_CASE("the neighbour list of a box that strains misses no pair") {
    // The shear passes three edges; the tilt of the lattice returns each time.
    packing::Straining strain{.rate = {-12, 6, -5}, .shear_rate = {400, 150, -260}};
    const packing::Packing p = loose("hertz", strain);
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 2e-7);
        std::size_t found = 0;
        for (int part = 0; part < 40; ++part) {
            engine->advance(1000);
            const packing::Edges edges = packing::LeastTilt(engine->box().edges).edges;
            const auto x = positions(p, *engine);
            std::multiset<std::array<std::size_t, 2>> touching, listed;
            for (std::size_t i = 0; i < x.size(); ++i) {
                for (std::size_t j = i + 1; j < x.size(); ++j) {
                    const Vec3 s = edges.fractions(x[j] - x[i]);
                    const Vec3 near{s.x - std::round(s.x), s.y - std::round(s.y),
                                    s.z - std::round(s.z)};
                    for (int k = 0; k < 27; ++k) {
                        const Vec3 image{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
                        if (size_of(edges.times(near + image)) <
                            (p.radius[i] + p.radius[j]) * (1 - 1e-12))
                            touching.insert({i, j});
                    }
                }
            }
            for (const packing::ContactState& c : engine->contacts())
                listed.insert({c.first, c.second});
            CHECK(touching == listed);
            found += touching.size();
        }
        CHECK(found > 50);
        CHECK(engine->neighbour_list_builds() > 40);
    }
}

TEST_CASE("a list that is rebuilt at every step gives the same motion in a box that strains") {
    for (const packing::Straining& strain : {all_rates, with_pistons}) {
        const packing::Packing p = loose("tsuji", strain);
        for (const EngineMaker& make : engine_makers) {
            const auto rarely = make(p, 1e-7), always = make(p, 1e-7);
            rarely->advance(1500);
            for (int step = 0; step < 1500; ++step) {
                always->rebuild_list();
                always->advance(1);
            }
            REQUIRE(rarely->totals().dissipated_normal > 0.0);
            CHECK(largest_distance(rarely->displacement(), always->displacement()) <
                  1e-11 * steel_radius);
        }
    }
}

TEST_CASE("a box that strains has the same bits for any number of threads and any grouping") {
    for (const packing::Straining& strain : {all_rates, with_pistons}) {
        packing::Packing p = loose("tsuji", strain, 40.0, 3000);
        p.box.strain->rate = 5.0 * strain.rate;
        p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.05, .damping_ratio = 0.2};
        const auto one = packing::make_packing_engine(p, 4e-7, 1);
        one->advance(1200);
        CHECK(one->neighbour_list_builds() > 0);
        for (const int threads : {2, 3}) {
            if (sanitised && threads == 3) continue;
            const auto several = packing::make_packing_engine(p, 4e-7, threads);
            for (const std::int64_t steps : {1, 199, 400, 600})
                several->advance(steps);
            CHECK(saved(*several) == saved(*one));
        }
    }
}

TEST_CASE("a box that strains continues to the same bits from any step") {
    for (const packing::Straining& strain : {all_rates, with_pistons}) {
        packing::Packing p = loose("ma-liu", strain);
        p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.05, .damping_ratio = 0.2};
        for (const EngineMaker& make : engine_makers) {
            const auto whole = make(p, 1e-7);
            for (const std::int64_t cut : {1, 700, 1333}) {
                if (sanitised && cut != 700) continue;
                whole->advance(cut - whole->step());
                const auto columns = saved(*whole);
                const auto resumed = make(p, 1e-7);
                restore(*resumed, cut, columns);
                const auto other = make(p, 1e-7);
                other->advance(2500);
                resumed->advance(2500 - cut);
                CHECK(saved(*resumed) == saved(*other));
                CHECK(resumed->totals().external_work == other->totals().external_work);
                CHECK(resumed->box().edges.of == other->box().edges.of);
            }
        }
    }
}

TEST_CASE("a piston on a pressed crystal oscillates with the frequency of its stiffness") {
    // Along z alone: 8 of the 12 contacts per particle are at 45 degrees. Affine, because the
    // crystal is symmetric. With H the edge, V / H = A the area: Q = A sigma_zz.
    packing::Packing p = crystal_of(packing::Lattice::fcc, {2, 2, 2}, false, 2e-6);
    const double r0 = 2 * steel_radius - 2e-6, edge = p.box.upper.z, mass = 0.05;
    const double modulus = steel_modulus / (2 * (1 - steel_ratio * steel_ratio));
    const double stiffness = 4.0 / 3.0 * modulus * std::sqrt(steel_radius / 2);
    const auto along_z = [&](double height) {  // Q of the whole box
        const double s = height / edge, r = r0 * std::sqrt(0.5 * (1 + s * s));
        const double force = stiffness * std::pow(2 * steel_radius - r, 1.5);
        // 4 contacts per particle with the branch (r0 / sqrt 2) s along z.
        return 32 * 4 * force * (r0 * std::sqrt(0.5) * s / r) * (r0 * std::sqrt(0.5) / edge);
    };
    const double area = p.box.upper.x * p.box.upper.y, h = 1e-7 * edge;
    const double slope = (along_z(edge - h) - along_z(edge + h)) / (2 * h);
    const double period = 2 * std::numbers::pi / std::sqrt(slope / mass);
    p.box.strain = packing::Straining{.has_piston = {false, false, true},
                                      .stress = {0, 0, along_z(edge) / area * 1.00001},
                                      .mass = mass};
    for (const EngineMaker& make : engine_makers) {
        const double dt = period / 4000;
        const auto engine = make(p, dt);
        std::vector<double> turns;
        double before = 0.0;
        for (int step = 0; step < 14000; ++step) {
            engine->advance(1);
            const double rate = engine->box().rate.of[2];
            if (before < 0.0 && rate >= 0.0) turns.push_back(step - rate / (rate - before));
            before = rate;
        }
        REQUIRE(turns.size() == 4);
        // The amplitude is 1e-4 of the overlap; the error of the step (dt / period)^2.
        CHECK_RELATIVE((turns[3] - turns[0]) / 3 * dt, period, 1e-5);
        CHECK(std::abs(energy_of(engine->totals()) - energy_of(make(p, dt)->totals())) <
              1e-9 * engine->totals().translational +
                  1e-7 * std::abs(engine->totals().external_work));
    }
}

TEST_CASE("a damped piston brings a packing to the stress that it holds" *
          doctest::skip(sanitised)) {
    packing::Straining strain{.has_piston = {true, true, true},
                              .stress = {3e5, 3e5, 3e5},
                              .mass = 1e-2,
                              .damping = 100.0};
    packing::Packing p = crystal_of(packing::Lattice::fcc, {2, 2, 2}, false, 1e-7);
    p.law = laws::Settings{};
    p.law.name = "hertz";
    p.box.strain = strain;
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 4e-7);
        engine->advance(60000);
        const observers::Tensor stress = observers::stress(observers::MeasuredState(p, *engine));
        for (const std::size_t k : {0u, 4u, 8u})
            CHECK_RELATIVE(-stress[k], 3e5, 1e-6);
    }
}

TEST_CASE("a simple shear of a hexagonal crystal has the stress of its contacts") {
    // Without friction, from a state of equal overlaps. The contacts at 60 and 120 degrees change.
    packing::Packing p = crystal_of(packing::Lattice::hexagonal, {4, 4}, false, 2e-6);
    const double shear_rate = 0.02, dt = 4e-7, end = 2e-3, gamma = shear_rate * end;
    p.box.strain = packing::Straining{.shear_rate = {shear_rate, 0, 0}};
    const double r = 2 * steel_radius - 2e-6;
    const double modulus = steel_modulus / (2 * (1 - steel_ratio * steel_ratio));
    const double stiffness = 4.0 / 3.0 * modulus * std::sqrt(steel_radius / 2);
    double expected = 0.0, upright = 0.0;
    for (const Vec3 branch :
         {Vec3{r, 0, 0}, {0.5 * r, std::sqrt(0.75) * r, 0}, {-0.5 * r, std::sqrt(0.75) * r, 0}}) {
        const Vec3 b{branch.x + gamma * branch.y, branch.y, 0};
        const double force = stiffness * std::pow(2 * steel_radius - size_of(b), 1.5);
        expected += force * b.x * b.y / size_of(b);
        upright += force * b.y * b.y / size_of(b);
    }
    const double area = r * r * std::sqrt(0.75);  // of each particle
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        engine->advance(static_cast<std::int64_t>(std::lround(end / dt)));
        const observers::Tensor stress = observers::stress(observers::MeasuredState(p, *engine));
        CHECK_RELATIVE(-stress[1], expected / area, 1e-6);
        CHECK_RELATIVE(-stress[4], upright / area, 1e-6);
        CHECK(std::abs(stress[1]) > 1e-3 * -stress[4]);
    }
}

TEST_CASE("external forces in a box that strains are refused") {
    const packing::Packing p = loose("hertz", all_rates);
    const auto engine = packing::make_packing_engine(p, 1e-7, 1);
    CHECK_THROWS_AS(engine->add_force({}), ArgumentError);
}

}  // namespace beadwave::validation::straining_box_test
