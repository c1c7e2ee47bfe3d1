// The contacts of a chain, one step forwards and the same step backwards. The reverse step has the
// derivatives of the law's own code: dual numbers through one contact and step, in the directions
// of its overlap, approach speed, numbers and memory.
//
// Arrays have one number per contact, columns one array per number of the law or its memory. A bar
// is the derivative of the objective by the quantity.
#pragma once

#include <cstddef>

namespace beadwave::gradients {

struct ForwardContacts {
    std::size_t count;
    const double* const* law;
    const double *overlap, *approach_speed;  ///< [m], [m/s]
    double* const* memory;                   ///< of the step before; becomes that of this step
    double* force;                           ///< [N]
};

struct ReverseContacts {
    std::size_t count;
    const double* const* law;
    const double *overlap, *approach_speed;
    const double* const* memory;  ///< before the step
    const double* force_bar;
    const double* energy_bar;   ///< of the stored energy; null: all are 0
    double* const* memory_bar;  ///< of the memory after the step; becomes that of before
    double *overlap_bar, *approach_speed_bar;  ///< results
    double* const* law_bar;                    ///< results are added
    // Where the force may jump, see jumps.inl.hpp.
    double time_step;                                      ///< [s]
    const double *overlap_before, *approach_speed_before;  ///< null: the first step, without jumps
    const double* blow_bar;      ///< of the momentum that the beads gain at a jump [.../(N s)]
    double* overlap_before_bar;  ///< result
};

/// What the steps of a law are in rows (rows/rows.hpp).
enum class RowPath {
    none,
    hertz,             ///< Hertz's law
    conservative,      ///< another one without memory, whose open contacts have no force
    unloads_as_hertz,  ///< remembers (largest overlap, residual, K_u): K_u (overlap - residual)^1.5
    unloads_on_line,   ///< the same, to the power 1
    ma_liu             ///< unloads_as_hertz, and loads in vectors too
};

struct LawKernel {
    void (*respond)(const ForwardContacts&);
    void (*reverse)(const ReverseContacts&);
    void (*stored_energy)(const ForwardContacts&, double* energy);  ///< [J]; memory: committed
    bool uses_speed;  ///< whether the force depends on the approach speed
    bool may_jump;    ///< whether the force may jump at an overlap, or the law stores a speed
    /// The largest overlap at which the force of a law with these numbers may jump, 0: none above
    /// closing [m].
    double (*last_jump)(const double* numbers);
    RowPath path = RowPath::none;
};

/// The kernel of the law with this index in laws::AnyLaw.
const LawKernel& law_kernel(std::size_t law);

}  // namespace beadwave::gradients
