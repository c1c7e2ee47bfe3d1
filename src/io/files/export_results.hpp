// How files of `beadwave export` are recognised among other files of their format.
#pragma once

#include "io/files/output_path.hpp"

#include <array>
#include <string_view>

namespace beadwave::io {

/// One format of `beadwave export`. The Python package in src/report/export writes it.
struct ExportFormat {
    std::string_view ending;
    std::string_view meaning;  ///< for the help
    ResultKind kind;
    bool one_snapshot = false;  ///< can hold one alone
    bool refers = false;        ///< to the history, unless it has a copy of the snapshots
};

/// All formats, in the order of the help.
extern const std::array<ExportFormat, 9> export_formats;

}  // namespace beadwave::io
