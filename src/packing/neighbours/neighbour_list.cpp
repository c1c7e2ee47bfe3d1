#include "packing/neighbours/neighbour_list.hpp"

#include "packing/neighbours/neighbour_cells.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packing/walls/wall_motion.hpp"
#include "stepping/thread_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
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

/// A pair found from its second particle.
struct Turned {
    std::uint32_t first;
    Neighbour second;
};

/// Pairs of one stretch of particles.
struct Found {
    std::vector<std::uint32_t> count;  // of each particle
    std::vector<Neighbour> second;
    std::vector<Turned> turned;  // belong to any stretch before, or to this one
};

/// Particles that a thread looks at together: few enough that threads end at about the same time.
constexpr std::size_t stretch = 256;

bool is_fixed(const NeighbourSearch& search, std::size_t i) {
    return !search.fixed.empty() && search.fixed[i] != 0;
}

/// Calls work(stretch) for so many stretches.
template <class Work>
void each_stretch(int threads, std::size_t stretches, Work work) {
    stepping::ThreadError error;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (std::size_t s = 0; s < stretches; ++s)
        error.guard([&] { work(s); });
    error.rethrow();
}

/// Sorts the neighbours of a particle from this place on. With only one or two cells along a
/// periodic axis the same image is found twice.
void sort_row(std::vector<Neighbour>& second, std::size_t begin) {
    const auto row = second.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(row, second.end());
    second.erase(std::unique(row, second.end()), second.end());
}

class PairSearch {
  public:
    explicit PairSearch(const NeighbourSearch& search)
        : search_(search),
          lattice_(search.edges.value_or(Edges::of_box(search.box))),
          cells_(search, lattice_.edges) {}

    /// The pairs that the particles of a stretch find.
    void search(std::size_t s, Found& found) const {
        const std::size_t begin = s * stretch,
                          end = std::min(search_.position.size(), begin + stretch);
        found.count.assign(end - begin, 0);
        found.second.reserve(8 * (end - begin));
        SearchRoom room;
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t others = found.second.size();
            cells_.around(i, room, [&](std::uint32_t j, const std::array<std::int32_t, 3>& image) {
                const auto from = static_cast<std::uint32_t>(i);
                if (j == i) return;  // an image of its own
                if (j > i) {
                    if (const auto pair = pair_of(from, j, image)) found.second.push_back(*pair);
                } else if (const auto pair = pair_of(j, from, {-image[0], -image[1], -image[2]})) {
                    found.turned.push_back({j, *pair});
                }
            });
            sort_row(found.second, others);
            found.count[i - begin] = static_cast<std::uint32_t>(found.second.size() - others);
        }
    }

  private:
    bool is_own(std::size_t i) const { return i >= search_.own_begin && i < search_.own_end; }

    std::optional<Neighbour> pair_of(std::uint32_t i, std::uint32_t j,
                                     const std::array<std::int32_t, 3>& image) const {
        if (is_fixed(search_, i) && is_fixed(search_, j)) return {};
        if (!is_own(i) && !is_own(j)) return {};
        Vec3 r = search_.position[j] - search_.position[i];
        const bool moved = (image[0] | image[1] | image[2]) != 0;
        if (moved) r += lattice_.edges.shift(image);
        const double reach = search_.radius[i] + search_.radius[j] + search_.skin;
        if (!(dot(r, r) < reach * reach)) return {};
        return Neighbour{j, moved ? lattice_.of_box(image) : image};
    }

    const NeighbourSearch& search_;
    const LeastTilt lattice_;
    const SizedCells cells_;
};

/// Gives each pair that was found from its second particle to its first one.
void merge_turned(const NeighbourSearch& search, std::vector<Found>& found) {
    if (std::ranges::all_of(found, [](const Found& f) { return f.turned.empty(); })) return;
    std::vector<std::size_t> begin(search.position.size() + 1, 0);
    for (const Found& f : found) {
        for (const Turned& pair : f.turned)
            ++begin[pair.first + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<Neighbour> turned(begin.back());
    std::vector<std::size_t> at(begin.begin(), begin.end() - 1);
    for (Found& f : found) {
        for (const Turned& pair : f.turned)
            turned[at[pair.first]++] = pair.second;
        f.turned = std::vector<Turned>();
    }
    each_stretch(search.threads, found.size(), [&](std::size_t s) {
        Found& f = found[s];
        const std::size_t first = s * stretch;
        std::vector<Neighbour> all;
        all.reserve(f.second.size() + begin[first + f.count.size()] - begin[first]);
        auto from = f.second.begin();
        for (std::size_t i = first; i < first + f.count.size(); ++i) {
            const std::size_t others = all.size();
            std::uint32_t& count = f.count[i - first];
            all.insert(all.end(), from, from + count);
            from += count;
            if (begin[i] == begin[i + 1]) continue;
            all.insert(all.end(), turned.begin() + static_cast<std::ptrdiff_t>(begin[i]),
                       turned.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]));
            sort_row(all, others);
            count = static_cast<std::uint32_t>(all.size() - others);
        }
        f.second = std::move(all);
    });
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
    struct Near {
        std::size_t particle;
        std::uint32_t patch = 0;
        std::array<std::int32_t, 3> image{};
    };
    std::vector<std::vector<Near>> near((n + stretch - 1) / stretch);
    // Calls add(i, near) for the particles of a stretch, that are neither held nor absent.
    const auto each_particle = [&](const auto& add) {
        each_stretch(search.threads, near.size(), [&](std::size_t s) {
            near[s].clear();
            for (std::size_t i = std::max(own_begin, s * stretch);
                 i < std::min(own_end, (s + 1) * stretch); ++i) {
                if (!is_fixed(search, i) && !search.is_absent(i)) add(i, near[s]);
            }
        });
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
    std::vector<Found> found((n + stretch - 1) / stretch);
    {
        const PairSearch pairs(search);
        each_stretch(search.threads, found.size(),
                     [&](std::size_t s) { pairs.search(s, found[s]); });
    }
    merge_turned(search, found);

    NeighbourList list;
    add_particles(list, found, n);
    for (std::size_t w = 0; w < search.walls.size(); ++w)
        add_wall(list, search, w);
    return list;
}

}  // namespace beadwave::packing
