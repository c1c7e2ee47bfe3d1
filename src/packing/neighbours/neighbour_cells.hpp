// Particles sorted into cells, for the search for neighbours.
#pragma once

#include "packing/edges.hpp"
#include "packing/neighbours/neighbour_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// Where the particles are among the cells. In a tilted box the cells are as tilted; places are
/// then those that the particles would have without tilt, at the same fractions of the edges.
struct Places {
    std::vector<std::array<double, 3>> from_lower;         // within one period
    std::vector<std::array<std::int32_t, 3>> image;        // periods between a particle and the box
    std::vector<char> known;                               // its position is finite
    std::array<double, 3> size{}, stretch{1.0, 1.0, 1.0};  // stretch: of a distance, by the tilt
    std::array<bool, 3> periodic{};

    Places(const NeighbourSearch& search, const Edges& edges)
        : from_lower(search.position.size()),
          image(search.position.size()),
          known(search.position.size(), false),
          periodic(search.box.periodic) {
        const auto box_lower = components(search.box.lower),
                   box_upper = components(search.box.upper);
        const auto widths = edges.widths();
        const bool tilted = edges.is_tilted();
        std::array<double, 3> lower{}, upper{}, period{};
        bool any = false;
        for (std::size_t i = 0; i < from_lower.size(); ++i) {
            auto p = components(search.position[i]);
            if (tilted) {
                const Vec3 s = edges.fractions(search.position[i] - search.box.lower);
                p = components(search.box.lower +
                               Vec3{s.x * edges.of[0], s.y * edges.of[1], s.z * edges.of[2]});
            }
            from_lower[i] = p;
            if (search.is_absent(i)) continue;
            if (!(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]))) continue;
            for (int a = 0; a < 3; ++a) {
                lower[a] = any ? std::min(lower[a], p[a]) : p[a];
                upper[a] = any ? std::max(upper[a], p[a]) : p[a];
            }
            any = true;
        }
        for (int a = 0; a < 3; ++a) {
            if (periodic[a]) {
                lower[a] = box_lower[a];
                upper[a] = search.edges ? box_lower[a] + edges.of[a] : box_upper[a];
                period[a] = edges.of[a];
                if (tilted) stretch[a] = edges.of[a] / widths[a];
            }
            size[a] = upper[a] - lower[a];
        }
        for (std::size_t i = 0; i < from_lower.size(); ++i)
            known[i] = wrap(from_lower[i], image[i], lower, period) && !search.is_absent(i);
    }

    /// The place in space within one period [m], from an origin that all share.
    Vec3 real(std::size_t i, const Edges& edges) const {
        const auto& [x, y, z] = from_lower[i];
        if (!edges.is_tilted()) return {x, y, z};
        return edges.times({x / edges.of[0], y / edges.of[1], z / edges.of[2]});
    }

  private:
    bool wrap(std::array<double, 3>& place, std::array<std::int32_t, 3>& its_image,
              const std::array<double, 3>& lower, const std::array<double, 3>& period) const {
        for (int a = 0; a < 3; ++a) {
            if (!std::isfinite(place[a]) || std::abs(place[a]) > 1e30) return false;
            place[a] -= lower[a];
            if (!periodic[a]) continue;
            const double periods = std::floor(place[a] / period[a]);
            if (!(std::abs(periods) < 1e9)) return false;
            place[a] -= periods * period[a];
            its_image[a] = static_cast<std::int32_t>(periods);
        }
        return true;
    }
};

/// A particle in the order of the cells: its number, radius and place within one period [m].
struct Member {
    double x, y, z, radius;
    std::uint32_t number;
};

