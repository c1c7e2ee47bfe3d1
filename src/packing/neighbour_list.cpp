#include "packing/neighbour_list.hpp"

#include "stepping/thread_error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace beadwave::packing {
namespace {

std::array<double, 3> components(Vec3 v) {
    return {v.x, v.y, v.z};
}

/// Particles sorted into cells at least one reach wide, so that neighbours are in the same or in
/// adjacent cells. In a tilted box the cells are as tilted; places are then those that the
/// particles would have without tilt, at the same fractions of the edges.
class Cells {
  public:
    Cells(const NeighbourSearch& search, const Edges& edges, double reach)
        : search_(search), edges_(edges), tilted_(edges.is_tilted()) {
        const std::size_t n = search.position.size();
        const auto box_lower = components(search.box.lower),
                   box_upper = components(search.box.upper);
        const auto widths = edges.widths();
        std::array<double, 3> upper{};
        lower_.fill(0.0);
        bool any = false;
        for (std::size_t i = 0; i < n; ++i) {
            const auto p = upright(i);
            if (!(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]))) continue;
            for (int a = 0; a < 3; ++a) {
                lower_[a] = any ? std::min(lower_[a], p[a]) : p[a];
                upper[a] = any ? std::max(upper[a], p[a]) : p[a];
            }
            any = true;
        }
        // The number of cells is limited to a few times that of particles: one particle far away
        // must not cost memory.
        const auto most = static_cast<std::int64_t>(std::cbrt(static_cast<double>(n)) * 4.0) + 8;
        for (int a = 0; a < 3; ++a) {
            if (search.box.periodic[a]) {
                lower_[a] = box_lower[a];
                upper[a] = search.edges ? box_lower[a] + edges.of[a] : box_upper[a];
                period_[a] = edges.of[a];
            }
            const double width = upper[a] - lower_[a];
            const double count =
                std::floor((tilted_ && search.box.periodic[a] ? widths[a] : width) / reach);
            count_[a] = std::clamp<std::int64_t>(
                count < 1e9 ? static_cast<std::int64_t>(count) : most, 1, most * (n > 0 ? 4 : 1));
            scale_[a] = width > 0.0 ? static_cast<double>(count_[a]) / width : 0.0;
        }
        while (count_[0] * count_[1] * count_[2] > static_cast<std::int64_t>(4 * n + 64)) {
            const int longest =
                static_cast<int>(std::max_element(count_.begin(), count_.end()) - count_.begin());
            count_[longest] = (count_[longest] + 1) / 2;
            scale_[longest] =
                static_cast<double>(count_[longest]) / (upper[longest] - lower_[longest]);
        }
        cell_.resize(n);
        image_.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            place(i);
        start_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]) + 1, 0);
        for (std::size_t i = 0; i < n; ++i) {
            if (cell_[i] >= 0) ++start_[static_cast<std::size_t>(cell_[i]) + 1];
        }
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        member_.resize(start_.back());
        std::vector<std::uint32_t> at(start_.begin(), start_.end() - 1);
        for (std::size_t i = 0; i < n; ++i) {
            if (cell_[i] >= 0)
                member_[at[static_cast<std::size_t>(cell_[i])]++] = static_cast<std::uint32_t>(i);
        }
    }

    /// Calls visit(j, shift of j in periods that brings it next to i) for all particles j in the 27
    /// cells around i.
    template <class Function>
    void around(std::size_t i, Function visit) const {
        if (cell_[i] < 0) return;
        const std::int64_t c = cell_[i];
        const std::array<std::int64_t, 3> at{c % count_[0], c / count_[0] % count_[1],
                                             c / (count_[0] * count_[1])};
        std::array<std::int64_t, 3> cell{};
        std::array<std::int32_t, 3> wrap{};
        const auto along = [&](int axis, auto&& next) {
            for (std::int64_t s = -1; s <= 1; ++s) {
                std::int64_t k = at[axis] + s;
                wrap[axis] = 0;
                if (k < 0 || k >= count_[axis]) {
                    if (!search_.box.periodic[axis]) continue;
                    wrap[axis] = k < 0 ? -1 : 1;
                    k = (k + count_[axis]) % count_[axis];
                }
                cell[axis] = k;
                next();
            }
        };
        along(2, [&] {
            along(1, [&] {
                along(0, [&] {
                    const auto where = static_cast<std::size_t>(
                        (cell[2] * count_[1] + cell[1]) * count_[0] + cell[0]);
                    for (std::uint32_t m = start_[where]; m < start_[where + 1]; ++m) {
                        const std::uint32_t j = member_[m];
                        visit(j,
                              std::array<std::int32_t, 3>{wrap[0] + image_[i][0] - image_[j][0],
                                                          wrap[1] + image_[i][1] - image_[j][1],
                                                          wrap[2] + image_[i][2] - image_[j][2]});
                    }
                });
            });
        });
    }

  private:
    std::array<double, 3> upright(std::size_t i) const {
        const Vec3& position = search_.position[i];
        if (!tilted_) return components(position);
        const Vec3 s = edges_.fractions(position - search_.box.lower);
        return components(search_.box.lower +
                          Vec3{s.x * edges_.of[0], s.y * edges_.of[1], s.z * edges_.of[2]});
    }

    void place(std::size_t i) {
        const auto p = upright(i);
        std::array<std::int64_t, 3> at{};
        cell_[i] = -1;
        for (int a = 0; a < 3; ++a) {
            if (!std::isfinite(p[a]) || std::abs(p[a]) > 1e30) return;
            double x = p[a] - lower_[a];
            if (search_.box.periodic[a]) {
                const double periods = std::floor(x / period_[a]);
                if (!(std::abs(periods) < 1e9)) return;
                x -= periods * period_[a];
                image_[i][a] = static_cast<std::int32_t>(periods);
            }
            at[a] = std::clamp<std::int64_t>(static_cast<std::int64_t>(x * scale_[a]), 0,
                                             count_[a] - 1);
        }
        cell_[i] = (at[2] * count_[1] + at[1]) * count_[0] + at[0];
    }

    const NeighbourSearch& search_;
    const Edges& edges_;
    bool tilted_;
    std::array<double, 3> lower_{}, scale_{}, period_{};
    std::array<std::int64_t, 3> count_{};
    std::vector<std::int64_t> cell_;
    std::vector<std::array<std::int32_t, 3>> image_;  // periods between a particle and the box
    std::vector<std::uint32_t> start_, member_;
};

