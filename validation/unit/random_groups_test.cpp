// Groups of particles with random radii and places, and the seeds of several of them.

#include "packing/packing.hpp"
#include "packing_system/packing_simulation.hpp"
#include "relative.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::random_groups_test {

namespace {

std::string group(double from, const std::string& more) {
    return fmt::format(R"([[particles]]
random = 400
lower = [{}, 0, 0]
upper = [{}, 0.1, 0.1]
radius = 1e-3
disorder = 0.3
material = "s"
{}
)",
                       from, from + 0.1, more);
}

packing::Packing built(const std::string& groups) {
    const std::string text = R"([material.s]
youngs_modulus = 1e7
poisson_ratio = 0.3
density = 2500
[law]
name = "hertz"
[time]
end = 1e-3
)" + groups;
    return packing::build_packing(io::read_packing_text(text, "random.toml", {}).scenario);
}

/// Pearson's coefficient of the numbers of the first and the second 400 particles.
template <class Number>
double correlation(const Number& number) {
    constexpr std::size_t n = 400;
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double a = number(i), b = number(n + i);
        x += a / n, y += b / n, xx += a * a / n, yy += b * b / n, xy += a * b / n;
    }
    return (xy - x * y) / std::sqrt((xx - x * x) * (yy - y * y));
}

/// The largest correlation of radii and places.
double most_alike(const packing::Packing& p) {
    double most = 0.0;
    for (const double found : {correlation([&](std::size_t i) { return p.radius[i]; }),
                               correlation([&](std::size_t i) { return p.position[i].y; }),
                               correlation([&](std::size_t i) { return p.position[i].z; })})
        most = std::fmax(most, std::abs(found));
    return most;
}

}  // namespace

TEST_CASE("random groups differ where their seeds are the same") {
    // 400 pairs of independent numbers correlate by 0.05; five times as much is one in 1e6.
    for (const std::string seed : {"", "seed = 7\n"})
        CHECK(most_alike(built(group(0.0, seed) + group(0.2, seed))) < 0.25);
    CHECK(most_alike(built(group(0.0, "seed = 7\n") + group(0.2, "seed = 8\n"))) < 0.25);
    // The first group with a seed is what it is alone.
    const packing::Packing one = built(group(0.0, "seed = 7\n")),
                           two = built(group(0.0, "seed = 7\n") + group(0.2, "seed = 7\n"));
    for (std::size_t i = 0; i < 400; ++i) {
        CHECK(one.radius[i] == two.radius[i]);
        CHECK(one.position[i] == two.position[i]);
    }
}

namespace {

/// Spheres of these radii [mm], in a row without touching.
packing::Packing row_of(const std::vector<double>& radii) {
    std::string groups;
    double x = 0.0;
    for (const double radius : radii) {
        x += radius;
        groups +=
            fmt::format("[[particles]]\nposition = [{}, 0, 0]\nradius = {}\nmaterial = \"s\"\n",
                        1e-3 * x, 1e-3 * radius);
        x += radius + 0.1;
    }
    return built(groups);
}

}  // namespace

TEST_CASE("the skin of small spheres among larger ones is wider, up to their radius") {
    CHECK_RELATIVE(row_of({1.0, 1.0, 1.1}).skin, 0.5e-3, 1e-12);
    CHECK_RELATIVE(row_of({1.0, 28.0, 30.0}).skin, 1e-3, 1e-12);
    // In between it grows as the root of the volume of all spheres over the surfaces 4 pi (r +
    // r')^2 of their pairs, half as many as the sum below counts; equal spheres would have a
    // fifth of a radius.
    const std::vector<double> radii{1.0, 2.0, 4.0, 7.0, 10.0};
    double shells = 0.0, volume = 0.0;
    for (const double a : radii) {
        volume += 4.0 / 3.0 * std::numbers::pi * a * a * a;
        for (const double b : radii)
            shells += std::numbers::pi * (a + b) * (a + b) / static_cast<double>(radii.size());
    }
    CHECK_RELATIVE(row_of(radii).skin, 1e-3 * 0.2 * std::sqrt(3.0 * volume / shells), 1e-12);
    CHECK(row_of(radii).skin > 0.51e-3);
}

}  // namespace beadwave::validation::random_groups_test
