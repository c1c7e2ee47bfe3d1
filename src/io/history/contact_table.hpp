// Contacts of snapshots, as many as there happen to be: /connectivity/contacts.
//
//     step, time            one row a snapshot
//     end                   rows below that belong to it and to those before
//     pair                  particle and particle, or particle and particles + wall
//     overlap               [m]
//     point                 where the forces act [m]
//     normal_force, tangential_force   on the first [N]
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/h5md.hpp"
#include "packing/packing_engine.hpp"

#include <cstdint>
#include <span>

namespace beadwave::io {

class ContactTable {
  public:
    /// In a group that holds nothing else.
    ContactTable(hid_t group, h5md::Element kind);

    /// `point` of a contact is where its `first` is [m].
    void append(std::int64_t step, double time, std::span<const packing::ContactState> contacts,
                std::span<const packing::Vec3> position);

    static constexpr std::size_t bytes_per_contact = 2 * 8 + 8 + 3 * 3 * 8;

    /// Hands what was written to readers, a snapshot's step and time last.
    void flush() const;

  private:
    hsize_t snapshots_ = 0, contacts_ = 0;
    hdf5::Dataset step_, time_, end_, pair_, overlap_, point_, normal_, tangential_;
};

}  // namespace beadwave::io
