// Fields of packings on a grid against sums over particles, the stress of the whole packing, the
// balance of momentum, and closed forms.

#include "packing_system/fields.hpp"

#include "crystals.hpp"
#include "dissipating_packings.hpp"
#include "largest.hpp"
#include "normal_numbers.hpp"
#include "packing_engines.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace beadwave::validation::fields_test {

using observers::Fields;
using observers::MeasuredState;
using packing::FieldGrid;
using packing::FieldKernel;
using packing::Vec3;

namespace {

constexpr double field_radius = 1e-3;

/// Soft rough spheres of two sizes that press on each other and move at random, in a periodic box.
packing::Packing restless_packing(Vec3 edges, std::size_t count) {
    packing::Packing p = steel_packing("hertz");
    p.species_list[0].elasticity.youngs_modulus = 1e7;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.box.upper = edges;
    p.box.periodic = {true, true, true};
    std::vector<double> radii(count, field_radius);
    for (std::size_t i = 0; i < count; i += 2)
        radii[i] = 0.8 * field_radius;
    std::size_t i = 0;
    for (const Vec3& centre : packing::random_loose(radii, {}, edges, 3, 7)) {
        // Grown after they were placed, so that they overlap.
        const double r = 1.25 * radii[i];
        p.add(r, steel_mass(r), centre);
        p.velocity.back() = {0.5 + 0.2 * normal_number(9, 3 * i), 0.2 * normal_number(9, 3 * i + 1),
                             0.2 * normal_number(9, 3 * i + 2)};
        ++i;
    }
    return p;
}

/// Sum over the cells, times their volume, of component k of `components`.
double integral(const Fields& fields, std::string_view name, std::size_t components,
                std::size_t k) {
    double sum = 0.0;
    const auto numbers = fields.numbers(name);
    for (std::size_t i = k; i < numbers.size(); i += components)
        sum += numbers[i];
    return sum * fields.cell_volume();
}

Fields taken(const packing::Packing& p, const packing::PackingEngine& engine,
             const FieldGrid& grid) {
    Fields fields(grid, p);
    fields.take(MeasuredState(p, engine), engine);
    return fields;
}

}  // namespace

TEST_CASE("kernels rise from 0 to 1, are symmetric, and are what their formulas say") {
    for (const observers::FieldKernel& kernel : observers::field_kernels()) {
        CHECK(kernel.share_below(-kernel.reach) == 0.0);
        CHECK(kernel.share_below(kernel.reach) == 1.0);
        double before = 0.0;
        for (int k = 1; k < 200; ++k) {
            const double u = kernel.reach * (0.01 * k - 1.0);
            CHECK(kernel.share_below(u) > before);
            before = kernel.share_below(u);
            CHECK_ABSOLUTE(before + kernel.share_below(-u), 1.0, 1e-15);
            // The density by a difference; its error is h^2/6 times the second derivative.
            const double h = 1e-4, s = std::abs(u) / 2.0;
            if (std::abs(u) < h || kernel.reach - std::abs(u) < h) continue;
            const double density =
                (kernel.share_below(u + h) - kernel.share_below(u - h)) / (2.0 * h);
            const double expected =
                kernel.name == "lucy"
                    ? 0.625 * (1.0 + 3.0 * s) * std::pow(1.0 - s, 3)
                    : 0.3989422804014327 * std::exp(-0.5 * u * u) / std::erf(3.0 / std::sqrt(2.0));
            CHECK_ABSOLUTE(density, expected, 1e-7);
        }
    }
}

