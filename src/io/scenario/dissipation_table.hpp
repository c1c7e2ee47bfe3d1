// [dissipation]: which energies that contacts dissipated snapshots hold.
#pragma once

#include "beadwave/recording/dissipation.hpp"
#include "io/scenario/table.hpp"

namespace beadwave::io {

Key dissipation_key();  ///< [dissipation]
Table<recording::DissipationRecords> dissipation_table();
/// The table [dissipation] of packings, which have triangles; none of its keys is needed.
Table<recording::DissipationRecords> dissipation_rows_of_packing();
/// What `per` must be, in words.
inline constexpr const char* dissipation_bodies =
    R"(a list of "contact", "particle" and "wall", each at most once)";
inline constexpr const char* dissipation_bodies_of_packing =
    R"(a list of "contact", "particle", "wall" and "triangle", each at most once)";
/// Snapshots hold these energies. Throws InputError.
void check_snapshots_of_dissipation(const TomlTable& root, bool has_snapshots);

/// The sentence for people about a scenario with it.
inline constexpr const char* dissipation_warning =
    "[dissipation]: only the plain engine knows what each contact dissipates; it runs this "
    "scenario, on one thread";

}  // namespace beadwave::io
