// Numbers of a scenario that are probably written in another unit: a radius of 2.38 for mm, a
// Young's modulus of 193 for GPa.
//
// A subject gives its numbers, and measures of them that real systems have within a range, such as
// the density of a bead from its mass and radius. Where a measure is out of its range, the one
// number is sought that another unit makes plausible, with all measures in their ranges. If there
// is none, no unit can be told, as in a scenario in reduced units.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::scenario {

enum class Dimension { length, mass, time, stress, density, speed, acceleration, inertia };

class Plausibility {
  public:
    /// The values of the numbers in SI units, or of others in their place.
    using Values = std::span<const double>;
    /// NaN: it says nothing.
    using Measure = std::function<double(Values)>;

    /// Adds the number of a dotted key, in its SI unit, and returns its place among the values. A
    /// key that was added before keeps its place and value.
    std::size_t number(std::string key, double value, Dimension dimension);
    /// Adds a measure from `lowest` to `highest`. `what` is its name in a sentence: "the density of
    /// a bead"; `unit`: " kg/m^3", or empty.
    void measure(std::string what, std::string unit, double lowest, double highest, Measure of);
    /// A number that has a range by itself.
    void range(std::size_t number, std::string what, std::string unit, double lowest,
               double highest);

    double value(std::size_t number) const { return values_[number]; }

    /// One sentence that names the key, the value and the unit that it probably was in. None: all
    /// is plausible, or no unit can be told.
    std::optional<std::string> doubt() const;

  private:
    struct Number {
        std::string key;
        Dimension dimension;
    };
    struct Range {
        std::string what, unit;
        double lowest, highest;
        Measure of;
    };
    /// Several keys of one name, or one key, in another unit; or all lengths, and what has a length
    /// in its unit, in the units of millimetres.
    struct Candidate {
        std::vector<std::size_t> numbers;
        double factor;                ///< of a length, where dimensions differ
        const char* unit;             ///< null: none that has a name
        double rarity;                ///< of this unit, in terms of strangeness
        std::vector<Dimension> of{};  ///< where dimensions differ: which
    };

    std::vector<Candidate> candidates() const;
    void add_millimetres(std::vector<Candidate>& all) const;
    double factor(const Candidate& candidate, std::size_t number) const;
    std::string keys_of(const Candidate& candidate) const;
    /// "was it written in mm? expected m"
    std::string question(const Candidate& candidate) const;
    /// The range that is missed by the largest factor; null: none.
    const Range* broken() const;
    /// Whether radii, masses and stiffness are all of the order of one, as in reduced units.
    bool is_reduced() const;
    /// How far from usual all measures are; nothing if one is out of its range.
    std::optional<double> strangeness(Values values) const;

    std::vector<Number> numbers_;
    std::map<std::string, std::size_t> place_;
    std::vector<double> values_;
    std::vector<Range> ranges_;
};

/// Usual numbers of things that are built or poured, generously: aerogel to osmium, gels to
/// diamond, powder to boulders.
inline constexpr double lightest_solid = 10.0, heaviest_solid = 3e4;    // kg/m^3
inline constexpr double softest_solid = 1e3, hardest_solid = 2e12;      // Pa
inline constexpr double fastest_sound = 2.5e4;                          // sqrt(E/density) [m/s]
inline constexpr double smallest_radius = 1e-7, largest_radius = 10.0;  // m

}  // namespace beadwave::scenario
