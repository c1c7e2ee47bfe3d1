// What other programs have in place of a contact law: their models, each with its formula, its
// keys, and how a line of its input looks. A program is a file in programs/ and a row in
// programs.cpp.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::translation {

/// What a model knows of the contact. Speed, overlap and time are those of the law in the middle of
/// the range: scales of searches, and the speed of models that take one for all contacts.
struct Touch {
    double radius = 0.0;         ///< effective [m]
    double mass = 0.0;           ///< effective [kg]
    double poisson_ratio = 0.3;  ///< [-], of both bodies
    double speed = 0.0;          ///< [m/s]
    double overlap = 0.0;        ///< [m], the largest
    double time = 0.0;           ///< [s], duration
    /// Radius of each body [m] where the two are equal spheres; infinite: one body is a flat; NaN:
    /// something else.
    double sphere_radius = std::numeric_limits<double>::quiet_NaN();
};

/// The two numbers of a model that a translation searches.
struct Numbers {
    double stiffness = 0.0;  ///< in the unit of the model
    double damping = 0.0;    ///< in the unit of the model; 0: none
};

/// One parameter as the program takes it.
struct Key {
    std::string key;
    double value;
    std::string unit;  ///< SI; "-" when dimensionless
    std::string meaning;
};

struct Model {
    std::string_view name;     ///< as its program calls it
    std::string_view formula;  ///< force over overlap d [m] and approach speed v [m/s]
    std::string_view source;
    /// [N], before the program cuts what pulls
    double (*force)(const Numbers&, const Touch&, double overlap, double approach_speed);
    /// Whether a force below 0 acts, and the contact ends where the overlap does. Otherwise the
    /// force is cut at 0.
    bool pulls;
    /// Whether the static force is K d^1.5 with the stiffness K [N/m^1.5]. Otherwise
    /// first_stiffness is where a search begins, in the unit of the model.
    bool hertzian;
    double (*first_stiffness)(const Touch&);
    /// A damping that takes most of the energy, and the largest that the program accepts.
    double (*strong_damping)(const Touch&);
    double largest_damping = std::numeric_limits<double>::infinity();
    std::vector<Key> (*keys)(const Numbers&, const Touch&);
    /// Lines of an input file.
    std::string (*input)(const Numbers&, const Touch&);
    std::string_view remark{};  ///< what to know before it is used; a sentence or nothing
    /// Whether the model describes such a contact; no function: any.
    bool (*describes)(const Touch&) = nullptr;
};

struct Program {
    std::string_view name;  ///< in --for
    std::string_view title;
    std::span<const Model> models;
};

/// All programs, in the order in which they are shown.
std::span<const Program* const> programs();

/// Null if there is none of that name.
const Program* find_program(std::string_view name);

// ---- what several models share ----

/// K d^1.5 [N].
double hertz_force(double stiffness, double overlap);
/// Effective modulus [Pa] of a Hertz stiffness [N/m^1.5] at this contact.
double effective_modulus(const Numbers&, const Touch&);
/// Young's modulus [Pa] of both bodies, with the Poisson ratio of the contact.
double youngs_modulus(const Numbers&, const Touch&);

/// alpha of a restitution e = exp(-damping): the dashpot alpha sqrt(m K) d^(1/4) returns e for
/// every mass and speed as long as the force may pull [Tsuji 1992; Antypov and Elliott 2011].
double tsuji_factor(double damping);
/// K d^1.5 + alpha sqrt(m K) d^(1/4) v [N] with this alpha.
double tsuji_force(const Numbers&, const Touch&, double overlap, double approach_speed);
/// 2 zeta sqrt(m k) [N s/m] of a spring k [N/m] with a dashpot whose oscillator returns
/// exp(-damping) at zero overlap.
double linear_dashpot(double stiffness, double mass, double damping);
/// The restitution exp(-damping) [-].
double restitution_key(const Numbers&);

/// Scales of searches: of a damping that is a logarithm of a restitution or a ratio, of one in 1/s,
/// N/m of a spring that stops the bodies in the time of the law.
double of_order_one(const Touch&);
double per_duration(const Touch&);
double spring_of_duration(const Touch&);

/// 0.01: the least restitution that is searched; damping -ln(0.01).
inline constexpr double least_restitution = 0.01, most_log_restitution = 4.605170185988091;

}  // namespace beadwave::translation
