#include "orbits/branch.hpp"

#include "orbits/find_wave.hpp"
#include "orbits/locate.hpp"
#include "orbits/orbit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace beadwave::orbits {
namespace {

BranchPoint describe(const Problem& problem, const CurvePoint& point, Stability stability) {
    const Extent extent = extent_of(problem, point.x, point.parameter);
    BranchPoint row{.value = point.parameter,
                    .frequency = 0.0,
                    .energy = 0.0,
                    .amplitude = extent.amplitude,
                    .stability = std::move(stability),
                    .crossed_jump = extent.crossed_jump,
                    .least_overlap = extent.least_overlap,
                    .state = problem.state(point.x)};
    const Setting setting = problem.at(point.parameter);
    row.frequency = 1.0 / setting.period;
    row.energy = setting.map->energy(row.state);
    return row;
}

class Follower {
  public:
    Follower(const Problem& problem, double least, const BranchRequest& request)
        : problem_(problem),
          finer_([&problem](double parameter) { return problem.at(parameter); }, request.from,
                 2 * problem.steps(), 0, problem.method()),
          request_(request),
          curve_(problem, 0.5 * std::fabs(request.to - request.from), least),
          fine_(finer_, curve_.unit(), least) {}

    Branch follow(std::vector<double> x) {
        if (request_.earlier) {
            branch_ = std::move(request_.earlier->branch);
            return follow_from(std::move(request_.earlier->place.point),
                               request_.earlier->place.length);
        }
        constexpr double first_length = 0.02;
        CurvePoint from = curve_.start(std::move(x), request_.from, towards());
        add(from);
        tell(from, first_length);
        return follow_from(std::move(from), first_length);
    }

    /// Follows the branch that leaves a bifurcation along its direction.
    Branch follow_departure(const CurvePoint& bifurcation) {
        if (request_.earlier) return follow({});
        add(bifurcation);
        for (double length = 0.02; length > 1e-5; length *= 0.4) {
            std::optional<CurvePoint> next = curve_.step(bifurcation, length);
            if (!next || along(bifurcation, *next) < 0.8) continue;
            add(*next);
            tell(*next, length);
            return follow_from(std::move(*next), length);
        }
        branch_.ended = "Newton's method finds no other branch at the bifurcation";
        return std::move(branch_);
    }

  private:
    /// Whether the last point is a wave that nears rest. In a loose chain a weak wave is slow, not
    /// at its end.
    bool fades() const {
        constexpr double faded = 1e-4, as_sound = 1.001;
        const BranchPoint& last = branch_.points.back();
        if (!problem_.travels() || !(last.amplitude < faded * branch_.points.front().amplitude))
            return false;
        return last.frequency < as_sound * sound_of_cells(problem_.at(last.value), problem_.cell());
    }

    double towards() const { return request_.to > request_.from ? 1.0 : -1.0; }

    /// The cosine between the direction at `from` and the chord to `to`.
    double along(const CurvePoint& from, const CurvePoint& to) const {
        CurvePoint chord{.x = from.x,
                         .parameter = from.parameter,
                         .direction = to.x,
                         .rate = (to.parameter - from.parameter) / curve_.unit()};
        for (std::size_t i = 0; i < from.x.size(); ++i)
            chord.direction[i] -= from.x[i];
        return curve_.cosine(from, chord);
    }

    Branch follow_from(CurvePoint from, double length) {
        const double towards = this->towards();
        while (branch_.points.size() < request_.most_points) {
            if (request_.stop && request_.stop()) throw std::runtime_error("interrupted");
            std::optional<CurvePoint> next = curve_.step(from, length);
            if (next && curve_.cosine(from, *next) < 0.95) next.reset();
            if (!next) {
                length *= 0.4;
                if (length > 1e-8) continue;
                branch_.ended = "the branch bends too sharply to be followed";
                return std::move(branch_);
            }
            const bool over = (next->parameter - request_.to) * towards >= 0.0,
                       back = (next->parameter - request_.from) * towards < 0.0;
            if (over || back) {
                finish(from, *next, over ? request_.to : request_.from, length);
                return std::move(branch_);
            }
            Stability before = branch_.points.back().stability;
            add(*next);
            if (branch_.points.back().crossed_jump) {
                branch_.points.pop_back();
                branch_.ended = "contacts open or close, where the force of the law jumps";
                return std::move(branch_);
            }
            if (fades()) {
                branch_.ended = "the wave fades, because it is as slow as sound";
                return std::move(branch_);
            }
            find_changes(from, *next, length, before, branch_.points.back().stability);
            if (next->corrections <= 3) length = std::min(1.3 * length, 0.1);
            if (next->corrections > 5) length *= 0.6;
            from = std::move(*next);
            tell(from, length);
        }
        branch_.ended = "it has as many points as are allowed";
        return std::move(branch_);
    }

