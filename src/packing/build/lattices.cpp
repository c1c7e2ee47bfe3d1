#include "packing/build/lattices.hpp"

#include "base/random_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace beadwave::packing {
namespace {

/// A cell: edges [in spacings] and positions of its particles [in edges].
struct Cell {
    Vec3 edges;
    std::vector<Vec3> places;
};

Cell cell_of(Lattice lattice) {
    const double root_2 = std::numbers::sqrt2, root_3 = std::numbers::sqrt3;
    switch (lattice) {
        case Lattice::square:
            return {{1, 1, 0}, {{0, 0, 0}}};
        case Lattice::hexagonal:
            return {{1, root_3, 0}, {{0, 0, 0}, {0.5, 0.5, 0}}};
        case Lattice::simple_cubic:
            return {{1, 1, 1}, {{0, 0, 0}}};
        case Lattice::bcc: {
            const double edge = 2.0 / root_3;
            return {{edge, edge, edge}, {{0, 0, 0}, {0.5, 0.5, 0.5}}};
        }
        case Lattice::fcc:
            return {{root_2, root_2, root_2},
                    {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};
        case Lattice::hcp:
            return {{1, root_3, std::sqrt(8.0 / 3.0)},
                    {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 1.0 / 6.0, 0.5}, {0, 2.0 / 3.0, 0.5}}};
    }
    return {};
}

/// Rounded to 41 bits, so that sums of some thousand such lengths, and their differences, are
/// exact.
double few_bits(double length) {
    int exponent = 0;
    const double mantissa = std::frexp(length, &exponent);
    return std::ldexp(std::round(std::ldexp(mantissa, 41)), exponent - 41);
}

/// Number `number` of the random stream `seed`, in (0, 1).
double uniform(std::uint64_t seed, std::uint64_t number) {
    return (static_cast<double>(random_bits(seed, number) >> 11) + 0.5) * 0x1p-53;
}

}  // namespace

std::span<const std::string_view> lattice_names() {
    static constexpr std::string_view names[] = {"square", "hexagonal", "simple-cubic",
                                                 "bcc",    "fcc",       "hcp"};
    return names;
}

bool is_planar(Lattice lattice) {
    return lattice == Lattice::square || lattice == Lattice::hexagonal;
}

namespace {

/// All positions are multiples of these lengths: a sixth of each edge of the cell.
Vec3 sixths(const Crystal& crystal) {
    const double spacing = 2.0 * crystal.radius - crystal.overlap;
    const Vec3 edges = cell_of(crystal.lattice).edges;
    return {few_bits(spacing * edges.x / 6.0), few_bits(spacing * edges.y / 6.0),
            few_bits(spacing * edges.z / 6.0)};
}

}  // namespace

std::size_t count_of(const Crystal& crystal) {
    const auto [columns, rows, layers] = crystal.cells;
    const std::size_t places =
        crystal.lattice == Lattice::hexagonal ? 1 : cell_of(crystal.lattice).places.size();
    return static_cast<std::size_t>(columns * rows * (is_planar(crystal.lattice) ? 1 : layers)) *
           places;
}

std::function<Vec3(std::size_t)> centre_of(const Crystal& crystal) {
    const Vec3 sixth = sixths(crystal), o = crystal.origin;
    const auto in_row = static_cast<std::size_t>(crystal.cells[0]),
               in_layer = static_cast<std::size_t>(crystal.cells[1]);
    const auto at = [](std::size_t cell, std::int64_t part, double length) {
        return static_cast<double>(6 * static_cast<std::int64_t>(cell) + part) * length;
    };
    if (crystal.lattice == Lattice::hexagonal) {
        // Row by row: every second row holds the second particle of each cell.
        return [=](std::size_t number) -> Vec3 {
            const std::size_t row = number / in_row, column = number % in_row;
            const std::int64_t half = row % 2 == 0 ? 0 : 3;
            return {o.x + at(column, half, sixth.x), o.y + at(row / 2, half, sixth.y), o.z};
        };
    }
    std::vector<std::array<std::int64_t, 3>> places;  // [in sixths of the edges]
    for (const Vec3& place : cell_of(crystal.lattice).places)
        places.push_back(
            {std::lround(6.0 * place.x), std::lround(6.0 * place.y), std::lround(6.0 * place.z)});
    return [=](std::size_t number) -> Vec3 {
        const std::array<std::int64_t, 3>& place = places[number % places.size()];
        const std::size_t cell = number / places.size(), row = cell / in_row;
        return {o.x + at(cell % in_row, place[0], sixth.x),
                o.y + at(row % in_layer, place[1], sixth.y),
                o.z + at(row / in_layer, place[2], sixth.z)};
    };
}

