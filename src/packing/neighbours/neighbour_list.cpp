#include "packing/neighbours/neighbour_list.hpp"

#include "packing/neighbours/neighbour_cells.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packing/walls/wall_motion.hpp"
#include "stepping/thread_error.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
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

struct FoundPair {
    std::uint32_t first;
    Neighbour second;
};

/// The neighbours with higher numbers of each particle.
struct NeighbourRows {
    std::vector<std::size_t> begin;    // of each particle
    std::vector<std::uint32_t> count;  // of each particle
    std::vector<Neighbour> second;     // between two rows there may be some that do not count
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

class PairSearch {
  public:
    explicit PairSearch(const NeighbourSearch& search)
        : search_(search),
          lattice_(search.edges.value_or(Edges::of_box(search.box))),
          cells_(search, lattice_.edges) {}

    /// Adds the pairs that the particles of a stretch find: their first particles are in it or in
    /// one before.
    void search(std::size_t s, std::vector<FoundPair>& found) const {
        const std::size_t begin = s * stretch,
                          end = std::min(search_.position.size(), begin + stretch);
        found.reserve(8 * (end - begin));
        SearchRoom room;
        for (std::size_t i = begin; i < end; ++i) {
            cells_.around(i, room, [&](std::uint32_t j, const std::array<std::int32_t, 3>& image) {
                const auto from = static_cast<std::uint32_t>(i);
                if (j == from) return;  // an image of its own
                const std::int32_t sign = j > from ? 1 : -1;
                add_pair(std::min(from, j), std::max(from, j),
                         {sign * image[0], sign * image[1], sign * image[2]}, found);
            });
        }
    }

  private:
    bool is_own(std::size_t i) const { return i >= search_.own_begin && i < search_.own_end; }

    void add_pair(std::uint32_t i, std::uint32_t j, const std::array<std::int32_t, 3>& image,
                  std::vector<FoundPair>& found) const {
        if (is_fixed(search_, i) && is_fixed(search_, j)) return;
        if (!is_own(i) && !is_own(j)) return;
        Vec3 r = search_.position[j] - search_.position[i];
        const bool moved = (image[0] | image[1] | image[2]) != 0;
        if (moved) r += lattice_.edges.shift(image);
        const double reach = search_.radius[i] + search_.radius[j] + search_.skin;
        if (!(dot(r, r) < reach * reach)) return;
        found.push_back({i, {j, moved ? lattice_.of_box(image) : image}});
    }

    const NeighbourSearch& search_;
    const LeastTilt lattice_;
    const SizedCells cells_;
};

/// Gives the pairs that stretches have found to their first particles, in the order of the second
/// ones. `found` is then empty.
NeighbourRows rows_of(const NeighbourSearch& search, std::vector<std::vector<FoundPair>>& found) {
    const std::size_t n = search.position.size();
    NeighbourRows rows{std::vector<std::size_t>(n + 1, 0), std::vector<std::uint32_t>(n, 0), {}};
    const auto next = [&](auto& number) {
        if (search.threads <= 1) return number++;
        return std::atomic_ref(number).fetch_add(1, std::memory_order_relaxed);
    };
    each_stretch(search.threads, found.size(), [&](std::size_t s) {
        for (const FoundPair& pair : found[s])
            next(rows.begin[pair.first + 1]);
    });
    std::partial_sum(rows.begin.begin(), rows.begin.end(), rows.begin.begin());
    rows.second.resize(rows.begin.back());
    each_stretch(search.threads, found.size(), [&](std::size_t s) {
        for (const FoundPair& pair : found[s])
            rows.second[rows.begin[pair.first] + next(rows.count[pair.first])] = pair.second;
        found[s] = std::vector<FoundPair>();
    });
    each_stretch(search.threads, found.size(), [&](std::size_t s) {
        for (std::size_t i = s * stretch; i < std::min(n, (s + 1) * stretch); ++i) {
            const auto row = std::span(rows.second).subspan(rows.begin[i], rows.count[i]);
            std::sort(row.begin(), row.end());
            // With only one or two cells along a periodic axis the same image is found twice.
            const auto end = std::unique(row.begin(), row.end());
            rows.count[i] = static_cast<std::uint32_t>(end - row.begin());
        }
    });
    return rows;
}

/// The pairs of particles in their order; images become ghosts.
void add_particles(NeighbourList& list, const NeighbourRows& rows) {
    const std::size_t n = rows.count.size();
    list.first.reserve(rows.second.size());
    list.second.reserve(rows.second.size());
    // Of each particle the ghost that came last, of each ghost the one before it.
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> newest, earlier;
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
    for (std::size_t i = 0; i < n; ++i) {
        list.first.insert(list.first.end(), rows.count[i], static_cast<std::uint32_t>(i));
        for (const Neighbour& second :
             std::span(rows.second).subspan(rows.begin[i], rows.count[i])) {
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
    std::vector<std::vector<FoundPair>> found((n + stretch - 1) / stretch);
    {
        const PairSearch pairs(search);
        each_stretch(search.threads, found.size(),
                     [&](std::size_t s) { pairs.search(s, found[s]); });
    }

    NeighbourList list;
    add_particles(list, rows_of(search, found));
    for (std::size_t w = 0; w < search.walls.size(); ++w)
        add_wall(list, search, w);
    return list;
}

}  // namespace beadwave::packing
