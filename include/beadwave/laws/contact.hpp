// What a law knows about the two bodies that touch.
#pragma once

#include <array>
#include <optional>

namespace beadwave::laws {

/// A material as far as a contact law sees it.
struct Elasticity {
    double youngs_modulus;         ///< [Pa], above 0
    double poisson_ratio;          ///< [-], in (-1, 0.5]
    double yield_stress = 0.0;     ///< [Pa]; 0: not given, the body does not yield
    double bulk_viscosity = 0.0;   ///< zeta [Pa s]; 0: not given
    double shear_viscosity = 0.0;  ///< eta [Pa s]; 0: not given

    bool operator==(const Elasticity&) const = default;
};

/// One of two bodies, for laws whose numbers do not follow from effective properties.
struct ContactBody {
    double radius;  ///< [m]; infinite: a flat, below 0: a socket
    Elasticity material;

    bool operator==(const ContactBody&) const = default;
};

/// Effective properties of one contact. Where two bodies differ, the softer one yields.
struct Contact {
    double radius;              ///< effective radius R [m]
    double modulus;             ///< effective modulus E [Pa]: 1/E = sum of (1 - nu^2)/E_i
    double mass;                ///< effective mass [kg]: m1 m2 / (m1 + m2), or the free one's
    double stiffness;           ///< Hertz stiffness K = (4/3) E sqrt(R) [N/m^1.5]
    double yield_stress = 0.0;  ///< the lower of the two [Pa]; 0: neither is given
    /// The mean of the two bodies' [-]; nothing where the contact is given without bodies.
    std::optional<double> poisson_ratio{};
    /// Poisson's ratio of the body that yields [-]: the mean where both do at the same stress.
    std::optional<double> yielding_poisson_ratio{};
    /// Both bodies in an order that does not depend on which is first; nothing where the contact is
    /// given without bodies, or where the surfaces have more than one radius of curvature.
    std::optional<std::array<ContactBody, 2>> bodies{};
    /// b/a of the ellipse on which the bodies touch [-]; 1: a circle (elliptic_contact.hpp).
    double axis_ratio = 1.0;

    bool operator==(const Contact&) const = default;
};

/// The Poisson ratio [-] that laws assume for a contact without described bodies.
inline constexpr double assumed_poisson_ratio = 0.3;

/// Two convex spheres. Radii in m, masses in kg; an infinite radius is a flat, an infinite mass a
/// fixed body.
Contact sphere_contact(double radius_1, double mass_1, const Elasticity& material_1,
                       double radius_2, double mass_2, const Elasticity& material_2);

/// A sphere in a concave socket: R = R_ball R_socket / (R_socket - R_ball), R_socket > R_ball.
Contact socket_contact(double ball_radius, double ball_mass, const Elasticity& ball,
                       double socket_radius, double socket_mass, const Elasticity& socket);

/// Any two surfaces whose Hertz stiffness is that of a sphere of this radius on a flat [m].
Contact contact_of_radius(double radius, double axis_ratio, double mass_1,
                          const Elasticity& material_1, double mass_2,
                          const Elasticity& material_2);

/// E [Pa] of two materials: 1/E = sum of (1 - nu^2)/E_i.
double effective_modulus(const Elasticity&, const Elasticity&);

/// K = (4/3) E sqrt(R) [N/m^1.5] from the effective modulus [Pa] and radius [m].
double hertz_stiffness(double modulus, double radius);

/// m1 m2 / (m1 + m2) [kg]; if one mass is infinite, the other mass.
double effective_mass(double mass_1, double mass_2);

/// Duration of an elastic Hertz collision [s]: stiffness [N/m^1.5], effective mass [kg], speed
/// [m/s].
double hertz_duration(double stiffness, double mass, double speed);

/// Largest overlap of an elastic Hertz collision [m]: (5 m v^2 / (4 K))^(2/5).
double hertz_largest_overlap(double stiffness, double mass, double speed);

}  // namespace beadwave::laws
