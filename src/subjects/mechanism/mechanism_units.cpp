#include "subjects/mechanism/mechanism_units.hpp"

#include "scenario/usual_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <vector>

namespace beadwave::io {
namespace {

using mechanism::Mechanism;
using mechanism::Vector;
using scenario::Dimension;
using scenario::Plausibility;
using Values = Plausibility::Values;
namespace shapes = mechanism::shapes;

constexpr double silent = std::numeric_limits<double>::quiet_NaN();
/// The most bodies, joints and contacts that are looked at.
constexpr std::size_t most_parts = 64;
/// Softer than rubber: no part of a mechanism.
constexpr double softest_part = 1e6;  // Pa
constexpr double fastest_part = 2e3;  // m/s

double norm(const Vector& v) {
    return std::hypot(v[0], v[1]);
}

/// A point that takes part as its distance from the origin of the ground.
struct Place {
    Vector at;
    std::optional<std::size_t> number{};  ///< none: it is the origin

    Vector in(Values v) const {
        if (!number) return at;
        const double ratio = v[*number] / norm(at);
        return {ratio * at[0], ratio * at[1]};
    }
};

class MechanismUnits {
  public:
    MechanismUnits(const Mechanism& mechanism,
                   const std::map<std::string, scenario::Material, std::less<>>& materials)
        : mechanism_(mechanism), materials_(materials), of_body_(mechanism.bodies.size()) {
        end_ = scenario::add_end(plausible_, mechanism.end);
        constexpr double chosen = 2000.0;  // samples where no interval is given
        if (mechanism.interval > 0.0 && mechanism.interval != mechanism.end / chosen)
            scenario::add_interval(plausible_, "time.interval", mechanism.interval, end_);
        gravity_ = scenario::add_gravity(plausible_, norm(mechanism.gravity));
        for (std::size_t b = 0; b < std::min(most_parts, mechanism.bodies.size()); ++b)
            add_body(b);
        for (std::size_t j = 0; j < std::min(most_parts, mechanism.joints.size()); ++j)
            add_joint(j);
        for (std::size_t c = 0; c < std::min(most_parts, mechanism.contacts.size()); ++c)
            add_contact(c);
        add_body_ranges();
        add_place_ranges();
        add_duration();
    }

    std::optional<std::string> doubt() const { return plausible_.doubt(); }

  private:
    struct BodyNumbers {
        std::size_t mass = 0;
        Place centre{};
        std::vector<Place> points{};       ///< where it meets others
        std::vector<std::size_t> radii{};  ///< of its surfaces
        bool turns = true;
    };

    Place place(const std::string& key, const Vector& at) {
        Place own{.at = at};
        if (norm(at) > 0.0) {
            own.number = plausible_.number(key, norm(at), Dimension::length);
            places_.push_back(*own.number);
        }
        return own;
    }

    std::size_t length(const std::string& key, double value) {
        const std::size_t own = plausible_.number(key, value, Dimension::length);
        sizes_.push_back(own);
        return own;
    }

    void add_body(std::size_t b) {
        const mechanism::Body& body = mechanism_.bodies[b];
        const std::string key = fmt::format("body.{}", b);
        of_body_[b].mass = plausible_.number(key + ".mass", body.mass, Dimension::mass);
        of_body_[b].centre = place(key + ".centre", body.centre);
        if (body.velocity && norm(*body.velocity) > 0.0) {
            speeds_.push_back(
                plausible_.number(key + ".velocity", norm(*body.velocity), Dimension::speed));
            plausible_.range(speeds_.back(), "the speed", " m/s", 0.0, fastest_part);
        }
    }

    void meets(std::size_t body, const Place& point) {
        if (body < of_body_.size()) of_body_[body].points.push_back(point);
    }
    void has_radius(std::size_t body, std::size_t radius) {
        if (body < of_body_.size()) of_body_[body].radii.push_back(radius);
    }

