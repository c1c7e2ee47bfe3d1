#include "modes/sliced_frequencies.hpp"

#include "modes/nodes/node_kernel.hpp"
#include "simd/for_target.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace beadwave::modes {
namespace {

/// The motion at one frequency.
struct Point {
    double square = 0.0;    ///< omega^2
    std::size_t nodes = 0;  ///< modes below
    double end = 0.0, exponent = 0.0;
    bool known = false;  ///< whether `end` is
};

/// An interval of omega^2 with modes in it.
struct Slice {
    Point low, high;
    double low_weight = 1.0,
           high_weight = 1.0;  ///< of the ends' values, in the rule of false position
    bool moved_low = false, moved_high = false;  ///< by the last step
    int slow = 0;                                ///< steps that did not halve it

    std::size_t modes() const { return high.nodes - low.nodes; }
    double width() const { return high.square - low.square; }
    bool is_narrow() const { return width() <= 1e-13 * high.square; }
};

/// A chain of beads that contacts join, without a break.
class Piece {
  public:
    Piece(std::vector<double> mass, std::vector<double> stiffness)
        : mass_(std::move(mass)), stiffness_(std::move(stiffness)) {
        const std::size_t n = mass_.size();
        double mean_mass = 0.0, mean_stiffness = 0.0;
        for (const double m : mass_)
            mean_mass += m / static_cast<double>(n);
        for (const double k : stiffness_)
            mean_stiffness += k / static_cast<double>(n + 1);
        unit_ = mean_stiffness / mean_mass;
        double heaviest = 0.0, softest = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            mass_[i] /= mean_mass;
            heaviest = std::max(heaviest, mass_[i]);
        }
        for (double& k : stiffness_)
            k /= mean_stiffness;
        for (std::size_t i = 0; i < n; ++i)
            top_ = std::max(top_, 2.0 * (stiffness_[i] + stiffness_[i + 1]) / mass_[i]);
        top_ *= 1.0 + 1e-6;
        for (std::size_t i = 0; i + 1 < n; ++i) {
            compliance_.push_back(1.0 / stiffness_[i + 1]);
            softest = std::max(softest, compliance_.back());
        }
        // Between two scalings the numbers stay in the range of doubles.
        const double growth = std::log2(1.0 + top_ * heaviest) + std::log2(1.0 + softest);
        chain_ = {.beads = n,
                  .mass = mass_.data(),
                  .compliance = compliance_.data(),
                  .left = stiffness_.front(),
                  .right = stiffness_.back(),
                  .block = static_cast<std::size_t>(std::clamp(800.0 / growth, 1.0, 64.0))};
    }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

    std::size_t rigid() const { return chain_.left == 0.0 && chain_.right == 0.0 ? 1 : 0; }
    /// All modes but the rigid one; no frequency is above.
    Slice whole() const {
        Slice slice;
        slice.low.nodes = rigid();
        slice.high = {.square = top_, .nodes = mass_.size()};
        return slice;
    }
    double unit() const { return unit_; }  ///< of omega^2 [1/s^2]
    const NodeChain& chain() const { return chain_; }

  private:
    std::vector<double> mass_, stiffness_, compliance_;
    double unit_ = 0.0, top_ = 0.0;
    NodeChain chain_{};
};

/// The motions at the frequencies of these points.
void evaluate(const NodeChain& chain, CountNodes count, int threads, const Stop& stop,
              std::vector<Point>& points) {
    for_each((points.size() + node_lanes - 1) / node_lanes, threads, stop, [&](std::size_t group) {
        NodeCounts counts;
        const std::size_t first = group * node_lanes,
                          used = std::min(node_lanes, points.size() - first);
        for (std::size_t lane = 0; lane < node_lanes; ++lane)
            counts.square[lane] = points[first + std::min(lane, used - 1)].square;
        count(chain, counts);
        for (std::size_t lane = 0; lane < used; ++lane) {
            points[first + lane] = {.square = counts.square[lane],
                                    .nodes = static_cast<std::size_t>(counts.nodes[lane]),
                                    .end = counts.end[lane],
                                    .exponent = counts.exponent[lane],
                                    .known = true};
        }
    });
}

/// Where to look next in a slice with one mode.
double next_square(const Slice& slice) {
    const Point &low = slice.low, &high = slice.high;
    const double middle = std::pow(0.5 * (std::sqrt(low.square) + std::sqrt(high.square)), 2.0);
    if (!low.known || !high.known || slice.slow > 2) return middle;
    // The rule of false position, with Illinois' weights.
    const double ratio = std::fabs(high.end * slice.high_weight / (low.end * slice.low_weight)) *
                         std::exp2(std::clamp(high.exponent - low.exponent, -1000.0, 1000.0));
    // Somewhat inside, so that both ends close in on the root.
    const double margin = std::min(0.4 * slice.width(), 0.4e-13 * high.square);
    const double square = low.square + slice.width() / (1.0 + ratio);
    return std::isfinite(square) ? std::clamp(square, low.square + margin, high.square - margin)
                                 : middle;
}

