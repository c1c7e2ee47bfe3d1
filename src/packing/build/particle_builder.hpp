// Makes the particles and the walls of a packing, one group or wall at a time.
#pragma once

#include "packing/build/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::packing {

class ParticleBuilder {
  public:
    explicit ParticleBuilder(const Scenario& scenario);

    /// Throws InputError if a number of the group makes no particle.
    void add_group(std::size_t g);
    void add_wall(const WallPlan& plan);

    Packing packing{};

  private:
    [[noreturn]] void fail(std::size_t group, std::string_view key, std::string_view what) const;
    std::size_t species(const std::string& material);
    /// Mass over the cube of the radius [kg/m^3], of cylinders over its square [kg/m^2]: within a
    /// group masses go with this power.
    double mass_per_power(std::size_t g) const;
    /// Adds so many particles of a group. The caller adds their positions.
    void add(std::size_t g, std::size_t count, std::size_t kind, double mass, double radius,
             Vec3 velocity, Vec3 angular_velocity);
    /// Adds the heat of so many. The reader has checked that all that it needs is there.
    void add_heat(const Group& group, std::size_t count);
    /// The stream of random numbers of a group. The first group with a seed has the stream of this
    /// seed, each other one with the same seed a stream of its own.
    std::uint64_t stream(std::size_t g) const;
    /// Makes an ellipsoid, superellipsoid or clump of the last particle, number `i` of its group.
    void shape(std::size_t g, std::size_t i, const Vec3& semi_axes,
               const std::optional<shapes::Quaternion>& orientation = {},
               const std::optional<shapes::Exponents>& exponents = {});
    /// The radius of each particle of the group by its number in it.
    std::function<double(std::size_t)> radii(std::size_t g) const;
    /// Adds the positions of the last group, whose particles have everything
    /// else.
    void place(std::size_t g, const std::function<double(std::size_t)>& radius_of);
    void add_pour(const Group& group);

    const Scenario& scenario_;
    /// If one group has a shape, all particles have semi-axes and an orientation.
    bool has_shapes_, has_exponents_, has_clumps_;
};

}  // namespace beadwave::packing
