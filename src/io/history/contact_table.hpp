// The closed contacts of all snapshots: /connectivity/contacts. Their number differs from snapshot
// to snapshot.
//
//     step, time            one row per snapshot
//     row_splits            snapshots + 1 rows, the first is 0: the rows row_splits[t] to
//                           row_splits[t + 1] of the columns below belong to snapshot t
//     pair                  particle and particle, or particle and particles + wall
//     overlap               [m]
//     point                 where the forces act [m]
//     normal_force, tangential_force   on the first [N]
//
// A reader of a growing file sees min(rows of step, rows of time, rows of row_splits - 1) whole
// snapshots.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "packing/packing_engine.hpp"

#include <cstdint>
#include <span>

namespace beadwave::io {

class ContactTable {
  public:
    /// In a group for this table alone.
    ContactTable(hid_t group, h5md::Element kind);

    /// `position` of all particles [m]: the file holds points in the coordinates of the packing.
    void append(std::int64_t step, double time, std::span<const packing::ContactState> contacts,
                std::span<const packing::Vec3> position);

    static constexpr std::size_t bytes_per_contact = 2 * 8 + 8 + 3 * 3 * 8;

    /// Makes the appended rows visible to readers; step and time of a snapshot come last.
    void flush() const;

  private:
    hsize_t snapshots_ = 0, contacts_ = 0;
    hdf5::Dataset step_, time_, row_splits_, pair_, overlap_, point_, normal_, tangential_;
};

}  // namespace beadwave::io
