// The result of a fit as files: FIT.h5 for the report and other programs, and a scenario with the
// best values beside it.
#pragma once

#include "fit/fit.hpp"
#include "io/files/staged_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace beadwave::fit {

class FitFiles {
  public:
    /// Takes the places "NAME.h5" and, beside it, "NAME.toml". Throws InputError as StagedFile
    /// does, and for a place where one of `inputs` stands.
    FitFiles(const io::Output& hdf5, const std::vector<std::filesystem::path>& inputs);

    /// `laws`: those that could be fitted, best first. Throws std::runtime_error.
    void write(const Task& task, const std::vector<LawFit>& laws);

    const std::filesystem::path& hdf5() const { return hdf5_name_; }
    const std::filesystem::path& scenario() const { return toml_name_; }

  private:
    std::filesystem::path hdf5_name_, toml_name_;
    io::StagedFile hdf5_, toml_;
};

}  // namespace beadwave::fit
