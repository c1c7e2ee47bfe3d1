#include "translation/translate.hpp"

#include "beadwave/argument_error.hpp"
#include "translation/impact.hpp"
#include "translation/law_points.hpp"

#include <boost/math/tools/minima.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace beadwave::translation {
namespace {

/// The least value of `misfit` over a logarithm from low to high: a scan, then Brent's method where
/// it is lowest. Returns the number itself.
template <class Misfit>
double least(const Misfit& misfit, double low, double high, int scanned) {
    const double from = std::log(low), to = std::log(high);
    const double step = (to - from) / scanned;
    int best = 0;
    double lowest = std::numeric_limits<double>::infinity();
    const auto at = [&](double logarithm) { return misfit(std::exp(logarithm)); };
    for (int i = 0; i <= scanned; ++i) {
        const double value = at(from + i * step);
        if (value < lowest) lowest = value, best = i;
    }
    std::uintmax_t most = 60;
    const auto [where, value] =
        boost::math::tools::brent_find_minima(at, from + std::max(best - 1, 0) * step,
                                              from + std::min(best + 1, scanned) * step, 30, most);
    return std::exp(value <= lowest ? where : from + best * step);
}

class Search {
  public:
    Search(const Model& model, const Touch& touch, const std::vector<Point>& points)
        : model_(model), touch_(touch), points_(points) {}

    /// The impact at a point; the mass of a model is that of the point.
    Impact at(const Numbers& numbers, const Point& point) const {
        Touch touch = touch_;
        touch.mass = point.mass;
        return impact(model_, numbers, touch, point.speed, point.overlap);
    }

    /// Mean squares over the points where the law lets bodies part.
    template <class Difference>
    double mean_square(const Numbers& numbers, const Difference& difference) const {
        double sum = 0.0;
        int count = 0;
        for (const Point& point : points_) {
            if (!point.parts) continue;
            const double d = difference(at(numbers, point), point);
            sum += d * d;
            ++count;
        }
        return sum / count;
    }
    double restitution_misfit(const Numbers& numbers) const {
        return mean_square(numbers, [](const Impact& hit, const Point& point) {
            return hit.restitution - point.restitution;
        });
    }
    double duration_misfit(const Numbers& numbers) const {
        return mean_square(numbers, [](const Impact& hit, const Point& point) {
            return std::min(std::log(hit.duration / point.duration), 10.0);
        });
    }

    void find_damping(Numbers& numbers) const {
        const double strong = model_.strong_damping(touch_);
        const double high = std::min(30.0 * strong, model_.largest_damping);
        const double found = least(
            [&](double damping) {
                return restitution_misfit({numbers.stiffness, damping});
            },
            1e-7 * strong, high, 24);
        // A law that loses nothing is expressed without damping.
        const Numbers none{numbers.stiffness, 0.0}, some{numbers.stiffness, found};
        numbers.damping =
            std::sqrt(restitution_misfit(none)) <= std::sqrt(restitution_misfit(some)) + 1e-8
                ? 0.0
                : found;
    }
    void find_stiffness(Numbers& numbers, double first, double span) const {
        numbers.stiffness = least(
            [&](double stiffness) {
                return duration_misfit({stiffness, numbers.damping});
            },
            first / span, first * span, 12);
    }