    void add_joint(std::size_t j) {
        const mechanism::Joint& joint = mechanism_.joints[j];
        const std::string key = fmt::format("joint.{}", j);
        if (joint.kind == mechanism::JointKind::revolute) {
            const Place point = place(key + ".point", joint.point);
            for (const std::size_t body : joint.bodies)
                meets(body, point);
        } else {
            for (std::size_t side = 0; side < 2; ++side) {
                const bool to_ground = joint.bodies[1 - side] >= of_body_.size();
                if (to_ground && joint.bodies[side] < of_body_.size())
                    of_body_[joint.bodies[side]].turns = false;
            }
        }
        if (joint.motor && joint.kind == mechanism::JointKind::revolute) {
            double fastest = 0.0;
            for (const double speed : joint.motor->speeds)
                fastest = std::max(fastest, std::abs(speed));
            if (fastest > 0.0) {
                turning_ = std::max(turning_, fastest);
                add_period(2.0 * std::numbers::pi / fastest);
            }
        }
        if (joint.motor && joint.motor->times.size() > 1) add_period(joint.motor->times.back());
    }

    void add_contact(std::size_t c) {
        const mechanism::Contact& contact = mechanism_.contacts[c];
        const std::string key = fmt::format("contact.{}", c);
        const auto first = contact.bodies[0], second = contact.bodies[1];
        std::optional<std::size_t> radius;
        std::visit(
            [&](const auto& geometry) {
                using Geometry = std::decay_t<decltype(geometry)>;
                if constexpr (std::is_same_v<Geometry, mechanism::Journal>) {
                    radius = length(key + ".bearing_radius", geometry.bearing_radius);
                    const std::size_t clearance = length(key + ".clearance", geometry.clearance);
                    plausible_.measure("the clearance over the radius of the bearing", "", 1e-5,
                                       0.5, [clearance, radius = *radius](Values v) {
                                           return v[clearance] / v[radius];
                                       });
                    const Place point = place(key + ".point", geometry.point);
                    meets(first, point);
                    meets(second, point);
                    if (geometry.bearing_centre) {
                        const Vector& centre = *geometry.bearing_centre;
                        play_ = std::max(play_, norm({geometry.point[0] - centre[0],
                                                      geometry.point[1] - centre[1]}));
                    }
                } else if constexpr (std::is_same_v<Geometry, mechanism::Prismatic>) {
                    const std::size_t height = length(key + ".height", geometry.height);
                    has_radius(first, length(key + ".length", geometry.length));
                    has_radius(first, height);
                    if (geometry.clearance > 0.0) {
                        const std::size_t clearance =
                            length(key + ".clearance", geometry.clearance);
                        plausible_.measure(
                            "the clearance over the height", "", 1e-6, 0.5,
                            [clearance, height](Values v) { return v[clearance] / v[height]; });
                    }
                    meets(first, place(key + ".point", geometry.point));
                } else if constexpr (std::is_same_v<Geometry, mechanism::PointLine>) {
                    meets(first, place(key + ".point", geometry.point));
                    meets(second, place(key + ".line_point", geometry.line_point));
                    if (geometry.radius > 0.0 && std::isfinite(geometry.radius))
                        radius = length(key + ".radius", geometry.radius);
                } else if constexpr (std::is_same_v<Geometry, mechanism::SphereSphere>) {
                    meets(first, place(key + ".first", geometry.centres[0]));
                    meets(second, place(key + ".second", geometry.centres[1]));
                    double largest = 0.0;
                    for (const double each : geometry.radii)
                        largest = std::max(largest, std::isfinite(each) ? std::abs(each) : 0.0);
                    if (largest > 0.0) radius = length(key + ".radii", largest);
                } else {
                    add_shape(key + ".first", geometry.first, first);
                    add_shape(key + ".second", geometry.second, second);
                }
            },
            contact.geometry);
        if (radius) {
            has_radius(first, *radius);
            has_radius(second, *radius);
        }
        add_stiffness(c, radius);
    }