/// Particles of about one size, sorted into cells at least one reach wide.
class Cells {
  public:
    Cells(const Places& places, const std::vector<std::uint32_t>& members,
          std::span<const double> radius, const Edges& edges, double reach)
        : places_(places), edges_(edges) {
        // The number of cells is limited to a few times that of particles: one particle far away
        // must not cost memory.
        const std::size_t n = members.size();
        const auto most = static_cast<std::int64_t>(std::cbrt(static_cast<double>(n)) * 4.0) + 8;
        const auto per_size = [&](int a) {
            return places.size[a] > 0.0 ? static_cast<double>(count_[a]) / places.size[a] : 0.0;
        };
        for (int a = 0; a < 3; ++a) {
            const double count = std::floor(places.size[a] / places.stretch[a] / reach);
            count_[a] = std::clamp<std::int64_t>(
                count < 1e9 ? static_cast<std::int64_t>(count) : most, 1, most * (n > 0 ? 4 : 1));
        }
        while (count_[0] * count_[1] * count_[2] > static_cast<std::int64_t>(4 * n + 64)) {
            auto& longest = *std::max_element(count_.begin(), count_.end());
            longest = (longest + 1) / 2;
        }
        for (int a = 0; a < 3; ++a)
            scale_[a] = per_size(a);
        start_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]) + 1, 0);
        std::vector<std::size_t> cell(n);
        for (std::size_t m = 0; m < n; ++m) {
            cell[m] = cell_of(members[m]);
            ++start_[cell[m] + 1];
        }
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        member_.resize(n);
        std::vector<std::uint32_t> at(start_.begin(), start_.end() - 1);
        for (std::size_t m = 0; m < n; ++m) {
            const std::uint32_t i = members[m];
            const Vec3 p = places.real(i, edges);
            member_[at[cell[m]]++] = {p.x, p.y, p.z, radius[i], i};
        }
    }

    /// Calls visit(j, shift of j in periods that brings it next to i) for all particles j of this
    /// size above `above` whose surfaces are about `skin` from that of particle i or closer; i may
    /// have another size. Some are visited that are further away.
    template <class Function>
    void around(std::size_t i, double radius, double largest, double skin, std::int64_t above,
                Function visit) const {
        std::array<std::int64_t, 3> first{}, last{};
        const double reach = radius + largest + skin;
        double rounding = 0.0;  // of places within a period
        for (int a = 0; a < 3; ++a) {
            const double by = places_.stretch[a] * reach * (1.0 + 1e-9) + 1e-12 * places_.size[a];
            const double x = places_.from_lower[i][a];
            first[a] = index((x - by) * scale_[a], a);
            last[a] = index((x + by) * scale_[a], a);
            rounding += 1e-12 * places_.stretch[a] * places_.size[a];
        }
        const Vec3 its_place = places_.real(i, edges_);
        const double own = (radius + skin) * (1.0 + 1e-9) + rounding;
        std::array<std::int32_t, 3> wrap{};
        const auto look = [&](std::size_t begin, std::size_t end) {
            const bool moved = wrap != std::array<std::int32_t, 3>{};
            const Vec3 p = moved ? its_place - edges_.shift(wrap) : its_place;
            const auto& of_i = places_.image[i];
            for (std::size_t m = begin; m < end; ++m) {
                const Member& other = member_[m];
                const double x = other.x - p.x, y = other.y - p.y, z = other.z - p.z;
                const double within = own + other.radius;
                // Both, because half of the numbers are above: a branch that no one predicts.
                if ((std::int64_t{other.number} <= above) |
                    (x * x + y * y + z * z > within * within))
                    continue;
                const auto& of_j = places_.image[other.number];
                visit(other.number,
                      std::array{wrap[0] + of_i[0] - of_j[0], wrap[1] + of_i[1] - of_j[1],
                                 wrap[2] + of_i[2] - of_j[2]});
            }
        };
        const auto wrapped = [&](std::int64_t k, int axis) {
            const std::int64_t n = count_[axis];
            const bool inside = k >= 0 && k < n;  // mostly: a division takes longer than the rest
            const std::int64_t periods = inside ? 0 : k >= 0 ? k / n : -((n - 1 - k) / n);
            wrap[axis] = static_cast<std::int32_t>(periods);
            return k - periods * n;
        };
        for (std::int64_t k2 = first[2]; k2 <= last[2]; ++k2) {
            const std::int64_t c2 = wrapped(k2, 2);
            for (std::int64_t k1 = first[1]; k1 <= last[1]; ++k1) {
                const std::int64_t row = (c2 * count_[1] + wrapped(k1, 1)) * count_[0];
                // The cells of a row follow one another.
                for (std::int64_t k0 = first[0]; k0 <= last[0];) {
                    const std::int64_t c0 = wrapped(k0, 0);
                    const std::int64_t cells = std::min(last[0] - k0 + 1, count_[0] - c0);
                    const auto from = static_cast<std::size_t>(row + c0);
                    look(start_[from], start_[from + static_cast<std::size_t>(cells)]);
                    k0 += cells;
                }
            }
        }
    }

  private:
    /// Along a periodic axis it may be outside by two periods, of which the second is for a box
    /// that is about to be refused as too narrow.
    std::int64_t index(double place, int axis) const {
        const double whole = std::floor(place), n = static_cast<double>(count_[axis]);
        return static_cast<std::int64_t>(places_.periodic[axis]
                                             ? std::clamp(whole, -2.0 * n, 3.0 * n - 1.0)
                                             : std::clamp(whole, 0.0, n - 1.0));
    }

    std::size_t cell_of(std::size_t i) const {
        std::array<std::int64_t, 3> at{};
        for (int a = 0; a < 3; ++a) {
            at[a] = std::clamp<std::int64_t>(
                static_cast<std::int64_t>(places_.from_lower[i][a] * scale_[a]), 0, count_[a] - 1);
        }
        return static_cast<std::size_t>((at[2] * count_[1] + at[1]) * count_[0] + at[0]);
    }

    const Places& places_;
    const Edges& edges_;
    std::array<double, 3> scale_{};
    std::array<std::int64_t, 3> count_{};
    std::vector<std::uint32_t> start_;
    std::vector<Member> member_;
};