TEST_CASE("in a periodic box all cells have the mass, the momentum and the stress of the packing") {
    const packing::Packing p = restless_packing({0.011, 0.012, 0.013}, 120);
    const double volume = 0.011 * 0.012 * 0.013;
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-6);
        engine->advance(300);
        const MeasuredState state(p, *engine);
        REQUIRE(state.contacts.sides > 120.0);
        for (const FieldGrid& grid : {FieldGrid{{6, 7, 8}, 1.5e-3, FieldKernel::gaussian},
                                      FieldGrid{{6, 7, 8}, 1.5e-3, FieldKernel::lucy},
                                      FieldGrid{{1, 1, 30}, 4e-4}, FieldGrid{{3, 1, 4}, 6e-3}}) {
            const Fields fields = taken(p, *engine, grid);
            double mass = 0.0, solid = 0.0;
            Vec3 momentum{};
            for (std::size_t i = 0; i < p.particles(); ++i) {
                mass += p.mass[i];
                solid += p.solid(i);
                momentum += p.mass[i] * engine->velocity()[i];
            }
            CHECK_RELATIVE(integral(fields, "field_density", 1, 0), mass, 1e-12);
            CHECK_RELATIVE(integral(fields, "field_volume_fraction", 1, 0), solid, 1e-12);
            const auto density = fields.numbers("field_density"),
                       velocity = fields.numbers("field_velocity"),
                       kinetic = fields.numbers("field_kinetic_stress");
            const double parts[] = {momentum.x, momentum.y, momentum.z};
            const double size = std::abs(parts[0]);
            for (std::size_t a = 0; a < 3; ++a) {
                double sum = 0.0;
                for (std::size_t k = 0; k < density.size(); ++k)
                    sum += density[k] * velocity[3 * k + a] * fields.cell_volume();
                CHECK_ABSOLUTE(sum, parts[a], 1e-12 * size);
            }
            // The contact part is Love and Weber's. The kinetic part is, together with the motion
            // of the cells relative to the whole.
            const observers::Tensor contact = contact_stress(state),
                                    of_motion = kinetic_stress(state);
            const Vec3 mean = (1.0 / mass) * momentum;
            const double means[] = {mean.x, mean.y, mean.z};
            for (std::size_t k = 0; k < 9; ++k) {
                CHECK_ABSOLUTE(integral(fields, "field_contact_stress", 9, k) / volume, contact[k],
                               1e-10 * std::abs(contact[0]));
                double sum = 0.0;
                for (std::size_t c = 0; c < density.size(); ++c) {
                    sum += kinetic[9 * c + k] - density[c] *
                                                    (velocity[3 * c + k / 3] - means[k / 3]) *
                                                    (velocity[3 * c + k % 3] - means[k % 3]);
                }
                CHECK_ABSOLUTE(sum * fields.cell_volume() / volume, of_motion[k],
                               1e-10 * std::abs(of_motion[0]));
            }
        }
    }
}

TEST_CASE("the momentum of each cell changes by the divergence of the stress and gravity") {
    packing::Packing p = restless_packing({0.010, 0.010, 0.010}, 80);
    p.gravity = {0.0, 0.0, -9.81};
    constexpr double step = 2e-7;
    // Differences over two cells of h have an error of the second order: (h/w)^2/6 of a derivative,
    // 4 % with half a width, of terms that partly cancel each other. Halving h must quarter it.
    const auto largest_error = [&](std::int64_t cells) {
        const FieldGrid grid{{cells, cells, cells}, 1.25e-3, FieldKernel::gaussian};
        const auto saved = packing::make_packing_engine(p, step, 1);
        saved->advance(400);
        saved->advance(1);
        const Fields before = taken(p, *saved, grid);
        saved->advance(1);
        const Fields now = taken(p, *saved, grid);
        saved->advance(1);
        const Fields after = taken(p, *saved, grid);
        const double h = 0.010 / static_cast<double>(cells);
        const auto n = static_cast<std::size_t>(cells);
        const auto at = [n](std::size_t x, std::size_t y, std::size_t z) {
            return ((x % n) * n + y % n) * n + z % n;
        };
        const auto density = now.numbers("field_density"), v = now.numbers("field_velocity"),
                   contact = now.numbers("field_contact_stress"),
                   kinetic = now.numbers("field_kinetic_stress");
        const auto momentum = [](const Fields& fields, std::size_t cell, std::size_t i) {
            return fields.numbers("field_density")[cell] *
                   fields.numbers("field_velocity")[3 * cell + i];
        };
        const auto flux = [&](std::size_t cell, std::size_t i, std::size_t j) {
            return density[cell] * v[3 * cell + i] * v[3 * cell + j] -
                   contact[9 * cell + 3 * i + j] - kinetic[9 * cell + 3 * i + j];
        };
        Largest worst, largest;
        for (std::size_t x = 0; x < n; ++x) {
            for (std::size_t y = 0; y < n; ++y) {
                for (std::size_t z = 0; z < n; ++z) {
                    const std::size_t cell = at(x, y, z);
                    const std::size_t next[] = {at(x + 1, y, z), at(x, y + 1, z), at(x, y, z + 1)},
                                      last[] = {at(x + n - 1, y, z), at(x, y + n - 1, z),
                                                at(x, y, z + n - 1)};
                    for (std::size_t i = 0; i < 3; ++i) {
                        const double rate =
                            (momentum(after, cell, i) - momentum(before, cell, i)) / (2.0 * step);
                        double out = i == 2 ? 9.81 * density[cell] : 0.0;
                        for (std::size_t j = 0; j < 3; ++j)
                            out += (flux(next[j], i, j) - flux(last[j], i, j)) / (2.0 * h);
                        worst.enter(std::abs(rate + out));
                        largest.enter(std::abs(rate));
                    }
                }
            }
        }
        return worst / largest;
    };
    const double coarse = largest_error(16), fine = largest_error(32);
    CHECK(coarse < 0.12);
    CHECK(fine < 0.3 * coarse);
}

