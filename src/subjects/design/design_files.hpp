// The files of a design: DESIGN.h5 with every evaluation, and beside it DESIGN.best.toml, the
// scenario of the best one.
#pragma once

#include "io/durable/atomic_file.hpp"
#include "subjects/design/designs.hpp"

#include <filesystem>
#include <vector>

namespace beadwave::tasks {

class DesignFiles {
  public:
    /// Reserves both. Throws InputError as AtomicFile does, and if one of them is one of `inputs`.
    DesignFiles(const io::Output& hdf5, const std::vector<std::filesystem::path>& inputs);

    /// Both files get their names, or neither: io::commit_together(). Throws std::runtime_error.
    void write(const DesignResult& result);

    const std::filesystem::path& hdf5() const { return hdf5_name_; }
    const std::filesystem::path& scenario() const { return toml_name_; }

  private:
    std::filesystem::path hdf5_name_, toml_name_;
    io::AtomicFile hdf5_, toml_;
};

}  // namespace beadwave::tasks
