// Particles of a LAMMPS file, in the order of their identifiers.
#pragma once

#include "packing/build/scenario.hpp"
#include "subjects/packing/lammps_lines.hpp"
#include "subjects/packing/lammps_particles.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::io {

/// The volume [m^3] of a sphere with radius r [m].
double volume_of(double r);

class SortedParticles {
  public:
    /// Errors are those of `lines`, which must outlive this object.
    explicit SortedParticles(const LammpsLines& lines) : lines_(lines) {}

    /// The particle of the present line; its radius must be above 0.
    void add(std::int64_t id, std::optional<std::int64_t> type,
             const packing::ListedParticle& particle);
    /// Sorts, after all are added. Throws InputError if two have the same identifier.
    void sort();
    /// The particle with this identifier, after sort(); null: none.
    packing::ListedParticle* find(std::int64_t id);
    /// All particles, or those of one type, in the order of the identifiers, after sort(). Throws
    /// InputError if there is none.
    LammpsParticles of(std::optional<std::int64_t> type) const;

    std::size_t size() const { return all_.size(); }

  private:
    struct One {
        std::int64_t id;
        std::optional<std::int64_t> type;
        std::size_t line_number;
        packing::ListedParticle particle;
    };

    const LammpsLines& lines_;
    std::vector<One> all_{};
};

}  // namespace beadwave::io