    void add_shape(const std::string& key, const shapes::Shape& shape, std::size_t body) {
        const auto corners = [&](const std::string& name, const std::vector<Vector>& points) {
            const auto farthest = std::ranges::max_element(points, {}, norm);
            if (farthest != points.end()) meets(body, place(key + name, *farthest));
        };
        if (const auto* circle = std::get_if<shapes::Circle>(&shape)) {
            has_radius(body, length(key + ".radius", circle->radius));
            meets(body, place(key + ".centre", circle->centre));
        } else if (const auto* arc = std::get_if<shapes::Arc>(&shape)) {
            length(key + ".radius", arc->radius);
        } else if (const auto* segment = std::get_if<shapes::Segment>(&shape)) {
            corners(".from", {segment->from});
            corners(".to", {segment->to});
        } else if (const auto* polygon = std::get_if<shapes::Polygon>(&shape)) {
            corners(".corners", polygon->corners);
        } else if (const auto* ellipse = std::get_if<shapes::Ellipse>(&shape)) {
            length(key + ".semi_axes", std::max(ellipse->semi_axes[0], ellipse->semi_axes[1]));
        }
    }

    /// The key of an elasticity: its material, or the contact itself.
    std::string key_of(const laws::Elasticity& elasticity, std::size_t contact) const {
        for (const auto& [name, material] : materials_)
            if (material.elasticity == elasticity) return "material." + name;
        return fmt::format("contact.{}", contact);
    }

    /// Adds Young's modulus of a material, once for each key.
    std::size_t add_elasticity(const std::string& key, const laws::Elasticity& elasticity) {
        const auto found = moduli_.find(key);
        if (found != moduli_.end()) return found->second;
        return moduli_[key] =
                   scenario::add_material(plausible_, key, elasticity, std::nullopt, softest_part)
                       .modulus;
    }

    void add_stiffness(std::size_t c, std::optional<std::size_t> radius) {
        const mechanism::Contact& contact = mechanism_.contacts[c];
        const auto* law = std::get_if<laws::Settings>(&contact.law);
        const auto* materials = std::get_if<mechanism::Materials>(&contact.materials);
        if (law == nullptr || materials == nullptr || !scenario::uses_modulus(*law)) return;
        for (std::size_t side = 0; side < 2; ++side) {
            const laws::Elasticity& own = materials->elasticity[side];
            const std::size_t modulus = add_elasticity(key_of(own, c), own);
            const std::size_t body = contact.bodies[side] < of_body_.size()
                                         ? contact.bodies[side]
                                         : contact.bodies[1 - side];
            if (!radius || body >= of_body_.size()) continue;
            plausible_.measure("the overlap of an impact over the radius", "", 0.0, 0.2,
                               [this, modulus, radius = *radius, body](Values v) {
                                   const double density =
                                       scenario::sphere_density(v[of_body_[body].mass], v[radius]);
                                   return scenario::collision_overlap(density, v[modulus],
                                                                      speed(v));
                               });
        }
    }

    /// Largest length from the centre of a body to where it meets others [m].
    double size(const BodyNumbers& body, Values v) const {
        double size = 0.0;
        const Vector centre = body.centre.in(v);
        for (const Place& point : body.points) {
            const Vector at = point.in(v);
            size = std::max(size, std::hypot(at[0] - centre[0], at[1] - centre[1]));
        }
        for (const std::size_t radius : body.radii)
            size = std::max(size, v[radius]);
        return size;
    }

    /// The largest size of a body [m].
    double largest_size(Values v) const {
        double largest = 0.0;
        for (const BodyNumbers& body : of_body_)
            largest = std::max(largest, size(body, v));
        return largest;
    }

    /// A speed that impacts may have [m/s].
    double speed(Values v) const {
        double fastest = 0.0;
        for (const std::size_t own : speeds_)
            fastest = std::max(fastest, v[own]);
        fastest = std::max(fastest, turning_ * largest_size(v));
        if (gravity_) fastest = std::max(fastest, std::sqrt(v[*gravity_] * largest_size(v)));
        return fastest;
    }

    void add_body_ranges() {
        for (std::size_t b = 0; b < std::min(most_parts, of_body_.size()); ++b) {
            const BodyNumbers& body = of_body_[b];
            plausible_.measure("the mass of a body in the cube of its size", " kg/m^3", 1e-6, 3e5,
                               [this, body](Values v) {
                                   const double edge = 2.0 * size(body, v);
                                   return edge > 0.0 ? v[body.mass] / (edge * edge * edge) : silent;
                               });
            if (!body.turns) continue;
            const std::size_t inertia =
                plausible_.number(fmt::format("body.{}.inertia", b), mechanism_.bodies[b].inertia,
                                  Dimension::inertia);
            plausible_.measure("the mass of a body in the cube of its radius of gyration",
                               " kg/m^3", 1e-4, 3e6, [body, inertia](Values v) {
                                   const double gyration = std::sqrt(v[inertia] / v[body.mass]);
                                   return v[body.mass] / (gyration * gyration * gyration);
                               });
        }
    }

