// [dissipation]: which energies that contacts dissipated snapshots hold.
#pragma once

#include "beadwave/recording/dissipation.hpp"
#include "io/scenario/table.hpp"

namespace beadwave::io {

Table<recording::DissipationRecords> dissipation_table();

/// The sentence for people about a scenario with it.
inline constexpr const char* dissipation_warning =
    "[dissipation]: only the plain engine knows what each contact dissipates; it runs this "
    "scenario, on one thread";

}  // namespace beadwave::io
