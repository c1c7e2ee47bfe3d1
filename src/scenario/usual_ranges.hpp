// The numbers that chains, packings and mechanisms share, and their usual ranges, for
// plausible.hpp.
#pragma once

#include "scenario/common.hpp"
#include "scenario/plausible.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace beadwave::scenario {

/// Places of the numbers of a material.
struct MaterialNumbers {
    std::size_t modulus;
    std::optional<std::size_t> density{};
};

/// Whether forces of this law follow from Young's modulus: not where its stiffness is given, or a
/// file.
bool uses_modulus(const laws::Settings& law);

/// Adds Young's modulus, the yield stress and the density under a key such as "material.steel".
/// A modulus that stands for a rigid body has no range. `softest` [Pa].
MaterialNumbers add_material(Plausibility& plausible, const std::string& key,
                             const laws::Elasticity& elasticity, std::optional<double> density,
                             double softest = softest_solid);

/// The materials of a scenario, each added when it is first asked for.
class Materials {
  public:
    explicit Materials(const Common& scenario) : scenario_(scenario) {}
    const MaterialNumbers& add(Plausibility& plausible, const std::string& name);

  private:
    const Common& scenario_;
    std::map<std::string, MaterialNumbers> added_;
};

/// Adds the ranges of each bead or particle, `body`: its radius, beside that of the first one, and
/// the density [kg/m^3] that follows from a given mass. The numbers are places.
void add_body_ranges(Plausibility& plausible, const std::string& body, std::size_t radius,
                     std::size_t first_radius, bool has_mass, Plausibility::Measure density);

/// Adds time.end [s]; returns its place.
std::size_t add_end(Plausibility& plausible, double end);

/// Adds an interval between samples.
void add_interval(Plausibility& plausible, const std::string& key, std::optional<double> interval,
                  std::size_t end);

/// Adds time.step and the intervals that all scenarios may have.
void add_times(Plausibility& plausible, const Common& scenario, std::size_t end);

/// Adds gravity.acceleration [m/s^2], if it acts; none if it does not.
std::optional<std::size_t> add_gravity(Plausibility& plausible, double acceleration);

/// Whether bodies of this radius [m] and modulus [Pa] are so large or so soft that an impact may
/// take longer than a run is meant to. Runs may be short; without that they tell nothing.
bool may_be_slow(double radius, double modulus);

/// The largest overlap over the radius of a Hertz collision of two equal spheres: density [kg/m^3],
/// modulus [Pa], speed [m/s].
double collision_overlap(double density, double modulus, double speed);

/// The duration of such a collision over the radius [s/m].
double collision_time(double density, double modulus, double speed);

/// A warning about a coefficient of friction that no dry bodies have, and that is probably in per
/// cent; none from 100 on, as which bodies are written that never slide. `key`: its dotted key.
std::optional<std::string> high_friction(const std::string& key, double coefficient);

/// Density of a sphere [kg/m^3] of this mass [kg] and radius [m].
double sphere_density(double mass, double radius);

}  // namespace beadwave::scenario