struct Neighbour {
    std::uint32_t second;
    std::array<std::int32_t, 3> image;
    auto operator<=>(const Neighbour&) const = default;
};

/// Pairs of one stretch of particles.
struct Found {
    std::vector<std::uint32_t> first;
    std::vector<Neighbour> second;
};

}  // namespace

NeighbourList find_neighbours(const NeighbourSearch& search) {
    const std::size_t n = search.position.size();
    double largest = 0.0;
    for (const double r : search.radius)
        largest = std::max(largest, r);
    const LeastTilt lattice(search.edges.value_or(Edges::of_box(search.box)));
    const Cells cells(search, lattice.edges, 2.0 * largest + search.skin);

    constexpr std::size_t stretch = 4096;
    const auto fixed = [&](std::size_t i) { return !search.fixed.empty() && search.fixed[i] != 0; };
    std::vector<Found> found((n + stretch - 1) / stretch);
    const auto search_stretch = [&](std::size_t s) {
        std::vector<Neighbour> row;
        for (std::size_t i = s * stretch; i < std::min(n, (s + 1) * stretch); ++i) {
            row.clear();
            cells.around(i, [&](std::uint32_t j, std::array<std::int32_t, 3> image) {
                if (j <= i || (fixed(i) && fixed(j))) return;
                const Vec3 r = search.position[j] - search.position[i] + lattice.edges.shift(image);
                const double reach = search.radius[i] + search.radius[j] + search.skin;
                if (dot(r, r) < reach * reach) row.push_back({j, lattice.of_box(image)});
            });
            // With only one or two cells along a periodic axis the same image is found twice.
            std::ranges::sort(row);
            row.erase(std::unique(row.begin(), row.end()), row.end());
            for (const Neighbour& neighbour : row) {
                found[s].first.push_back(static_cast<std::uint32_t>(i));
                found[s].second.push_back(neighbour);
            }
        }
    };
    stepping::ThreadError error;
#pragma omp parallel for schedule(dynamic) num_threads(search.threads) if (search.threads > 1)
    for (std::size_t s = 0; s < found.size(); ++s)
        error.guard([&] { search_stretch(s); });
    error.rethrow();

    NeighbourList list;
    std::size_t pairs = 0;
    for (const Found& f : found)
        pairs += f.first.size();
    list.first.reserve(pairs);
    list.second.reserve(pairs);
    std::map<Neighbour, std::uint32_t> images;
    for (const Found& f : found) {
        for (std::size_t k = 0; k < f.first.size(); ++k) {
            const Neighbour& second = f.second[k];
            std::uint32_t number = second.second;
            if (second.image != std::array<std::int32_t, 3>{}) {
                const auto [at, is_new] =
                    images.try_emplace(second, static_cast<std::uint32_t>(n + list.ghosts.size()));
                if (is_new)
                    list.ghosts.push_back({.of = number, .wall = -1, .image = second.image});
                number = at->second;
            }
            list.first.push_back(f.first[k]);
            list.second.push_back(number);
        }
    }
    for (std::size_t w = 0; w < search.walls.size(); ++w) {
        for (std::size_t i = 0; i < n; ++i) {
            const double distance =
                search.walls[w].closest(search.position[i], search.moved[w]).distance;
            if (fixed(i) || !(distance - search.radius[i] < search.skin)) continue;
            list.first.push_back(static_cast<std::uint32_t>(i));
            list.second.push_back(static_cast<std::uint32_t>(n + list.ghosts.size()));
            list.ghosts.push_back({.of = static_cast<std::uint32_t>(i),
                                   .wall = static_cast<std::int32_t>(w),
                                   .image = {}});
        }
    }
    return list;
}

}  // namespace beadwave::packing
