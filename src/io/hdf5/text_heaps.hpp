// Texts of variable length. HDF5 keeps them in heaps, the only metadata of a beadwave file without
// a checksum, and HDF5 1.10 reads a heap without a check: a wrong size or index makes it read or
// write beyond its memory.
#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace beadwave::io::hdf5 {

/// Looks at the places of texts and at the heaps there, without letting HDF5 read a text.
class TextHeaps {
  public:
    /// `file`: open while this object is used.
    explicit TextHeaps(hid_t file);

    /// Throws std::runtime_error unless each text of an attribute or dataset of variable-length
    /// strings is in a heap, with the length that its place says. `path` names it in the message.
    void check_attribute(hid_t attribute, const std::string& path);
    void check_dataset(const Dataset& dataset, const std::string& path);

  private:
    using Lengths = std::map<std::uint32_t, std::uint64_t>;  ///< of texts [bytes], by their index

    void check_places(const std::string& places, const std::string& path);
    const Lengths& heap_at(haddr_t address, const std::string& path);
    Lengths read_heap(haddr_t address, const std::string& path) const;

    int descriptor_;
    std::uint64_t start_, bytes_;  ///< of the HDF5 file within its file; behind `start_` [bytes]
    std::map<haddr_t, Lengths> heaps_;
};

}  // namespace beadwave::io::hdf5
