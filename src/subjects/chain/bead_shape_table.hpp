// Which shape the beads of a segment have: `shape`, `semi_axes`, `orientation`, `length`, `angle`.
#pragma once

#include "chain/scenario.hpp"
#include "io/scenario/table.hpp"

namespace beadwave::io {

/// The row of `shape`, which decides what other rows mean.
Table<chain::Segment> bead_shape_row();
/// The other rows.
Table<chain::Segment> bead_shape_rows();
/// The rows of a kind in a pattern.
Table<chain::BeadKind> kind_shape_rows();

/// Makes radii and shapes of all beads from these keys; refuses keys that do not go together.
/// Throws InputError, also for an ellipsoid that is tilted.
void resolve_shapes(const TomlTable& table, chain::Segment& segment, Reading& reading);

/// Refuses segments that do not go together. Throws InputError.
void check_shapes_together(const TomlTable& root, const chain::Scenario& scenario);

}  // namespace beadwave::io
