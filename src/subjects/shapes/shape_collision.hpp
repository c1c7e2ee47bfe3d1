// The collision of two bodies in space: free flight, contact, and what comes of it.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/elliptic_contact.hpp"
#include "io/scenario/named_files.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/collision_report.hpp"
#include "shapes/frictional_impact.hpp"
#include "subjects/shapes/shape_case.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::jobs {

/// What a collision gives, and what it starts from.
struct ShapeCollision {
    io::ShapeCase given;
    std::string law;
    double flight_time;  ///< until the bodies touch [s]
    shapes::Gap closing;
    shapes::Vector point;  ///< where they touch, in space [m]
    laws::ContactEllipse ellipse;
    laws::Contact contact;
    shapes::Impact hit;
    /// With friction; its normal part is `hit`.
    std::optional<shapes::FrictionalImpact> friction{};
    shapes::Pair after;
    std::vector<std::string> warnings{};
    std::vector<laws::CollisionMoment> trajectory{};

    double energy_before() const;  ///< kinetic, of both [J]
    double energy_after() const;   ///< [J]
};

/// Throws InputError for what is wrong in the file, bodies that never meet and laws that do not
/// apply; std::runtime_error if the bodies do not separate.
ShapeCollision shape_collision(const io::TomlDocument&, io::NamedFiles, bool with_trajectory);

/// The result of shape_collision() as text and JSON.
CollisionReport collide_shapes(io::TomlDocument, io::NamedFiles, bool with_trajectory);

}  // namespace beadwave::jobs
