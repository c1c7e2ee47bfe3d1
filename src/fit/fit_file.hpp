// The files of a fit: FIT.h5 for the report and other programs, and next to it a scenario with the
// best values.
#pragma once

#include "fit/fit.hpp"
#include "io/durable/atomic_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace beadwave::fit {

class FitFiles {
  public:
    /// Reserves "NAME.h5" and, next to it, "NAME.toml". Throws InputError as AtomicFile does, and
    /// if one of these is also one of `inputs`.
    FitFiles(const io::Output& hdf5, const std::vector<std::filesystem::path>& inputs);

    /// `laws`: the laws that could be fitted, best first. Both files get their names, or
    /// neither does: see io::commit_together(). Throws std::runtime_error.
    void write(const FitInput& input, const std::vector<LawFit>& laws);

    const std::filesystem::path& hdf5() const { return hdf5_name_; }
    const std::filesystem::path& scenario() const { return toml_name_; }

  private:
    std::filesystem::path hdf5_name_, toml_name_;
    io::AtomicFile hdf5_, toml_;
};

}  // namespace beadwave::fit