std::vector<Vec3> centres(const Crystal& crystal) {
    const std::function<Vec3(std::size_t)> centre = centre_of(crystal);
    std::vector<Vec3> places(count_of(crystal));
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = centre(i);
    return places;
}

Vec3 period(const Crystal& crystal) {
    const auto [columns, rows, layers] = crystal.cells;
    const Vec3 sixth = sixths(crystal);
    const bool planar = is_planar(crystal.lattice);
    const double cells_y =
        crystal.lattice == Lattice::hexagonal ? 3.0 : 6.0;  // a row is half a cell
    return {6.0 * static_cast<double>(columns) * sixth.x,
            cells_y * static_cast<double>(rows) * sixth.y,
            planar ? 0.0 : 6.0 * static_cast<double>(layers) * sixth.z};
}

std::vector<Vec3> random_loose(std::span<const double> radii, Vec3 lower, Vec3 upper, int dimension,
                               std::uint64_t seed) {
    if (radii.empty()) return {};
    const std::size_t n = radii.size();
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order,
                             [&](std::uint32_t a, std::uint32_t b) { return radii[a] > radii[b]; });
    const double largest = radii[order[0]];
    const Vec3 size = upper - lower;
    if (!(size.x > 0.0 && size.y > 0.0 && (dimension == 2 || size.z > 0.0))) {
        throw std::invalid_argument(
            "the region has no volume; expected `upper` above `lower` along every axis");
    }
    const auto count = [&](double width) {
        return static_cast<std::int64_t>(std::clamp(width / (2.0 * largest), 1.0, 1000.0));
    };
    std::int64_t cx = count(size.x), cy = count(size.y), cz = dimension == 2 ? 1 : count(size.z);
    // The number of cells is limited to a few times that of spheres: a few spheres in a large box
    // must not cost memory.
    while (cx * cy * cz > static_cast<std::int64_t>(4 * n + 64)) {
        std::int64_t& longest = std::max({std::ref(cx), std::ref(cy), std::ref(cz)});
        longest = (longest + 1) / 2;
    }
    // The last sphere of each cell, and of each sphere the one before it in its cell.
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> last(static_cast<std::size_t>(cx * cy * cz), none), before(n, none);
    std::vector<Vec3> centre(n);
    const auto index = [](double x, double width, std::int64_t cell_count) {
        const auto k = static_cast<std::int64_t>(x / width * static_cast<double>(cell_count));
        return std::clamp<std::int64_t>(k, 0, cell_count - 1);
    };
    const auto has_room = [&](double r) {
        const double width = 2.0 * r * (1.0 - 1e-12);  // the ends of the region are rounded
        return size.x >= width && size.y >= width && (dimension == 2 || size.z >= width);
    };
    std::uint64_t draw = 0;
    for (const std::uint32_t i : order) {
        const double r = radii[i];
        const auto within = [&](double low, double width) {
            return low + r + (width - 2.0 * r) * uniform(seed, draw++);
        };
        constexpr int max_throws = 20000;
        int throws = 0;
        for (bool placed = false; !placed; ++throws) {
            if (throws == max_throws || !has_room(r)) {
                throw std::invalid_argument(
                    fmt::format("no place for sphere {} of {} among the spheres placed before; "
                                "expected a larger region or fewer spheres",
                                i, n));
            }
            const double x = within(lower.x, size.x), y = within(lower.y, size.y);
            const Vec3 p{x, y, dimension == 2 ? lower.z : within(lower.z, size.z)};
            const std::int64_t kx = index(p.x - lower.x, size.x, cx),
                               ky = index(p.y - lower.y, size.y, cy),
                               kz = dimension == 2 ? 0 : index(p.z - lower.z, size.z, cz);
            placed = true;
            for (std::int64_t c = std::max<std::int64_t>(kz - 1, 0);
                 placed && c <= std::min(kz + 1, cz - 1); ++c) {
                for (std::int64_t b = std::max<std::int64_t>(ky - 1, 0);
                     placed && b <= std::min(ky + 1, cy - 1); ++b) {
                    for (std::int64_t a = std::max<std::int64_t>(kx - 1, 0);
                         placed && a <= std::min(kx + 1, cx - 1); ++a) {
                        for (std::uint32_t j =
                                 last[static_cast<std::size_t>((c * cy + b) * cx + a)];
                             placed && j != none; j = before[j]) {
                            const Vec3 d = p - centre[j];
                            const double reach = r + radii[j];
                            placed = dot(d, d) > reach * reach;
                        }
                    }
                }
            }
            if (!placed) continue;
            centre[i] = p;
            before[i] = std::exchange(last[static_cast<std::size_t>((kz * cy + ky) * cx + kx)], i);
        }
    }
    return centre;
}

}  // namespace beadwave::packing
