// The rows of the programs that laws are translated for.
#include "translation/model.hpp"

#include <algorithm>
#include <array>

namespace beadwave::translation {

extern const Program lammps, liggghts, yade, mujoco, drake, chrono, simbody;

std::span<const Program* const> programs() {
    static constexpr std::array<const Program*, 7> all{&lammps, &liggghts, &yade,   &mujoco,
                                                       &drake,  &chrono,   &simbody};
    return all;
}

const Program* find_program(std::string_view name) {
    const auto found = std::ranges::find(programs(), name, &Program::name);
    return found == programs().end() ? nullptr : *found;
}

}  // namespace beadwave::translation
