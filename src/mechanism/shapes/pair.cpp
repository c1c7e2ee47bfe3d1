#include "mechanism/shapes/pair.hpp"

#include "mechanism/shapes/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace beadwave::mechanism::shapes {
namespace {

using Places = std::vector<std::shared_ptr<const Place>>;
using CurvePointer = std::shared_ptr<const Curve>;

template <class Kind, class... Parts>
std::shared_ptr<Place> make(bool reversed, Parts&&... parts) {
    auto place = std::make_shared<Kind>(std::forward<Parts>(parts)...);
    if (!reversed) return place;
    return std::make_shared<Reversed>(std::move(place));
}

/// `reversed`: the pair was given in the other order.
struct Builder {
    bool reversed;
    std::vector<std::shared_ptr<Place>> places{};

    void name(const char* what, std::size_t number, bool of_second) {
        places.back()->name = fmt::format("{} {}", what, number);
        places.back()->owner = of_second ? 1 : 0;
    }
    void corners_on(const Rounded& corners, const Rounded& other, bool reverse, bool shares) {
        for (std::size_t k = 0; k < corners.core.size(); ++k) {
            places.push_back(make<CornerOnRounded>(reverse, Corner(corners, k), other, shares));
            if (corners.core.size() > 1) name("corner", k, reverse);
        }
    }

    void operator()(const Rounded& a, const Rounded& b) {
        if (a.core.size() == 1) return corners_on(a, b, reversed, true);
        if (b.core.size() == 1) return corners_on(b, a, !reversed, true);
        corners_on(a, b, reversed, true);
        corners_on(b, a, !reversed, false);
    }
    void operator()(const Rounded& a, const CurvePointer& b) {
        if (a.core.size() == 1)
            places.push_back(make<CornerOnCurve>(reversed, Corner(a, 0), b));
        else
            places.push_back(make<RoundedOnCurve>(reversed, a, b));
    }
    void operator()(const Rounded& a, const Socket& b) {
        for (std::size_t k = 0; k < a.core.size(); ++k) {
            places.push_back(make<CornerInSocket>(reversed, Corner(a, k), b));
            if (a.core.size() > 1) name("corner", k, reversed);
        }
        if (a.core.size() == 1) return;
        for (std::size_t k = 0; k < b.ends().size(); ++k) {
            places.push_back(make<CornerOnRounded>(!reversed, Corner(b.ends()[k], 0.0), a, false));
            name("end", k, !reversed);
        }
    }
    void operator()(const CurvePointer& a, const CurvePointer& b) {
        places.push_back(make<CurveOnCurve>(reversed, a, b));
    }
    void operator()(const CurvePointer& a, const Socket& b) {
        places.push_back(make<CurveInSocket>(reversed, a, b));
    }
    void operator()(const Socket&, const Socket&) {}  // check() refuses them
    template <class A, class B>
    void operator()(const A& a, const B& b) {
        reversed = true;
        (*this)(b, a);
    }
};

double rounding_of(const Outline& outline) {
    const auto* rounded = std::get_if<Rounded>(&outline);
    return rounded != nullptr ? rounded->radius : 0.0;
}

/// How far another shape can move into this one until it is nearer to the side behind [m].
double depth_of(const Outline& outline) {
    const auto* curve = std::get_if<CurvePointer>(&outline);
    return curve != nullptr ? 0.5 * (*curve)->least_reach() : rounding_of(outline);
}

bool is_disc(const Outline& outline) {
    const auto* rounded = std::get_if<Rounded>(&outline);
    return rounded != nullptr && rounded->core.size() == 1;
}

}  // namespace

std::array<double, 2> Place::stiffness_radii(const std::array<double, 2>& radii) const {
    std::array<double, 2> round = radii;
    for (const std::size_t k : {0, 1}) {
        if (radii[k] != 0.0) continue;
        const double other = std::abs(radii[1 - k]);
        round[k] = std::isfinite(other) && other > 0.0 ? other : rounding;
    }
    return round;
}

Places places_of(const Shape& first, const Shape& second) {
    const Outline a = outline_of(first), b = outline_of(second);
    Builder builder{.reversed = false};
    std::visit(builder, a, b);
    const double smallest = std::min(extent_of(first).reach, extent_of(second).reach);
    Places places;
    for (const std::shared_ptr<Place>& place : builder.places) {
        place->rounding = rounding_of(a) + rounding_of(b);
        place->smallest = smallest;
        place->depth = depth_of(a) + depth_of(b);
        place->elongated = !is_disc(a) || !is_disc(b);
        places.push_back(place);
    }
    return places;
}

Extent extent_of(const Shape& shape) {
    struct Points {
        std::vector<Vector> operator()(const Rounded& rounded) const {
            std::vector<Vector> points;
            for (const Vector& c : rounded.core) {
                points.push_back(c + Vector{rounded.radius, rounded.radius});
                points.push_back(c - Vector{rounded.radius, rounded.radius});
            }
            return points;
        }
        std::vector<Vector> operator()(const CurvePointer& curve) const {
            std::vector<Vector> points;
            for (const Curve::Point& sample : curve->samples())
                points.push_back(sample.position);
            return points;
        }
        std::vector<Vector> operator()(const Socket& socket) const {
            const Vector corner{socket.radius, socket.radius};
            return {socket.centre - corner, socket.centre + corner};
        }
    };
    const std::vector<Vector> points = std::visit(Points{}, outline_of(shape));
    Vector low = points[0], high = points[0];
    for (const Vector& point : points) {
        for (const std::size_t k : {0, 1}) {
            low[k] = std::min(low[k], point[k]);
            high[k] = std::max(high[k], point[k]);
        }
    }
    return {.centre = 0.5 * (low + high), .reach = 0.5 * length(high - low)};
}

Shape moved(const Shape& shape, const Vector& offset) {
    Shape result = shape;
    const auto move = [&](auto& part) {
        using Kind = std::remove_reference_t<decltype(part)>;
        if constexpr (std::is_same_v<Kind, Segment>) {
            part.from = part.from + offset;
            part.to = part.to + offset;
        } else if constexpr (std::is_same_v<Kind, Polygon>) {
            for (Vector& corner : part.corners)
                corner = corner + offset;
        } else {
            part.centre = part.centre + offset;
        }
    };
    std::visit(move, result);
    return result;
}

}  // namespace beadwave::mechanism::shapes