    void tell(const CurvePoint& point, double length) const {
        if (request_.reached) request_.reached(branch_, {point, length});
    }

    void add(const CurvePoint& point) {
        branch_.points.push_back(
            describe(problem_, point, stability_at(problem_, point.x, point.parameter)));
    }

    /// The last point is at the end of the range.
    void finish(const CurvePoint& from, const CurvePoint& next, double end, double length) {
        const double part = (end - from.parameter) / (next.parameter - from.parameter);
        NewtonResult last = newton(problem_, between(from, next, part), end, curve_.least());
        if (!last.converged) {
            branch_.ended = "Newton's method does not converge at the end of the range";
            return;
        }
        const Stability before = branch_.points.back().stability;
        const CurvePoint point{.x = std::move(last.x), .parameter = end};
        add(point);
        find_changes(from, next, length * part, before, branch_.points.back().stability);
    }

    void find_changes(const CurvePoint& a, const CurvePoint& b, double length,
                      const Stability& before, const Stability& after) {
        // Next to a departure the parameter hardly changes, and rounding decides.
        constexpr double near = 1e-4;
        if (request_.departure &&
            std::fabs(b.parameter - request_.departure->parameter) < near * curve_.unit())
            return;
        const bool folds = a.rate * b.rate < 0.0;
        if (folds) {
            put("fold", a, length, [&](const Curve& curve, const CurvePoint& start) {
                return locate_fold(curve, start, length);
            });
        }
        for (const std::string& kind : kinds_of(problem_.conservative())) {
            if (folds && kind == "tangent") continue;
            const std::size_t p = count_of(before, kind), q = count_of(after, kind);
            for (std::size_t k = std::min(p, q); k < std::max(p, q); ++k) {
                put(kind, a, length, [&](const Curve& curve, const CurvePoint& start) {
                    return locate_change(curve, start, length, kind, k);
                });
            }
        }
    }

    template <class Locate>
    void put(const std::string& kind, const CurvePoint& a, double length, const Locate& locate) {
        const std::optional<Located> coarse = locate(curve_, a);
        if (!coarse) return;
        Bifurcation found{.kind = kind,
                          .value = coarse->point.parameter,
                          .frequency = 0.0,
                          .multiplier = coarse->multiplier,
                          .x = coarse->point.x,
                          .value_of_steps = coarse->point.parameter};
        // The bifurcation is also located with half the step: the error falls as the square.
        if (const auto start = fine_.correct(a)) {
            std::optional<Located> fine = locate(fine_, *start);
            const double change = fine ? fine->point.parameter - found.value : 0.0;
            if (std::fabs(change) < 0.05 * length * curve_.unit()) {
                found.value += 4.0 / 3.0 * change;
                if (fine) found.multiplier = fine->multiplier;
            }
        }
        // The last point of the branch is the one behind the bifurcation.
        found.after = branch_.points.size() - 2;
        const Extent extent = extent_of(problem_, coarse->point.x, coarse->point.parameter);
        found.amplitude = extent.amplitude;
        found.state = problem_.state(coarse->point.x);
        found.energy = problem_.at(coarse->point.parameter).map->energy(found.state);
        found.frequency = 1.0 / problem_.at(found.value).period;
        branch_.bifurcations.push_back(std::move(found));
    }

    const Problem& problem_;
    Problem finer_;
    BranchRequest request_;
    Curve curve_, fine_;
    Branch branch_;
};

}  // namespace

Branch follow_branch(const Problem& problem, std::vector<double> x, double least,
                     const BranchRequest& request) {
    Follower follower(problem, least, request);
    if (request.departure) return follower.follow_departure(*request.departure);
    return follower.follow(std::move(x));
}

}  // namespace beadwave::orbits