/// Cells for each size: those of small particles are small, so that a large particle among them
/// does not make every small one look at all others within its reach.
class SizedCells {
  public:
    SizedCells(const NeighbourSearch& search, const Edges& edges)
        : search_(search), edges_(edges), places_(search, edges_) {
        const double largest =
            search.radius.empty() ? 0.0 : *std::ranges::max_element(search.radius);
        std::array<std::vector<std::uint32_t>, most_sizes> members;
        for (std::size_t i = 0; i < search.radius.size(); ++i) {
            const int halvings = std::ilogb(largest / search.radius[i]);
            const auto size = static_cast<std::size_t>(std::clamp(halvings, 0, most_sizes - 1));
            if (places_.known[i]) members[size].push_back(static_cast<std::uint32_t>(i));
        }
        for (const std::vector<std::uint32_t>& own : members) {
            if (own.empty()) continue;
            double radius = 0.0;
            for (const std::uint32_t i : own)
                radius = std::max(radius, search.radius[i]);
            sizes_.push_back(
                {radius, Cells(places_, own, search.radius, edges_, 2.0 * radius + search.skin)});
        }
    }
    SizedCells(const SizedCells&) = delete;
    SizedCells& operator=(const SizedCells&) = delete;

    /// As Cells::around(), for all particles above `above` that may be neighbours of i.
    template <class Function>
    void around(std::size_t i, std::int64_t above, Function visit) const {
        if (!places_.known[i]) return;
        for (const Size& size : sizes_)
            size.cells.around(i, search_.radius[i], size.largest, search_.skin, above, visit);
    }

  private:
    static constexpr int most_sizes = 16;  // each half of the one before it

    struct Size {
        double largest;  // radius [m]
        Cells cells;
    };

    const NeighbourSearch& search_;
    Edges edges_;
    Places places_;
    std::vector<Size> sizes_;
};

}  // namespace beadwave::packing
