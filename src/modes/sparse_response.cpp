#include "modes/sparse_response.hpp"

#include "base/load_module.hpp"

#include <cmath>

namespace beadwave::modes {

std::vector<Complex> sparse_response(const linear::Entries& system, const Drive& drive,
                                     double omega) {
    static const auto solve = reinterpret_cast<eigen_module::SolveResponse>(
        load_module({"responses of packings", BEADWAVE_EIGEN_FROM_PROGRAM, BEADWAVE_EIGEN_BUILT,
                     eigen_module::response_name}));
    std::vector<Complex> motion(system.mass.size());
    for (std::size_t i = 0; i < motion.size(); ++i)
        motion[i] = Complex(drive.in_phase[i], omega * drive.with_velocity[i]);
    const eigen_module::Response response{.mass = system.mass,
                                          .row = system.row,
                                          .column = system.column,
                                          .stiffness = system.stiffness,
                                          .damping = system.damping,
                                          .omega = omega,
                                          .motion = motion.data()};
    if (!solve(&response)) return {};
    for (const Complex& u : motion)
        if (!std::isfinite(std::abs(u))) return {};
    return motion;
}

}  // namespace beadwave::modes
