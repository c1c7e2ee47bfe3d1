// Particles sorted into cells, for the search for neighbours.
#pragma once

#include "packing/neighbours/cell_places.hpp"
#include "packing/neighbours/near_members.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "simd/column.hpp"
#include "simd/for_target.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// What one thread needs to look at neighbours.
struct SearchRoom {
    std::vector<MemberRange> ranges;
    std::vector<std::array<std::int32_t, 3>> wrap;  // of each range [periods]
    std::size_t count = 0;                          // of ranges
    std::vector<std::uint32_t> near;

    /// The next range; empty ones do not count.
    void add(std::uint32_t begin, std::uint32_t end, const Vec3& place, double above,
             const std::array<std::int32_t, 3>& periods) {
        if (count == ranges.size()) {
            ranges.resize(2 * count + 16);
            wrap.resize(ranges.size());
        }
        ranges[count] = {begin, end, place.x, place.y, place.z, above, 0};
        wrap[count] = periods;
        count += begin != end ? 1 : 0;
    }
};

/// Which rows of cells a particle looks at. Of one and its neighbour of the same size one looks at
/// the other: that whose row comes first, and in the same row that with the lower number.
enum class Rows { all, later };

/// Particles of about one size, sorted into cells at least one reach wide, but less along x, where
/// cells follow one another.
class Cells {
  public:
    Cells(const Places& places, const std::vector<std::uint32_t>& members,
          std::span<const double> radius, const Edges& edges, double reach)
        : places_(places), edges_(edges) {
        choose_counts(members.size(), reach);
        const std::size_t n = members.size();
        for (int a = 0; a < 3; ++a) {
            if (places.size[a] > 0.0) scale_[a] = static_cast<double>(count_[a]) / places.size[a];
        }
        start_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]) + 1, 0);
        std::vector<std::uint32_t> cell(n);
        for (std::size_t m = 0; m < n; ++m) {
            cell[m] = cell_of(members[m]);
            ++start_[cell[m] + 1];
        }
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        number_.resize(n);
        for (simd::Column& column : member_)
            column = simd::Column::unset(n);
        std::vector<std::uint32_t> at(start_.begin(), start_.end() - 1);
        for (std::size_t m = 0; m < n; ++m) {
            const std::uint32_t i = members[m], to = at[cell[m]]++;
            const Vec3 p = places.real(i, edges);
            for (int a = 0; a < 3; ++a) {
                lower_[a] = std::min(lower_[a], places.from_lower[i][a]);
                upper_[a] = std::max(upper_[a], places.from_lower[i][a]);
            }
            number_[to] = i;
            member_[0][to] = p.x;
            member_[1][to] = p.y;
            member_[2][to] = p.z;
            member_[3][to] = radius[i];
            member_[4][to] = static_cast<double>(i);
        }
        columns_ = {member_[0].data(), member_[1].data(), member_[2].data(), member_[3].data(),
                    member_[4].data()};
    }

    /// Calls visit(j, shift of j in periods that brings it next to i) for all particles j of this
    /// size in these rows whose surfaces are about `skin` from that of particle i or closer; i may
    /// have another size if the rows are all. Some are visited that are further away.
    template <class Function>
    void around(std::size_t i, double radius, double largest, double skin, Rows rows,
                FindNearMembers find, SearchRoom& room, Function visit) const {
        std::array<std::int64_t, 3> first{}, last{};
        const double reach = radius + largest + skin;
        double rounding = 0.0;  // of places within a period
        for (int a = 0; a < 3; ++a) {
            const double by = places_.stretch[a] * reach * (1.0 + 1e-9) + 1e-12 * places_.size[a];
            const double x = places_.from_lower[i][a];
            if (!places_.periodic[a] && (x + by < lower_[a] || x - by > upper_[a])) return;
            first[a] = index((x - by) * scale_[a], a);
            last[a] = index((x + by) * scale_[a], a);
            rounding += 1e-12 * places_.stretch[a] * places_.size[a];
        }
        const bool inside = std::ranges::all_of(
            std::array{0, 1, 2}, [&](int a) { return first[a] >= 0 && last[a] < count_[a]; });
        room.count = 0;
        RowsOfCells of{.first = first, .last = last};
        if (rows == Rows::later) {
            of.own = cells_of(i);
            of.number = static_cast<double>(i);
        }
        if (inside) {
            list_rows(places_.real(i, edges_), of, room);
        } else {
            list_wrapped_rows(places_.real(i, edges_), of, room);
        }
        std::size_t members = simd::most_lanes;
        const std::span ranges(room.ranges.data(), room.count);
        for (const MemberRange& range : ranges)
            members += range.end - range.begin;
        if (room.near.size() < members) room.near.resize(2 * members);
        const std::size_t found =
            find(columns_, ranges, (radius + skin) * (1.0 + 1e-9) + rounding, room.near.data());
        const std::uint32_t* near = room.near.data();
        if (!places_.repeats) {
            for (std::size_t left = found; left > 0; --left)
                visit(number_[*near++], std::array<std::int32_t, 3>{});
            return;
        }
        for (std::size_t r = 0; r < room.count; ++r) {
            for (const auto* const end = near + room.ranges[r].found; near != end; ++near) {
                const std::uint32_t j = number_[*near];
                const auto &wrap = room.wrap[r], &of_i = places_.image[i], &of_j = places_.image[j];
                visit(j, std::array{wrap[0] + of_i[0] - of_j[0], wrap[1] + of_i[1] - of_j[1],
                                    wrap[2] + of_i[2] - of_j[2]});
            }
        }
    }

  private:
    /// The number of cells is limited to a few times that of particles: one particle far away must
    /// not cost memory.
    void choose_counts(std::size_t n, double reach) {
        const auto most = static_cast<std::int64_t>(std::cbrt(static_cast<double>(n)) * 4.0) + 8;
        for (int a = 0; a < 3; ++a) {
            const double count = std::floor(places_.size[a] / places_.stretch[a] / reach);
            count_[a] = std::clamp<std::int64_t>(
                count < 1e9 ? static_cast<std::int64_t>(count) : most, 1, most * (n > 0 ? 4 : 1));
        }
        const auto most_cells = static_cast<std::int64_t>(4 * n + 64);
        while (count_[0] * count_[1] * count_[2] > most_cells) {
            auto& longest = *std::max_element(count_.begin(), count_.end());
            longest = (longest + 1) / 2;
        }
        constexpr std::int64_t finest = 4;
        count_[0] *= std::min(finest, most_cells / (count_[0] * count_[1] * count_[2]));
    }

    using CellOfAxes = std::array<std::int64_t, 3>;

    /// Cells `first` to `last` along each axis, but only the rows from that of `own` on, and in
    /// that one the particles above `number`. Across periodic sides their numbers go on.
    struct RowsOfCells {
        CellOfAxes first, last;
        CellOfAxes own{0, nowhere, nowhere};
        double number = -1.0;

        /// Calls visit(c2, c1, above) for the rows.
        template <class Visit>
        void each(Visit visit) const {
            for (std::int64_t c2 = std::max(first[2], own[2]); c2 <= last[2]; ++c2) {
                const bool with_own = c2 == own[2];
                for (std::int64_t c1 = with_own ? std::max(first[1], own[1]) : first[1];
                     c1 <= last[1]; ++c1)
                    visit(c2, c1, with_own && c1 == own[1] ? number : -1.0);
            }
        }
    };

    /// The ranges of the members of these cells: those of a row follow one another.
    void list_rows(const Vec3& its_place, const RowsOfCells& of, SearchRoom& room) const {
        of.each([&](std::int64_t c2, std::int64_t c1, double above) {
            const std::uint32_t* const row = start_.data() + (c2 * count_[1] + c1) * count_[0];
            room.add(row[of.first[0]], row[of.last[0] + 1], its_place, above, {});
        });
    }

    /// The same where some cells are across periodic sides.
    void list_wrapped_rows(const Vec3& its_place, const RowsOfCells& of, SearchRoom& room) const {
        std::array<std::int32_t, 3> wrap{};
        const auto wrapped = [&](std::int64_t k, int axis) {
            const std::int64_t n = count_[axis];
            const bool inside = k >= 0 && k < n;  // mostly: a division takes longer than the rest
            const std::int64_t periods = inside ? 0 : k >= 0 ? k / n : -((n - 1 - k) / n);
            wrap[axis] = static_cast<std::int32_t>(periods);
            return k - periods * n;
        };
        of.each([&](std::int64_t k2, std::int64_t k1, double above) {
            const std::int64_t c2 = wrapped(k2, 2);
            const std::int64_t row = (c2 * count_[1] + wrapped(k1, 1)) * count_[0];
            for (std::int64_t k0 = of.first[0]; k0 <= of.last[0];) {
                const std::int64_t c0 = wrapped(k0, 0);
                const std::int64_t cells = std::min(of.last[0] - k0 + 1, count_[0] - c0);
                const std::uint32_t* const from = start_.data() + row + c0;
                const bool moved = (wrap[0] | wrap[1] | wrap[2]) != 0;
                room.add(from[0], from[cells], moved ? its_place - edges_.shift(wrap) : its_place,
                         above, wrap);
                k0 += cells;
            }
        });
    }

    /// Along a periodic axis it may be outside by two periods, of which the second is for a box
    /// that is about to be refused as too narrow.
    std::int64_t index(double place, int axis) const {
        const auto n = static_cast<double>(count_[axis]);
        const double below = places_.periodic[axis] ? 2.0 * n : 0.0;
        const double most = places_.periodic[axis] ? 5.0 * n - 1.0 : n - 1.0;
        return static_cast<std::int64_t>(std::max(0.0, std::min(place + below, most))) -
               static_cast<std::int64_t>(below);
    }

    CellOfAxes cells_of(std::size_t i) const {
        CellOfAxes at{};
        for (int a = 0; a < 3; ++a) {
            at[a] = std::clamp<std::int64_t>(
                static_cast<std::int64_t>(places_.from_lower[i][a] * scale_[a]), 0, count_[a] - 1);
        }
        return at;
    }

    std::uint32_t cell_of(std::size_t i) const {
        const CellOfAxes at = cells_of(i);
        return static_cast<std::uint32_t>((at[2] * count_[1] + at[1]) * count_[0] + at[0]);
    }

    static constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::min();
    static constexpr double far = std::numeric_limits<double>::infinity();

    const Places& places_;
    const Edges& edges_;
    std::array<double, 3> scale_{};
    std::array<double, 3> lower_{far, far, far}, upper_{-far, -far, -far};  // of all members [m]
    std::array<std::int64_t, 3> count_{};
    std::vector<std::uint32_t> start_;
    std::vector<std::uint32_t> number_;     // of each member
    std::array<simd::Column, 5> member_{};  // x, y, z, radius, number
    MemberColumns columns_{};
};

