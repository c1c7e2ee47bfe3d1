// The numbers of a packing whose units may be wrong, and the ranges in which such numbers are
// usual (scenario/usual_ranges.hpp).
#pragma once

#include "packing/build/scenario.hpp"
#include "scenario/usual_ranges.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::io {

using packing::Vec3;
using scenario::Dimension;
using scenario::MaterialNumbers;
using scenario::Plausibility;
using Values = Plausibility::Values;

/// Places of the numbers of a group.
struct GroupNumbers {
    std::size_t radius;
    std::optional<std::size_t> mass{}, speed{};
    MaterialNumbers material;
    double filled = 1.0;  ///< Group::filled_part()

    /// [kg/m^3]; NaN: not known.
    double density(Values v) const {
        if (mass) return scenario::sphere_density(v[*mass], v[radius]) / filled;
        return material.density ? v[*material.density] : std::numeric_limits<double>::quiet_NaN();
    }
};

class PackingUnits {
  public:
    explicit PackingUnits(const packing::Scenario& scenario);

    std::optional<std::string> doubt() const { return plausible_.doubt(); }

  private:
    /// A vector takes part as its largest component.
    void add_place(const std::string& key, const Vec3& place);
    void add_speed(const std::string& key, const Vec3& velocity);
    void add_group(std::size_t g);
    /// The largest semi-axis stands for all three, the sphere around a clump for its spheres.
    std::string size_key(std::size_t g) const;
    void add_crystal(const std::string& key, const packing::CrystalPlaces& crystal);
    /// Random places: the part of their region that the particles fill.
    void add_filling(std::size_t g, const packing::RandomPlaces& random);
    void add_wall(std::size_t w);
    void add_box();
    void add_pressure(double pressure);
    void add_period(double period);
    /// The second largest length of the packing, so that one that is wrong does not count [m].
    double size(Values v) const;
    bool is_crystal() const;
    void add_ranges(const GroupNumbers& group);
    /// Walls with a mass beside the particles.
    void add_loads();
    /// Places far away from everything else.
    void add_places();
    /// How far something moves in the run [m].
    double reach(Values v) const;
    /// The end of the run beside the times of its motions.
    void add_duration();
    /// The size of the largest crystal [m].
    double lattice_size(Values v) const;

    const packing::Scenario& scenario_;
    scenario::Materials materials_;
    Plausibility plausible_;
    bool stiff_;
    std::size_t end_;
    std::optional<std::size_t> gravity_;
    std::vector<GroupNumbers> groups_;
    std::vector<std::size_t> places_, speeds_;
    std::vector<std::size_t> loads_;  ///< masses of walls
    double pressure_ = 0.0;           ///< largest that is given [Pa]
    double slowest_ = 0.0;            ///< longest period of what is prescribed [s]
    bool few_ = false;                ///< particles, at places that are given one by one
    bool slow_ = false;               ///< something may move slowly
};

}  // namespace beadwave::io
