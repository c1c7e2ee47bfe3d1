#include "near_ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::packing {
namespace {

/// A box around spheres: their centres, and the largest radius [m].
struct SphereBounds {
    static constexpr std::size_t numbers = 7;
    static constexpr double none = std::numeric_limits<double>::infinity();

    std::array<double, 3> lower{none, none, none}, upper{-none, -none, -none};
    double radius = 0.0;

    bool empty() const { return !(lower[0] <= upper[0]); }
    void include(const SphereBounds& other) {
        for (std::size_t a = 0; a < 3; ++a) {
            lower[a] = std::min(lower[a], other.lower[a]);
            upper[a] = std::max(upper[a], other.upper[a]);
        }
        radius = std::max(radius, other.radius);
    }
    void put(double* to) const {
        to = std::ranges::copy(lower, to).out;
        to = std::ranges::copy(upper, to).out;
        *to = radius;
    }
    static SphereBounds from(const double* numbers) {
        SphereBounds bounds;
        std::copy_n(numbers, 3, bounds.lower.begin());
        std::copy_n(numbers + 3, 3, bounds.upper.begin());
        bounds.radius = numbers[6];
        return bounds;
    }
};

/// In a tilted box places are those that the particles would have without tilt, at the same
/// fractions of the edges: distances are then at most `stretch` times as long.
class Space {
  public:
    explicit Space(const NearSearch& search)
        : lattice_(search.edges),
          lower_(search.box.lower),
          periodic_(search.box.periodic),
          tilted_(lattice_.edges.is_tilted()),
          skin_(search.skin) {
        const std::array<double, 3> widths = lattice_.edges.widths();
        for (std::size_t a = 0; a < 3; ++a) {
            if (tilted_ && periodic_[a]) stretch_[a] = lattice_.edges.of[a] / widths[a];
        }
    }

    /// Empty: a place that is not finite.
    SphereBounds around(const Vec3& position, double radius) const {
        std::array<double, 3> at = components(position);
        if (tilted_) {
            const auto s = components(lattice_.edges.fractions(position - lower_));
            for (std::size_t a = 0; a < 3; ++a)
                at[a] = s[a] * lattice_.edges.of[a];
        }
        if (!std::ranges::all_of(at, [](double x) { return std::isfinite(x); })) return {};
        return {at, at, radius};
    }

    /// Whether spheres in the two boxes, or images of them, may be neighbours.
    bool near(const SphereBounds& one, const SphereBounds& two) const {
        if (one.empty() || two.empty()) return false;
        for (std::size_t a = 0; a < 3; ++a) {
            const double places = std::abs(one.lower[a]) + std::abs(one.upper[a]) +
                                  std::abs(two.lower[a]) + std::abs(two.upper[a]);
            const double reach =
                stretch_[a] * (one.radius + two.radius + skin_) * (1.0 + 1e-6) + 1e-12 * places;
            double shift = 0.0;
            if (periodic_[a]) {
                const double period = lattice_.edges.of[a];
                shift = period * std::ceil((two.lower[a] - reach - one.upper[a]) / period);
            }
            if (one.upper[a] + shift < two.lower[a] - reach * (1.0 + 1e-9)) return false;
            if (one.lower[a] + shift > two.upper[a] + reach) return false;
        }
        return true;
    }

  private:
    LeastTilt lattice_;
    Vec3 lower_;
    std::array<bool, 3> periodic_;
    bool tilted_;
    double skin_;
    std::array<double, 3> stretch_{1.0, 1.0, 1.0};
};

SphereBounds bounds_of(std::span<const SphereBounds> several) {
    SphereBounds all;
    for (const SphereBounds& each : several)
        all.include(each);
    return all;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> near_other_ranks(const NearSearch& search,
                                                         const BlockShare& share) {
    const Space space(search);
    const auto of_block = [&](std::size_t b) {
        std::vector<SphereBounds> particles;
        for (std::size_t i = share.block_begin(b); i < share.block_end(b); ++i) {
            const std::size_t own = i - share.begin();
            const bool is_there = search.absent.empty() || search.absent[own] == 0;
            particles.push_back(is_there ? space.around(search.position[own], search.radius[own])
                                         : SphereBounds{});
        }
        return particles;
    };
    const std::vector<std::size_t> borders = share.block_borders(1);
    std::vector<double> numbers(SphereBounds::numbers * borders.back());
    for (std::size_t b = share.first_block(); b < share.end_block(); ++b)
        bounds_of(of_block(b)).put(numbers.data() + SphereBounds::numbers * b);
    share.ranks().share(numbers, share.block_borders(SphereBounds::numbers));
    std::vector<SphereBounds> block;
    for (std::size_t b = 0; b < borders.back(); ++b)
        block.push_back(SphereBounds::from(numbers.data() + SphereBounds::numbers * b));

    const auto blocks_of_rank = [&](std::size_t r) {
        return std::span<const SphereBounds>(block).subspan(borders[r],
                                                            borders[r + 1] - borders[r]);
    };
    const std::size_t ranks = borders.size() - 1;
    std::vector<std::vector<std::uint32_t>> near(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r == static_cast<std::size_t>(share.ranks().rank())) continue;
        const SphereBounds theirs = bounds_of(blocks_of_rank(r));
        for (std::size_t b = share.first_block(); b < share.end_block(); ++b) {
            if (!space.near(block[b], theirs)) continue;
            std::vector<SphereBounds> close;
            std::ranges::copy_if(
                blocks_of_rank(r), std::back_inserter(close),
                [&](const SphereBounds& each) { return space.near(block[b], each); });
            const std::vector<SphereBounds> some = of_block(b);
            for (std::size_t k = 0; k < some.size(); ++k) {
                if (space.near(some[k], theirs) &&
                    std::ranges::any_of(
                        close, [&](const SphereBounds& each) { return space.near(some[k], each); }))
                    near[r].push_back(
                        static_cast<std::uint32_t>(share.block_begin(b) - share.begin() + k));
            }
        }
    }
    return near;
}

}  // namespace beadwave::packing