/// Cells for each size: those of small particles are small, so that a large particle among them
/// does not make every small one look at all others within its reach. Particles look only at those
/// of their own size and of larger ones: a large one would look at many cells of small ones, most
/// of them without a neighbour.
class SizedCells {
  public:
    SizedCells(const NeighbourSearch& search, const Edges& edges)
        : search_(search),
          edges_(edges),
          places_(search, edges_),
          size_of_(search.position.size()) {
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
            for (const std::uint32_t i : own) {
                radius = std::max(radius, search.radius[i]);
                size_of_[i] = static_cast<std::uint8_t>(sizes_.size());
            }
            sizes_.push_back(
                {radius, Cells(places_, own, search.radius, edges_, 2.0 * radius + search.skin)});
        }
    }
    SizedCells(const SizedCells&) = delete;
    SizedCells& operator=(const SizedCells&) = delete;

    /// As Cells::around(), for the particles of the size of i in later rows and for all that are
    /// larger: each two that may be neighbours meet once, or with two images twice.
    template <class Function>
    void around(std::size_t i, SearchRoom& room, Function visit) const {
        if (!places_.known[i]) return;
        for (std::size_t k = 0; k <= size_of_[i]; ++k) {
            const Rows rows = k < size_of_[i] ? Rows::all : Rows::later;
            sizes_[k].cells.around(i, search_.radius[i], sizes_[k].largest, search_.skin, rows,
                                   find_, room, visit);
        }
    }

  private:
    static constexpr int most_sizes = 16;  // each half of the one before it

    struct Size {
        double largest;  // radius [m]
        Cells cells;
    };

    const NeighbourSearch& search_;
    const FindNearMembers find_ =
        simd::for_target(simd::instruction_sets().front().target,
                         []<simd::Target target>() { return find_near_members<target>(); });
    Edges edges_;
    Places places_;
    std::vector<Size> sizes_;            // the largest first
    std::vector<std::uint8_t> size_of_;  // of each particle whose place is known
};

}  // namespace beadwave::packing
