#include "laws/rigid_law.hpp"

namespace beadwave::laws {

const RigidLaw& rigid_law() {
    static const RigidLaw law{
        .parameters = {{.name = "restitution",
                        .unit = "-",
                        .meaning = "of Newton: separation speed over approach speed",
                        .lowest = 0.0,
                        .highest = 1.0,
                        .standard = 0.0},
                       {.name = "solver_tolerance",
                        .unit = "-",
                        .meaning = "law rigid: the largest change of an impulse in the last "
                                   "iteration of a step, divided by the largest impulse",
                        .lowest = 1e-15,
                        .highest = 1e-2,
                        .standard = 1e-6},
                       {.name = "solver_iterations",
                        .unit = "-",
                        .meaning = "law rigid: iterations of a step at most; a run counts the "
                                   "steps that need more, and warns",
                        .lowest = 1.0,
                        .highest = 1e9,
                        .standard = 10000.0}}};
    return law;
}

Settings rigid_settings(double restitution) {
    Settings settings{.name = std::string(rigid_name), .values = {}};
    for (const Parameter& parameter : rigid_law().parameters)
        settings.values.emplace(parameter.name, *parameter.standard);
    settings.values.insert_or_assign("restitution", restitution);
    return settings;
}

}  // namespace beadwave::laws