TEST_CASE("a column under its weight carries the weight above each height, and its walls do" *
          doctest::skip(sanitised)) {
    packing::Packing p = steel_packing("tsuji");
    p.law.values.insert_or_assign("restitution", 0.1);
    p.species_list[0].elasticity.youngs_modulus = 1e9;
    p.gravity = {0.0, 0.0, -9.81};
    const packing::Crystal crystal{
        .lattice = packing::Lattice::simple_cubic, .cells = {2, 2, 12}, .radius = field_radius};
    add_crystal(p, crystal);
    const Vec3 period = packing::period(crystal);
    p.box.upper = period;
    p.box.periodic = {true, true, false};
    p.walls.push_back(
        {.shape = packing::Plane{.point = {0, 0, -field_radius}, .normal = {0, 0, 1}}});
    // Below the floor too, so that no kernel leaves the region.
    p.region = {.lower = {0, 0, -0.012}, .upper = {period.x, period.y, 0.034}};
    const double spacing = 2.0 * field_radius;
    const auto engine = packing::make_packing_engine(p, 2e-7, 1);
    engine->advance(500'000);
    REQUIRE(engine->totals().translational < 1e-8 * engine->totals().stored_normal);
    const FieldGrid grid{{1, 1, 230}, 2.0 * spacing, FieldKernel::lucy};
    const Fields fields = taken(p, *engine, grid);
    const auto density = fields.numbers("field_density"),
               stress = fields.numbers("field_contact_stress"),
               wall = fields.numbers("field_wall_force");
    const double weight = 48.0 * p.mass[0] * 9.81;
    CHECK_RELATIVE(integral(fields, "field_density", 1, 0), 48.0 * p.mass[0], 1e-12);
    CHECK_RELATIVE(integral(fields, "field_wall_force", 3, 2), weight, 1e-3);
    // The stress falls with height by the weight of what is there: summed from the top over cells
    // of a fortieth of the kernel, which sees the stress within a cell to 1e-3.
    const double h = fields.places(2)[1] - fields.places(2)[0];
    double above = 0.0;
    const double bottom = weight / (period.x * period.y);
    for (std::size_t k = 230; k-- > 0;) {
        const double slab = (9.81 * density[k] - wall[3 * k + 2]) * h;
        CHECK_ABSOLUTE(-stress[9 * k + 8], above + 0.5 * slab, 1e-3 * bottom);
        above += slab;
    }
    CHECK_ABSOLUTE(above, 0.0, 1e-3 * bottom);
    // In the middle, far from both ends, it is the density of the crystal times g times the depth.
    const double mean_density = p.mass[0] / (spacing * spacing * spacing);
    const double top = 11.5 * spacing;
    for (std::size_t k = 100; k < 130; ++k) {
        const double depth = top - fields.places(2)[k];
        CHECK_RELATIVE(-stress[9 * k + 8], mean_density * 9.81 * depth, 0.01);
    }
}

TEST_CASE("in a box that is sheared the velocity is linear, across its sides too") {
    packing::Packing p = steel_packing("hertz");
    const packing::Crystal crystal{.lattice = packing::Lattice::simple_cubic,
                                   .cells = {4, 4, 10},
                                   .radius = field_radius,
                                   .overlap = -0.2 * field_radius};
    add_crystal(p, crystal);
    p.box.upper = packing::period(crystal);
    p.box.periodic = {true, true, true};
    constexpr double rate = 20.0;
    p.box.strain = packing::Straining{.shear_rate = {0.0, rate, 0.0}};
    const double height = p.box.upper.z;
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-6);
        engine->advance(7000);  // a tilt of 0.14 heights
        const FieldGrid grid{{1, 1, 40}, 1e-3, FieldKernel::lucy};
        const Fields fields = taken(p, *engine, grid);
        const auto velocity = fields.numbers("field_velocity");
        // A cell has the mean velocity of the mass in it: layers are sampled within the reach, so
        // the error of the profile is that of the mean height of the mass.
        for (std::size_t k = 0; k < 40; ++k) {
            CHECK_ABSOLUTE(velocity[3 * k], rate * fields.places(2)[k], 0.02 * rate * height);
            CHECK_ABSOLUTE(velocity[3 * k + 2], 0.0, 1e-9);
        }
        double mass = 0.0;
        for (const double m : p.mass)
            mass += m;
        CHECK_RELATIVE(integral(fields, "field_density", 1, 0), mass, 1e-12);
    }
}

