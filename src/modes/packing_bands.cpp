#include "modes/packing_bands.hpp"

#include "beadwave/input_error.hpp"
#include "modes/band_edges.hpp"
#include "modes/bloch.hpp"
#include "modes/primitive_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

namespace beadwave::modes {
namespace {

using linear::PackingOperator;
using packing::Vec3;

constexpr double turn = 2.0 * std::numbers::pi;

class Crystal {
  public:
    Crystal(const PackingOperator& packing, PrimitiveCell cell, int threads, const Stop& stop)
        : packing_(packing),
          cell_(std::move(cell)),
          known_(packing, cell_),
          threads_(threads),
          stop_(stop),
          lower_(branches(), {INFINITY, {}}),
          upper_(branches(), {-INFINITY, {}}) {}

    std::size_t axes() const { return cell_.vectors.size(); }
    std::size_t branches() const { return cell_.bodies.size() * packing_.components(); }
    const PrimitiveCell& cell() const { return cell_; }
    double fastest_growth() const { return fastest_growth_; }

    Vec3 wave(const Parts& parts) const { return known_.wave(parts); }

    /// Visits points along one direction, or without one. Appends frequencies [Hz] and velocities.
    void visit(const std::vector<Parts>& points, const std::vector<Vec3>& along,
               std::vector<double>& frequency, std::vector<double>& velocity) {
        const std::size_t n = branches(), begin = frequency.size();
        frequency.resize(begin + points.size() * n);
        velocity.resize(3 * frequency.size());
        for_each(points.size(), threads_, stop_, [&](std::size_t p) {
            const BlochWaves waves = bloch_waves(packing_, cell_, wave(points[p]), along[p]);
            note(points[p], waves.omega);
            for (std::size_t b = 0; b < n; ++b) {
                const std::size_t at = begin + p * n + b;
                frequency[at] = std::max(waves.omega[b], 0.0) / turn;
                velocity[3 * at] = waves.velocity[b].x;
                velocity[3 * at + 1] = waves.velocity[b].y;
                velocity[3 * at + 2] = waves.velocity[b].z;
            }
        });
    }

    /// Frequencies of the bands' edges only.
    void look_at(const std::vector<Parts>& points) {
        for_each(points.size(), threads_, stop_,
                 [&](std::size_t p) { note(points[p], *known_.frequencies(points[p])); });
    }

    /// Moves the edges from the best points known so far to the extrema beside them; `spacing`: the
    /// distance of those points.
    void refine(double spacing) {
        constexpr std::size_t few = 24;
        struct Edge {
            std::size_t branch;
            bool upper;
        };
        std::vector<Edge> edges;
        double top = 0.0;
        for (std::size_t b = 0; b < branches(); ++b) {
            const bool gap_below = b > 0 && lower_[b].omega > top;
            if (branches() <= few || gap_below) edges.push_back({b, false});
            if (branches() > few && gap_below) edges.push_back({b - 1, true});
            if (branches() <= few) edges.push_back({b, true});
            top = std::max(top, upper_[b].omega);
        }
        for_each(edges.size(), threads_, stop_,
                 [&](std::size_t e) { climb(edges[e].branch, edges[e].upper, spacing); });
    }

    std::vector<Band> bands() const {
        std::vector<Band> all;
        for (std::size_t b = 0; b < branches(); ++b)
            all.push_back(
                {std::max(lower_[b].omega, 0.0) / turn, std::max(upper_[b].omega, 0.0) / turn});
        // No branch starts or ends above the next one; searches of both differ by rounding.
        for (std::size_t b = branches() - 1; b > 0; --b)
            all[b - 1].lower = std::min(all[b - 1].lower, all[b].lower);
        for (std::size_t b = 1; b < branches(); ++b)
            all[b].upper = std::max(all[b].upper, all[b - 1].upper);
        return all;
    }

  private:
    /// The result does not depend on the order of the calls: equal frequencies keep the first
    /// point in the order of the parts.
    void note(const Parts& parts, const std::vector<double>& omega) {
        const std::lock_guard lock(mutex_);
        for (std::size_t b = 0; b < omega.size(); ++b) {
            fastest_growth_ = std::max(fastest_growth_, -omega[b]);
            const auto better = [&](const Extremum& known, bool more) {
                return more || (omega[b] == known.omega && parts < known.at);
            };
            if (better(lower_[b], omega[b] < lower_[b].omega)) lower_[b] = {omega[b], parts};
            if (better(upper_[b], omega[b] > upper_[b].omega)) upper_[b] = {omega[b], parts};
        }
    }

    void climb(std::size_t branch, bool upper, double step) {
        Extremum start;
        {
            const std::lock_guard lock(mutex_);
            start = upper ? upper_[branch] : lower_[branch];
        }
        const Extremum best = extremum_near(known_, branch, upper, step, start);
        const double sign = upper ? 1.0 : -1.0;
        const std::lock_guard lock(mutex_);
        Extremum& known = upper ? upper_[branch] : lower_[branch];
        if (sign * (best.omega - known.omega) > 0.0) known = best;
    }