    void add_place_ranges() {
        for (const std::size_t place : places_) {
            plausible_.measure("the distance over the size of the rest", "", 0.0, 20.0,
                               [this, place](Values v) {
                                   double rest = 0.0;
                                   for (const std::size_t other : places_)
                                       if (other != place) rest = std::max(rest, v[other]);
                                   for (const std::size_t own : sizes_)
                                       rest = std::max(rest, 10.0 * v[own]);
                                   return rest > 0.0 ? v[place] / rest : silent;
                               });
        }
        if (places_.empty()) return;
        for (const std::size_t own : sizes_) {
            plausible_.measure("the length over the distances", "", 0.0, 20.0,
                               [this, own](Values v) {
                                   double rest = 0.0;
                                   for (const std::size_t place : places_)
                                       rest = std::max(rest, v[place]);
                                   // How far a pin lies from the centre of its bearing is no
                                   // size of the mechanism.
                                   return rest > play_ ? v[own] / rest : silent;
                               });
        }
        if (turning_ > 0.0) {
            plausible_.measure("the speed of a part", " m/s", 0.0, fastest_part,
                               [this](Values v) { return turning_ * largest_size(v); });
        }
    }

    void add_period(double period) {
        if (std::isfinite(period)) slowest_ = std::max(slowest_, period);
    }

    void add_duration() {
        for (const mechanism::Spring& spring : mechanism_.springs) {
            if (!(spring.stiffness > 0.0)) continue;
            for (const std::size_t body : spring.bodies) {
                if (body < mechanism_.bodies.size()) {
                    add_period(2.0 * std::numbers::pi *
                               std::sqrt(mechanism_.bodies[body].mass / spring.stiffness));
                }
            }
        }
        for (const mechanism::Force& force : mechanism_.forces) {
            if (force.oscillation.frequency > 0.0) add_period(1.0 / force.oscillation.frequency);
            if (force.times.size() > 1) add_period(force.times.back());
        }
        for (const mechanism::Body& body : mechanism_.bodies) {
            const double turning = std::abs(body.angular_velocity.value_or(0.0));
            if (turning > 0.0) add_period(2.0 * std::numbers::pi / turning);
        }
        plausible_.measure("the end over the time of the slowest motion", "", 0.0, 300.0,
                           [this](Values v) {
                               double time = slowest_;
                               const double size = largest_size(v);
                               if (gravity_ && size > 0.0)
                                   time = std::max(time, std::sqrt(size / v[*gravity_]));
                               for (const std::size_t own : speeds_)
                                   time = std::max(time, size / v[own]);
                               return time > 0.0 ? v[end_] / time : silent;
                           });
    }

    const Mechanism& mechanism_;
    const std::map<std::string, scenario::Material, std::less<>>& materials_;
    Plausibility plausible_;
    std::size_t end_ = 0;
    std::optional<std::size_t> gravity_;
    std::vector<BodyNumbers> of_body_;
    std::vector<std::size_t> places_;  ///< distances from the origin of the ground
    std::vector<std::size_t> sizes_;   ///< radii, clearances
    std::vector<std::size_t> speeds_;
    std::map<std::string, std::size_t> moduli_;
    double play_ = 0.0;     ///< largest distance of a pin from the centre of its bearing [m]
    double turning_ = 0.0;  ///< of the fastest motor [rad/s]
    double slowest_ = 0.0;  ///< longest period of what is given [s]
};

}  // namespace

std::optional<std::string> mechanism_units(
    const Mechanism& mechanism,
    const std::map<std::string, scenario::Material, std::less<>>& materials) {
    const MechanismUnits units(mechanism, materials);
    return units.doubt();
}

}  // namespace beadwave::io