TEST_CASE("in the plane fields are per area, and a fine grid averages to a coarse one") {
    packing::Packing p = steel_packing("hertz");
    p.dimension = 2;
    p.box.upper = {0.02, 0.02, 0.0};
    p.box.periodic = {true, true, false};
    const std::vector<double> radii(40, field_radius);
    for (const Vec3& centre : packing::random_loose(radii, {}, p.box.upper, 2, 5)) {
        p.add(1.15 * field_radius, steel_mass(field_radius), centre);
        p.velocity.back() = {0.1, 0.2, 0.0};
    }
    const auto engine = packing::make_plain_packing_engine(p, 1e-8);
    const Fields fine = taken(p, *engine, {{12, 8, 1}, 2e-3}),
                 coarse = taken(p, *engine, {{4, 8, 1}, 2e-3});
    REQUIRE(!engine->contacts().empty());
    CHECK_RELATIVE(integral(fine, "field_density", 1, 0), 40.0 * p.mass[0], 1e-12);
    for (const auto& field :
         {std::pair{"field_density", 1U}, std::pair{"field_contact_stress", 9U}}) {
        const std::size_t components = field.second;
        const auto few = coarse.numbers(field.first), many = fine.numbers(field.first);
        for (std::size_t x = 0; x < 4; ++x) {
            for (std::size_t k = 0; k < 8U * components; ++k) {
                double mean = 0.0;
                for (std::size_t part = 0; part < 3; ++part)
                    mean += many[(3 * x + part) * 8 * components + k] / 3.0;
                CHECK_ABSOLUTE(few[x * 8 * components + k], mean, 1e-12 * std::abs(few[0]));
            }
        }
    }
    CHECK_ABSOLUTE(fine.numbers("field_velocity")[0], 0.1, 1e-15);
    CHECK(fine.numbers("field_wall_force").empty());
}

TEST_CASE("the field of dissipation adds up to what the contacts dissipated, walls included") {
    for (const bool walls : {false, true}) {
        CAPTURE(walls);
        packing::Packing p = walls ? packing_between_walls("tsuji") : loose_packing("tsuji");
        const double side = p.box.upper.z;
        const FieldGrid grid{.cells = {3, 2, 4}, .width = 0.1 * side};
        // Without periodic sides the cells must reach beyond the particles by the kernel.
        if (walls)
            p.region = {.lower = {-side, -side, -side}, .upper = {2 * side, 2 * side, 2 * side}};
        const auto engine = FastEngine::known(p, 1e-6);
        engine->advance(2400);
        Fields fields(grid, p, true);
        fields.take(MeasuredState(p, *engine), *engine);
        const packing::DissipationParts all = sum_of(*engine);
        CHECK(all.normal > 0.0);
        CHECK(all.sliding > 0.0);
        for (std::size_t k = 0; k < packing::DissipationParts::count; ++k)
            CHECK_ABSOLUTE(integral(fields, "field_dissipation", 4, k),
                           all.*packing::DissipationParts::all[k], 1e-12 * all.sum());
        CHECK(taken(p, *engine, grid).numbers("field_dissipation").empty());
    }
}

}  // namespace beadwave::validation::fields_test
