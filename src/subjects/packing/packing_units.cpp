#include "subjects/packing/packing_units.hpp"

#include "scenario/usual_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace beadwave::io {
namespace {

using packing::Vec3;
using scenario::Dimension;
using scenario::MaterialNumbers;
using scenario::Plausibility;
using Values = Plausibility::Values;

constexpr double silent = std::numeric_limits<double>::quiet_NaN();
/// The most groups and walls that are looked at.
constexpr std::size_t most_parts = 64;

double largest(const Vec3& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// Places of the numbers of a group.
struct GroupNumbers {
    std::size_t radius;
    std::optional<std::size_t> mass{}, speed{};
    MaterialNumbers material;
    double filled = 1.0;  ///< Group::filled_part()

    /// [kg/m^3]; NaN: not known.
    double density(Values v) const {
        if (mass) return scenario::sphere_density(v[*mass], v[radius]) / filled;
        return material.density ? v[*material.density] : silent;
    }
};

class PackingUnits {
  public:
    explicit PackingUnits(const packing::Scenario& scenario)
        : scenario_(scenario),
          materials_(scenario),
          stiff_(scenario::uses_modulus(scenario.law)),
          end_(scenario::add_end(plausible_, scenario.time.end)) {
        scenario::add_times(plausible_, scenario, end_);
        if (scenario.measures)
            scenario::add_interval(plausible_, "measure.interval", scenario.measures->interval,
                                   end_);
        gravity_ =
            scenario::add_gravity(plausible_, std::sqrt(dot(scenario.gravity, scenario.gravity)));
        for (std::size_t g = 0; g < std::min(most_parts, scenario.groups.size()); ++g)
            add_group(g);
        for (std::size_t w = 0; w < std::min(most_parts, scenario.walls.size()); ++w)
            add_wall(w);
        add_box();
        if (scenario.press && scenario.press->pressure) add_pressure(*scenario.press->pressure);
        for (const GroupNumbers& group : groups_)
            add_ranges(group);
        add_loads();
        add_places();
        add_duration();
    }

    std::optional<std::string> doubt() const { return plausible_.doubt(); }

  private:
    /// A vector takes part as its largest component.
    void add_place(const std::string& key, const Vec3& place) {
        if (largest(place) > 0.0)
            places_.push_back(plausible_.number(key, largest(place), Dimension::length));
    }

    void add_speed(const std::string& key, const Vec3& velocity) {
        if (largest(velocity) > 0.0)
            speeds_.push_back(plausible_.number(key, largest(velocity), Dimension::speed));
    }

    void add_group(std::size_t g) {
        const packing::Group& group = scenario_.groups[g];
        const std::string key = fmt::format("particles.{}", g);
        if (group.radius > 0.0) {
            GroupNumbers numbers{
                .radius = plausible_.number(size_key(g), group.radius, Dimension::length),
                .material = materials_.add(plausible_, group.material),
                .filled = group.filled_part()};
            if (group.mass && !group.length)
                numbers.mass = plausible_.number(key + ".mass", *group.mass, Dimension::mass);
            groups_.push_back(numbers);
        }
        add_speed(key + ".velocity", group.velocity);
        // No unit makes a radius 1e10 times a distance: such a place is the origin but for
        // rounding.
        if (const auto* one = std::get_if<packing::OnePlace>(&group.places);
            one && largest(one->position) > 1e-10 * group.radius)
            add_place(key + ".position", one->position);
        if (const auto* crystal = std::get_if<packing::CrystalPlaces>(&group.places))
            add_crystal(key, *crystal);
        if (const auto* random = std::get_if<packing::RandomPlaces>(&group.places)) {
            add_place(key + ".lower", random->lower);
            add_place(key + ".upper", random->upper);
            if (group.radius > 0.0 && !random->pour) add_filling(g, *random);
        }
    }

    /// The largest semi-axis stands for all three, the sphere around a clump for its spheres.
    std::string size_key(std::size_t g) const {
        const bool sphere = scenario_.groups[g].shape == packing::GroupShape::sphere;
        const bool clump = scenario_.groups[g].shape == packing::GroupShape::clump;
        return fmt::format("particles.{}.{}", g,
                           sphere  ? "radius"
                           : clump ? "spheres"
                                   : "semi_axes");
    }

    void add_crystal(const std::string& key, const packing::CrystalPlaces& crystal) {
        add_place(key + ".origin", crystal.origin);
        if (!(crystal.overlap > 0.0) || groups_.empty()) return;
        const std::size_t overlap =
            plausible_.number(key + ".overlap", crystal.overlap, Dimension::length);
        plausible_.measure(
            "the overlap at the start over the radius", "", 0.0, 0.3,
            [overlap, radius = groups_.back().radius](Values v) { return v[overlap] / v[radius]; });
    }

    /// Random places: the part of their region that the particles fill.
    void add_filling(std::size_t g, const packing::RandomPlaces& random) {
        const packing::Group& group = scenario_.groups[g];
        const std::string key = fmt::format("particles.{}", g);
        const double lower_size = largest(random.lower), upper_size = largest(random.upper);
        if (!(upper_size > 0.0)) return;
        const std::size_t upper = plausible_.number(key + ".upper", upper_size, Dimension::length);
        std::optional<std::size_t> lower;
        if (lower_size > 0.0)
            lower = plausible_.number(key + ".lower", lower_size, Dimension::length);
        const bool space = scenario_.dimension == 3;
        const auto count = static_cast<double>(random.particles);
        const std::size_t radius = plausible_.number(size_key(g), group.radius, Dimension::length);
        const double filled = group.filled_part();
        const Vec3 from = random.lower, to = random.upper;
        plausible_.measure(
            "the part of the region that the particles fill", "", 1e-6, 1.0, [=](Values v) {
                const double low = lower ? v[*lower] / lower_size : 1.0;
                const double high = v[upper] / upper_size;
                const double x = high * to.x - low * from.x, y = high * to.y - low * from.y;
                const double z = space ? high * to.z - low * from.z : 1.0;
                const double r = v[radius];
                if (!(x > 0.0 && y > 0.0 && z > 0.0)) return 1e3;  // no region
                const double solid =
                    filled * std::numbers::pi * r * r * (space ? 4.0 / 3.0 * r : 1.0);
                return count * solid / (x * y * z);
            });
    }

    void add_wall(std::size_t w) {
        const packing::WallPlan& wall = scenario_.walls[w];
        const std::string key = fmt::format("wall.{}", w);
        materials_.add(plausible_, wall.material);
        add_place(key + ".point", wall.point);
        add_speed(key + ".velocity", wall.velocity);
        if (wall.kind != packing::WallKind::plane && wall.radius > 0.0) {
            places_.push_back(plausible_.number(key + ".radius", wall.radius, Dimension::length));
        }
        if (wall.length)
            places_.push_back(plausible_.number(key + ".length", *wall.length, Dimension::length));
        if (wall.angular_velocity != 0.0)
            add_period(2.0 * std::numbers::pi / std::abs(wall.angular_velocity));
        if (wall.drive) add_period(wall.drive->period());
        if (!wall.load) return;
        slow_ = true;
        add_pressure(wall.load->pressure);
        loads_.push_back(plausible_.number(key + ".mass", wall.load->mass, Dimension::mass));
    }

    void add_box() {
        const packing::Box& box = scenario_.box;
        if (!box.repeats()) return;
        // Along the other axes it has no bounds, whatever is written.
        const auto repeating = [&](const Vec3& corner) {
            return Vec3{box.periodic[0] ? corner.x : 0.0, box.periodic[1] ? corner.y : 0.0,
                        box.periodic[2] ? corner.z : 0.0};
        };
        add_place("box.upper", repeating(box.upper));
        add_place("box.lower", repeating(box.lower));
        if (!box.strain) return;
        const double rate = std::max(largest(box.strain->rate), largest(box.strain->shear_rate));
        if (rate > 0.0) add_period(1.0 / rate);
        if (box.strain->has_pistons()) slow_ = true;
        add_pressure(largest(box.strain->stress));
    }

    void add_pressure(double pressure) {
        if (scenario_.dimension == 3) pressure_ = std::max(pressure_, std::abs(pressure));
    }

    void add_period(double period) {
        if (std::isfinite(period)) slowest_ = std::max(slowest_, period);
    }

    /// The second largest length of the packing, so that one that is wrong does not count [m].
    double size(Values v) const {
        double largest = 0.0, second = 0.0;
        const auto add = [&](double length) {
            second = std::max(second, std::min(largest, length));
            largest = std::max(largest, length);
        };
        for (const GroupNumbers& group : groups_)
            add(v[group.radius]);
        for (const std::size_t place : places_)
            add(v[place]);
        return second;
    }

    bool is_crystal() const {
        return std::ranges::any_of(scenario_.groups, [](const packing::Group& group) {
            return std::holds_alternative<packing::CrystalPlaces>(group.places);
        });
    }

    void add_ranges(const GroupNumbers& group) {
        scenario::add_body_ranges(plausible_, "particle", group.radius, groups_.front().radius,
                                  group.mass.has_value(),
                                  [group](Values v) { return group.density(v); });
        if (!stiff_) return;
        const auto sound = [group](Values v) {
            return std::sqrt(v[group.material.modulus] / group.density(v));
        };
        // Softened materials are usual, but not in crystals that carry waves.
        const bool waves = !gravity_ && is_crystal();
        plausible_.measure("sound in the particles, sqrt(E/density)", " m/s", 1.0,
                           scenario::fastest_sound, sound);
        plausible_.measure("sound in particles this heavy, sqrt(E/density)", " m/s",
                           waves ? 200.0 : 1.0, scenario::fastest_sound, [group, sound](Values v) {
                               return group.density(v) > 2000.0 ? sound(v) : silent;
                           });
        for (const std::size_t speed : speeds_) {
            plausible_.measure("the speed over that of sound in the particles", "", 0.0, 1.0,
                               [speed, sound](Values v) { return v[speed] / sound(v); });
        }
        if (pressure_ > 0.0) {
            plausible_.measure("the pressure over Young's modulus", "", 0.0, 0.04,
                               [group, pressure = pressure_](Values v) {
                                   return pressure / v[group.material.modulus];
                               });
        }
        if (gravity_) {
            plausible_.measure("the overlap of an impact after a fall over the radius", "", 0.0,
                               0.5, [this, group, gravity = *gravity_](Values v) {
                                   const double speed = std::sqrt(2.0 * v[gravity] * size(v));
                                   return scenario::collision_overlap(
                                       group.density(v), v[group.material.modulus], speed);
                               });
        }
    }

    /// Walls with a mass beside the particles.
    void add_loads() {
        if (groups_.empty()) return;
        const double count = scenario_.particle_count();
        for (const std::size_t load : loads_) {
            plausible_.measure("the mass of the wall over that of all particles", "", 0.0, 100.0,
                               [load, count, group = groups_.front()](Values v) {
                                   const double r = v[group.radius];
                                   return v[load] / (count * group.density(v) * group.filled * 4.0 /
                                                     3.0 * std::numbers::pi * r * r * r);
                               });
        }
    }

    /// Places far away from everything else.
    void add_places() {
        few_ = scenario_.groups.size() < 50 &&
               std::ranges::all_of(scenario_.groups, [](const packing::Group& group) {
                   return std::holds_alternative<packing::OnePlace>(group.places);
               });
        for (const std::size_t place : places_) {
            plausible_.measure("the distance over the size of the rest", "", 0.0, 50.0,
                               [this, place](Values v) {
                                   double rest = lattice_size(v);
                                   for (const GroupNumbers& group : groups_)
                                       rest = std::max(rest, 2.0 * v[group.radius]);
                                   for (const std::size_t other : places_)
                                       if (other != place) rest = std::max(rest, v[other]);
                                   return v[place] / (rest + reach(v));
                               });
        }
        for (const GroupNumbers& group : groups_) {
            if (places_.empty()) return;
            plausible_.measure("the radius over the distances", "", 0.0, 10.0,
                               [this, group](Values v) {
                                   double rest = reach(v);
                                   for (const std::size_t place : places_)
                                       rest = std::max(rest, v[place]);
                                   return v[group.radius] / rest;
                               });
        }
    }

    /// How far something moves in the run [m].
    double reach(Values v) const {
        if (!few_) return 0.0;
        double fastest = 0.0;
        for (const std::size_t speed : speeds_)
            fastest = std::max(fastest, v[speed]);
        const double fall = gravity_ ? 0.5 * v[*gravity_] * v[end_] * v[end_] : 0.0;
        return fastest * v[end_] + fall;
    }

    /// The end of the run beside the times of its motions.
    void add_duration() {
        if (groups_.empty()) return;
        if (stiff_) {
            plausible_.measure(
                "the end over the duration of an impact", "", 0.2, 1e12, [this](Values v) {
                    const GroupNumbers& group = groups_.front();
                    if (!scenario::may_be_slow(v[group.radius], v[group.material.modulus]))
                        return silent;
                    double fastest = 1e-3;
                    for (const std::size_t speed : speeds_)
                        fastest = std::max(fastest, v[speed]);
                    if (gravity_) fastest = std::max(fastest, std::sqrt(v[*gravity_] * size(v)));
                    return v[end_] / (v[group.radius] *
                                      scenario::collision_time(group.density(v),
                                                               v[group.material.modulus], fastest));
                });
        }
        for (const packing::Group& group : scenario_.groups) {
            const auto* random = std::get_if<packing::RandomPlaces>(&group.places);
            if (random == nullptr || !random->pour) continue;
            if (random->pour->rate > 0.0)
                add_period(static_cast<double>(random->particles) / random->pour->rate);
            add_period(random->pour->start);
        }
        for (const packing::DrivePlan& drive : scenario_.elements.drives) {
            for (const stepping::Drive& along : drive.along) {
                add_period(along.period());
                if (along.largest_speed() > 0.0) slow_ = true;
            }
            if (drive.rotation) slow_ = true;
        }
        if (!scenario_.elements.bonds.empty() || !scenario_.elements.foundations.empty() ||
            !scenario_.elements.loads.empty())
            slow_ = true;
        const bool waves = !gravity_ && is_crystal() && stiff_;
        if (slow_ && slowest_ == 0.0 && !gravity_) return;
        plausible_.measure(
            "the end over the time of the slowest motion", "", 0.0, 300.0, [this, waves](Values v) {
                double time = slowest_;
                if (gravity_) time = std::max(time, std::sqrt(size(v) / v[*gravity_]));
                double fastest = 0.0;
                for (const std::size_t speed : speeds_)
                    fastest = std::max(fastest, v[speed]);
                const GroupNumbers& group = groups_.front();
                if (waves) {
                    const double sound = std::sqrt(v[group.material.modulus] / group.density(v));
                    time = std::max(time, 10.0 * lattice_size(v) / sound);
                } else if (fastest > 0.0) {
                    time = std::max(time, size(v) / fastest);
                }
                return time > 0.0 ? v[end_] / time : silent;
            });
    }

    /// The size of the largest crystal [m].
    double lattice_size(Values v) const {
        double size = 0.0;
        if (groups_.empty()) return size;
        for (const packing::Group& group : scenario_.groups) {
            const auto* crystal = std::get_if<packing::CrystalPlaces>(&group.places);
            if (crystal == nullptr) continue;
            const auto cells = std::ranges::max(crystal->cells);
            size = std::max(size, 2.0 * static_cast<double>(cells) * v[groups_.front().radius]);
        }
        return size;
    }

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

}  // namespace

std::optional<std::string> packing_units(const packing::Scenario& scenario) {
    const PackingUnits units(scenario);
    return units.doubt();
}

}  // namespace beadwave::io