  private:
    const Model& model_;
    const Touch& touch_;
    const std::vector<Point>& points_;
};

/// "0.9 at 0.1 m/s and 0.6 at 10 m/s": the numbers at the slowest and the fastest point of the
/// middle mass where the law lets the bodies part.
std::string over_speed(const std::vector<double>& values, const std::vector<Point>& points) {
    const double mass = points[points.size() / 2].mass;
    const auto counts = [&](const Point& p) { return p.parts && p.mass == mass; };
    auto first = std::ranges::find_if(points, counts);
    if (first == points.end()) first = std::ranges::find_if(points, &Point::parts);
    auto last = first;
    for (auto p = first; p != points.end() && p->mass == first->mass; ++p)
        if (p->parts) last = p;
    return fmt::format("{:.4g} at {:.3g} m/s and {:.4g} at {:.3g} m/s",
                       values[static_cast<std::size_t>(first - points.begin())], first->speed,
                       values[static_cast<std::size_t>(last - points.begin())], last->speed);
}

std::string joined(const std::vector<std::string>& reasons) {
    std::string text;
    for (std::size_t i = 0; i < reasons.size(); ++i)
        text += (i == 0 ? "" : i + 1 == reasons.size() ? ", and " : ", ") + reasons[i];
    return text;
}

std::string why_not(const Translation& t, const std::vector<Point>& points, bool yields) {
    std::vector<std::string> reasons;
    const auto stuck = std::ranges::find(points, false, &Point::parts);
    if (stuck != points.end()) {
        reasons.push_back(
            fmt::format("under the law the bodies do not part at {:.3g} m/s", stuck->speed));
    }
    const Point& last = points.back();
    if (yields && last.parts && last.residual > 1e-6 * last.overlap) {
        reasons.push_back(
            fmt::format("the law yields, which leaves an overlap of {:.3g} m at {:.3g} m/s, and "
                        "the model does not",
                        last.residual, last.speed));
    }
    if (t.largest_error > 1e-3) {
        std::vector<double> law;
        for (const Point& p : points)
            law.push_back(p.restitution);
        reasons.push_back(fmt::format("the law returns {}, the model {}", over_speed(law, points),
                                      over_speed(t.restitution, points)));
    }
    if (t.largest_duration_error > 0.01) {
        reasons.push_back(fmt::format("durations of contact differ by up to {:.3g} %",
                                      100.0 * t.largest_duration_error));
    }
    if (reasons.empty()) return {};
    return fmt::format("{} cannot express the law exactly: {}.", t.model->name, joined(reasons));
}

Translation translation(const Model& model, const Touch& touch, const std::vector<Point>& points,
                        std::optional<double> hertz, bool yields) {
    const Search search(model, touch, points);
    const bool known = model.hertzian && hertz;
    const auto start = [&] {
        if (known) return *hertz;
        // K of a Hertz contact that stops the bodies at the same overlap.
        if (model.hertzian)
            return 1.25 * touch.mass * touch.speed * touch.speed / std::pow(touch.overlap, 2.5);
        return model.first_stiffness(touch);
    };
    Numbers numbers{.stiffness = start(), .damping = 0.0};
    if (known) {
        search.find_damping(numbers);
    } else {
        for (const double span : {1000.0, 3.0, 1.2}) {
            search.find_stiffness(numbers, numbers.stiffness, span);
            search.find_damping(numbers);
        }
    }
    Translation result{.model = &model,
                       .numbers = numbers,
                       .touch = touch,
                       .restitution = {},
                       .duration = {},
                       .largest_error = 0.0,
                       .rms_error = std::sqrt(search.restitution_misfit(numbers)),
                       .largest_duration_error = 0.0,
                       .cannot = {}};
    for (const Point& point : points) {
        const Impact hit = search.at(numbers, point);
        result.restitution.push_back(hit.restitution);
        result.duration.push_back(hit.duration);
        if (!point.parts) continue;
        result.largest_error =
            std::max(result.largest_error, std::abs(hit.restitution - point.restitution));
        result.largest_duration_error =
            std::max(result.largest_duration_error, std::abs(hit.duration / point.duration - 1.0));
    }
    result.cannot = why_not(result, points, yields);
    return result;
}

void check(const Range& range, const char* what, const char* unit) {
    if (range.low > 0.0 && range.high >= range.low && std::isfinite(range.high)) return;
    throw ArgumentError(
        fmt::format("{}: is {:g} to {:g}; expected LOW:HIGH, numbers above 0 that "
                    "do not fall, in {}",
                    what, range.low, range.high, unit));
}

}  // namespace

Translated translate(const Wanted& wanted, const Program& program) {
    check(wanted.speeds, "speeds", "m/s");
    check(wanted.masses, "masses", "kg");
    if (!(wanted.contact.radius > 0.0) || !std::isfinite(wanted.contact.radius))
        throw ArgumentError(
            "the contact needs an effective radius; give effective_radius, in m, in "
            "[contact]");
    Translated result{.points = points_of(wanted), .models = {}, .cannot = {}};
    const std::vector<Point>& points = result.points;
    if (std::ranges::none_of(points, &Point::parts)) {
        result.cannot = fmt::format(
            "{} cannot express the law: under it the bodies do not part at any speed of the range.",
            program.title);
        return result;
    }
    const Touch touch = touch_of(wanted, points);
    std::optional<double> hertz;
    if (is_hertz(wanted, touch.overlap)) hertz = wanted.contact.stiffness;
    for (const Model& model : program.models) {
        if (model.describes != nullptr && !model.describes(touch)) continue;
        result.models.push_back(translation(model, touch, points, hertz, wanted.yields));
    }
    // Differences below what the searches resolve do not change the order of the rows.
    std::ranges::stable_sort(result.models, {}, [](const Translation& t) {
        return std::round(1e4 * (t.rms_error + 0.1 * std::min(t.largest_duration_error, 10.0)));
    });
    return result;
}

}  // namespace beadwave::translation