void narrow(Slice& slice, const Point& point) {
    const double before = slice.width();
    if (point.nodes <= slice.low.nodes) {
        slice.low = point;
        slice.low_weight = 1.0;
        if (slice.moved_low) slice.high_weight *= 0.5;
        slice.moved_low = true;
        slice.moved_high = false;
    } else {
        slice.high = point;
        slice.high_weight = 1.0;
        if (slice.moved_high) slice.low_weight *= 0.5;
        slice.moved_high = true;
        slice.moved_low = false;
    }
    slice.slow = slice.width() > 0.5 * before ? slice.slow + 1 : 0;
}

/// Frequencies of one piece, in no order.
void add_frequencies(const Piece& piece, CountNodes count, int threads, const Stop& stop,
                     std::vector<double>& all) {
    const auto finish = [&](const Slice& slice) {
        const double square = 0.5 * (slice.low.square + slice.high.square);
        all.insert(all.end(), slice.modes(), std::sqrt(square * piece.unit()));
    };
    all.insert(all.end(), piece.rigid(), 0.0);
    std::vector<Slice> slices, single;
    if (const Slice whole = piece.whole(); whole.modes() > 0) slices.push_back(whole);
    // Slices with several modes are split into as many, evenly in omega.
    while (!slices.empty()) {
        std::vector<Point> points;
        for (const Slice& slice : slices) {
            const double low = std::sqrt(slice.low.square), high = std::sqrt(slice.high.square);
            const std::size_t parts = std::max<std::size_t>(2, slice.modes());
            for (std::size_t k = 1; k < parts; ++k) {
                const double part = static_cast<double>(k) / static_cast<double>(parts);
                points.push_back({.square = std::pow(low + (high - low) * part, 2.0)});
            }
        }
        evaluate(piece.chain(), count, threads, stop, points);
        std::vector<Slice> parts;
        std::size_t next = 0;
        const auto add = [&](const Point& low, const Point& high) {
            if (high.nodes <= low.nodes) return;
            const Slice part{.low = low, .high = high};
            if (part.is_narrow()) {
                finish(part);
            } else {
                (part.modes() == 1 ? single : parts).push_back(part);
            }
        };
        for (const Slice& slice : slices) {
            Point low = slice.low;
            for (std::size_t k = 1; k < std::max<std::size_t>(2, slice.modes()); ++k) {
                Point& point = points[next++];
                // Rounding may change a count next to a frequency.
                point.nodes = std::clamp(point.nodes, low.nodes, slice.high.nodes);
                add(low, point);
                low = point;
            }
            add(low, slice.high);
        }
        slices = std::move(parts);
    }
    while (!single.empty()) {
        std::vector<Point> points;
        for (const Slice& slice : single)
            points.push_back({.square = next_square(slice)});
        evaluate(piece.chain(), count, threads, stop, points);
        std::vector<Slice> left;
        for (std::size_t k = 0; k < single.size(); ++k) {
            narrow(single[k], points[k]);
            if (single[k].is_narrow()) {
                finish(single[k]);
            } else {
                left.push_back(single[k]);
            }
        }
        single = std::move(left);
    }
}

}  // namespace

std::vector<double> sliced_frequencies(const linear::ChainOperator& chain, int threads,
                                       const Stop& stop, const simd::InstructionSet& instructions) {
    const CountNodes count = simd::for_target(
        instructions.target, []<simd::Target target>() { return node_kernel<target>(); });
    std::vector<double> all;
    const auto at = [](const std::vector<double>& numbers, std::size_t k) {
        return numbers.begin() + static_cast<std::ptrdiff_t>(k);
    };
    for (std::size_t begin = 0; begin < chain.size();) {
        std::size_t end = begin + 1;
        while (end < chain.size() && chain.stiffness[end] != 0.0)
            ++end;
        const Piece piece({at(chain.mass, begin), at(chain.mass, end)},
                          {at(chain.stiffness, begin), at(chain.stiffness, end + 1)});
        if (std::ranges::all_of(at(chain.stiffness, begin), at(chain.stiffness, end + 1),
                                [](double k) { return k == 0.0; })) {
            all.push_back(0.0);  // a bead that touches nothing
        } else {
            add_frequencies(piece, count, threads, stop, all);
        }
        begin = end;
    }
    std::ranges::sort(all);
    return all;
}

}  // namespace beadwave::modes