    const PackingOperator& packing_;
    const PrimitiveCell cell_;
    KnownWaves known_;
    const int threads_;
    const Stop& stop_;
    std::mutex mutex_;
    std::vector<Extremum> lower_, upper_;
    double fastest_growth_ = 0.0;
};

void add_path(Crystal& crystal, std::vector<Parts> path, Dispersion& result) {
    if (path.empty()) {
        path.push_back({});
        for (std::size_t k = 0; k < crystal.axes(); ++k) {
            path.push_back(path.back());
            path.back()[k] = 0.5;
        }
        if (crystal.axes() > 1) path.push_back({});
    }
    constexpr int per_leg = 40;
    std::vector<Parts> points;
    std::vector<Vec3> along;
    for (std::size_t leg = 0; leg + 1 < path.size(); ++leg) {
        const bool last = leg + 2 == path.size();
        const Vec3 way = crystal.wave(path[leg + 1]) - crystal.wave(path[leg]);
        const double length = std::sqrt(dot(way, way));
        for (int p = 0; p < per_leg + (last ? 1 : 0); ++p) {
            Parts& parts = points.emplace_back();
            for (std::size_t k = 0; k < 3; ++k)
                parts[k] = path[leg][k] + (path[leg + 1][k] - path[leg][k]) * p / per_leg;
            along.push_back(length > 0.0 ? way * (1.0 / length) : Vec3{});
        }
    }
    crystal.visit(points, along, result.frequency, result.group_velocity);
    for (const Parts& parts : points) {
        const Vec3 wave = crystal.wave(parts);
        result.wave_vector.insert(result.wave_vector.end(), {wave.x, wave.y, wave.z});
    }
}

void add_grid(Crystal& crystal, std::array<std::size_t, 3> count, const std::string& name,
              Dispersion& result) {
    for (std::size_t k = crystal.axes(); k < 3; ++k)
        count[k] = 1;
    const std::size_t all = count[0] * count[1] * count[2];
    if (all * crystal.branches() > most_grid_numbers) {
        throw InputError(fmt::format(
            "{}: --grid: {} wave vectors of {} branches are too many; expected at most {} "
            "frequencies",
            name, all, crystal.branches(), most_grid_numbers));
    }
    Dispersion::Grid& grid = result.grid.emplace();
    grid.points = count;
    std::vector<Parts> points;
    for (std::size_t x = 0; x < count[0]; ++x) {
        for (std::size_t y = 0; y < count[1]; ++y) {
            for (std::size_t z = 0; z < count[2]; ++z) {
                const auto part = [](std::size_t i, std::size_t n) {
                    return static_cast<double>(i) / static_cast<double>(n);
                };
                points.push_back({part(x, count[0]), part(y, count[1]), part(z, count[2])});
                const Vec3 wave = crystal.wave(points.back());
                grid.wave_vector.insert(grid.wave_vector.end(), {wave.x, wave.y, wave.z});
            }
        }
    }
    crystal.visit(points, std::vector<Vec3>(all), grid.frequency, grid.group_velocity);
}

/// Points with the parts i/n, in half of the zone: -k has the frequencies of k. With n = 12 or 24
/// the corners and the middles of the faces of all Bravais zones are among them; a larger cell,
/// whose branches are flatter, has fewer.
std::vector<Parts> symmetric_points(const Crystal& crystal, int& count) {
    const double work = std::pow(static_cast<double>(crystal.branches()), 3.0) * 0.5;
    const double most = std::pow(1e9 / work, 1.0 / static_cast<double>(crystal.axes()));
    count = 2;
    for (const int n : {4, 6, 12, 24})
        if (n <= most) count = n;
    if (crystal.axes() == 1) count = std::clamp(static_cast<int>(most / 2.0) * 2, 2, 200);
    std::vector<Parts> points;
    for (int x = 0; x <= count / 2; ++x) {
        for (int y = 0; y < (crystal.axes() > 1 ? count : 1); ++y) {
            for (int z = 0; z < (crystal.axes() > 2 ? count : 1); ++z) {
                const auto part = [&](int i) { return static_cast<double>(i) / count; };
                points.push_back({part(x), part(y), part(z)});
            }
        }
    }
    return points;
}

}  // namespace

std::optional<Dispersion> dispersion(const PackingOperator& packing, const WaveVectors& wanted,
                                     const std::string& name, const Stop& stop) {
    if (!packing.box.repeats()) return std::nullopt;
    const std::size_t most = wanted.asked_for() ? most_branches : many_branches;
    auto cell = primitive_cell(packing, most / packing.components());
    if (!cell) return std::nullopt;
    Crystal crystal(packing, std::move(*cell), wanted.threads, stop);

    Dispersion result;
    result.cell_bodies = crystal.cell().bodies.size();
    result.branches = crystal.branches();
    result.components = 3;
    for (const Vec3& v : crystal.cell().vectors)
        result.lattice.push_back({v.x, v.y, v.z});
    add_path(crystal, wanted.corners, result);
    if (wanted.grid[0] > 0) add_grid(crystal, wanted.grid, name, result);
    int count = 0;
    crystal.look_at(symmetric_points(crystal, count));
    crystal.refine(0.5 / count);
    result.bands = crystal.bands();
    result.fastest_growth = crystal.fastest_growth();
    return result;
}

}  // namespace beadwave::modes
