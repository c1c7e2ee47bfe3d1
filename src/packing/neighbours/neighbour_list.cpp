#include "packing/neighbours/neighbour_list.hpp"

#include "packing/neighbours/neighbour_cells.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packing/walls/wall_motion.hpp"
#include "stepping/thread_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

namespace beadwave::packing {
namespace {

struct Neighbour {
    std::uint32_t second;
    std::array<std::int32_t, 3> image;
    bool operator<(const Neighbour& other) const {
        return second != other.second ? second < other.second : image < other.image;
    }
    bool operator==(const Neighbour& other) const {
        return second == other.second && image == other.image;
    }
};

bool is_image(const Neighbour& neighbour) {
    return (neighbour.image[0] | neighbour.image[1] | neighbour.image[2]) != 0;
}

/// Pairs of one stretch of particles.
struct Found {
    std::vector<std::uint32_t> count;  // of each particle
    std::vector<Neighbour> second;
};

/// Particles that a thread looks at together: few enough that threads end at about the same time.
constexpr std::size_t stretch = 256;

bool is_fixed(const NeighbourSearch& search, std::size_t i) {
    return !search.fixed.empty() && search.fixed[i] != 0;
}

/// The pairs of particles in their order; images become ghosts.
void add_particles(NeighbourList& list, const std::vector<Found>& found, std::size_t n) {
    std::size_t pairs = 0;
    for (const Found& f : found)
        pairs += f.second.size();
    list.first.reserve(pairs);
    list.second.reserve(pairs);
    // Of each particle the ghost that came last, of each ghost the one before it.
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> newest, earlier;
    std::uint32_t first = 0;
    const auto ghost_of = [&](const Neighbour& second) {
        newest.resize(n, none);
        std::uint32_t g = newest[second.second];
        while (g != none && list.ghosts[g].image != second.image)
            g = earlier[g];
        if (g != none) return g;
        g = static_cast<std::uint32_t>(list.ghosts.size());
        list.ghosts.push_back({.of = second.second, .wall = -1, .image = second.image});
        earlier.push_back(std::exchange(newest[second.second], g));
        return g;
    };
    for (const Found& f : found) {
        for (const std::uint32_t count : f.count)
            list.first.insert(list.first.end(), count, first++);
        for (const Neighbour& second : f.second) {
            list.second.push_back(is_image(second)
                                      ? static_cast<std::uint32_t>(n) + ghost_of(second)
                                      : second.second);
        }
    }
}

/// The pairs of particles and one wall, with a ghost each.
void add_wall(NeighbourList& list, const NeighbourSearch& search, std::size_t w) {
    const std::size_t n = search.position.size();
    const std::size_t own_begin = search.own_begin, own_end = std::min(n, search.own_end);
    stepping::ThreadError error;
    struct Near {
        std::size_t particle;
        std::uint32_t patch = 0;
        std::array<std::int32_t, 3> image{};
    };
    std::vector<std::vector<Near>> near((n + stretch - 1) / stretch);
    // Calls add(i, near) for the particles of a stretch, that are neither held nor absent.
    const auto each_particle = [&](const auto& add) {
#pragma omp parallel for schedule(dynamic) num_threads(search.threads) if (search.threads > 1)
        for (std::size_t s = 0; s < near.size(); ++s)
            error.guard([&] {
                near[s].clear();
                for (std::size_t i = std::max(own_begin, s * stretch);
                     i < std::min(own_end, (s + 1) * stretch); ++i) {
                    if (!is_fixed(search, i) && !search.is_absent(i)) add(i, near[s]);
                }
            });
        error.rethrow();
    };
    const Vec3& moved = search.moved[w];
    const auto near_shape = [&](const auto& shape) {
        each_particle([&](std::size_t i, std::vector<Near>& to) {
            const double distance = shape.closest(search.position[i], moved).distance;
            if (distance - search.radius[i] < search.skin) to.push_back({i});
        });
    };
    const auto near_mesh = [&](const Mesh& mesh) {
        const Turn turn = mesh_turn(search.walls[w], search.time);
        std::optional<MeshImages> repeated;
        if (search.box.repeats()) repeated.emplace(mesh, search.box);
        each_particle([&](std::size_t i, std::vector<Near>& to) {
            const Vec3 place = turn.back(search.position[i] - mesh.point - moved);
            const double within = search.radius[i] + search.skin;
            if (repeated) {
                repeated->each_near(place, within, [&](auto patch, const auto& image) {
                    to.push_back({i, patch, image});
                });
                return;
            }
            for (const std::uint32_t patch : mesh.surface->patches_near(place, within))
                to.push_back({i, patch});
        });
    };
    std::visit(
        [&]<class Shape>(const Shape& shape) {
            if constexpr (std::is_same_v<Shape, Mesh>) {
                near_mesh(shape);
            } else {
                near_shape(shape);
            }
        },
        search.walls[w].shape);
    for (const std::vector<Near>& some : near) {
        for (const Near& pair : some) {
            list.first.push_back(static_cast<std::uint32_t>(pair.particle));
            list.second.push_back(static_cast<std::uint32_t>(n + list.ghosts.size()));
            list.ghosts.push_back({.of = static_cast<std::uint32_t>(pair.particle),
                                   .wall = static_cast<std::int32_t>(w),
                                   .image = pair.image,
                                   .patch = pair.patch});
        }
    }
}

}  // namespace

NeighbourList find_neighbours(const NeighbourSearch& search) {
    const std::size_t n = search.position.size();
    const LeastTilt lattice(search.edges.value_or(Edges::of_box(search.box)));
    const SizedCells cells(search, lattice.edges);

    const std::size_t own_begin = search.own_begin, own_end = std::min(n, search.own_end);
    // A pair is found from its first particle, which may be one before the own ones.
    std::vector<char> before(own_begin, false);
    if (own_begin > 0) {
        SearchRoom room;
        for (std::size_t i = own_begin; i < own_end; ++i) {
            cells.around(i, -1, room, [&](std::uint32_t j, std::array<std::int32_t, 3>) {
                if (j < own_begin) before[j] = true;
            });
        }
    }
    std::vector<Found> found((n + stretch - 1) / stretch);
    const auto search_stretch = [&](std::size_t s) {
        const std::size_t begin = s * stretch, end = std::min(own_end, begin + stretch);
        if (begin >= end) return;
        std::vector<Neighbour>& second = found[s].second;
        found[s].count.assign(end - begin, 0);
        second.reserve(8 * (end - begin));
        SearchRoom room;
        for (std::size_t i = begin; i < end; ++i) {
            const bool is_before = i < own_begin;
            if (is_before && before[i] == 0) continue;
            const std::size_t others = second.size();
            const auto above = static_cast<std::int64_t>(i);
            cells.around(i, above, room, [&](std::uint32_t j, std::array<std::int32_t, 3> image) {
                if (is_fixed(search, i) && is_fixed(search, j)) return;
                if (is_before && (j < own_begin || j >= own_end)) return;
                Vec3 r = search.position[j] - search.position[i];
                const bool moved = (image[0] | image[1] | image[2]) != 0;
                if (moved) r += lattice.edges.shift(image);
                const double reach = search.radius[i] + search.radius[j] + search.skin;
                if (!(dot(r, r) < reach * reach)) return;
                second.push_back({j, moved ? lattice.of_box(image) : image});
            });
            const auto row = second.begin() + static_cast<std::ptrdiff_t>(others);
            std::sort(row, second.end());
            // With only one or two cells along a periodic axis the same image is found twice.
            second.erase(std::unique(row, second.end()), second.end());
            found[s].count[i - begin] = static_cast<std::uint32_t>(second.size() - others);
        }
    };
    stepping::ThreadError error;
#pragma omp parallel for schedule(dynamic) num_threads(search.threads) if (search.threads > 1)
    for (std::size_t s = 0; s < found.size(); ++s)
        error.guard([&] { search_stretch(s); });
    error.rethrow();

    NeighbourList list;
    add_particles(list, found, n);
    for (std::size_t w = 0; w < search.walls.size(); ++w)
        add_wall(list, search, w);
    return list;
}

}  // namespace beadwave::packing
