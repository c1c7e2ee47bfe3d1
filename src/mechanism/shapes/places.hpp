// The kinds of places of pair.hpp. Each has its partners in a fixed order; a wrapper turns it
// round.
#pragma once

#include "mechanism/shapes/outline.hpp"
#include "mechanism/shapes/pair.hpp"

#include <optional>

namespace beadwave::mechanism::shapes {

/// A corner of a core, or the centre of a disc.
struct Corner {
    Vector point;
    double radius;
    /// The corners before and after it. Without them it faces all directions.
    std::optional<std::array<Vector, 2>> neighbours{};
    std::optional<Sector> sector{};

    Corner(const Rounded&, std::size_t number);
    Corner(const Vector& at, double of_radius) : point(at), radius(of_radius) {}
    /// Whether a body in this direction, given in the frame of the corner, touches the corner
    /// rather than a side beside it.
    bool faces(const Vector& direction) const;
};

/// A corner on a rounded core. `shares_corners`: two corners that face each other touch here;
/// otherwise another place has them, and this one has the sides only.
class CornerOnRounded final : public Place {
  public:
    CornerOnRounded(const Corner& corner, Rounded rounded, bool shares_corners)
        : corner_(corner), rounded_(std::move(rounded)), shares_corners_(shares_corners) {}
    Nearest nearest(const Pose& first, const Pose& second) const override;

  private:
    Corner corner_;
    Rounded rounded_;
    bool shares_corners_;
};

class CornerInSocket final : public Place {
  public:
    CornerInSocket(const Corner& corner, const Socket& socket) : corner_(corner), socket_(socket) {}
    Nearest nearest(const Pose& first, const Pose& second) const override;

  private:
    Corner corner_;
    Socket socket_;
};

class CornerOnCurve final : public Place {
  public:
    CornerOnCurve(const Corner& corner, std::shared_ptr<const Curve> curve)
        : corner_(corner), curve_(std::move(curve)) {}
    Nearest nearest(const Pose& first, const Pose& second) const override;

  private:
    Corner corner_;
    std::shared_ptr<const Curve> curve_;
};

/// A segment or a polygon on a convex curve: one place.
class RoundedOnCurve final : public Place {
  public:
    RoundedOnCurve(Rounded rounded, std::shared_ptr<const Curve> curve)
        : rounded_(std::move(rounded)), curve_(std::move(curve)) {}
    Nearest nearest(const Pose& first, const Pose& second) const override;

  private:
    Rounded rounded_;
    std::shared_ptr<const Curve> curve_;
};

/// Two convex curves.
class CurveOnCurve final : public Place {
  public:
    CurveOnCurve(std::shared_ptr<const Curve> first, std::shared_ptr<const Curve> second)
        : curves_{std::move(first), std::move(second)} {}
    Nearest nearest(const Pose& first, const Pose& second) const override;

  private:
    std::array<std::shared_ptr<const Curve>, 2> curves_;
};

class CurveInSocket final : public Place {
  public:
    CurveInSocket(std::shared_ptr<const Curve> curve, const Socket& socket)
        : curve_(std::move(curve)), socket_(socket) {}
    Nearest nearest(const Pose& first, const Pose& second) const override;

  private:
    std::shared_ptr<const Curve> curve_;
    Socket socket_;
};

/// A place with its two shapes in the other order.
class Reversed final : public Place {
  public:
    explicit Reversed(std::shared_ptr<const Place> place) : place_(std::move(place)) {}
    Nearest nearest(const Pose& first, const Pose& second) const override;

  private:
    std::shared_ptr<const Place> place_;
};

}  // namespace beadwave::mechanism::shapes
