// Rows of an indentation test's CSV file.
#pragma once

#include "beadwave/laws/indentation_table.hpp"

#include <iosfwd>
#include <string>

namespace beadwave::laws {

struct IndentationRows {
    MeasuredCurve loading, unloading;  ///< as measured, sorted by overlap
};

/// Throws InputError with the line of anything that differs from the form in indentation_table.hpp.
IndentationRows read_indentation_csv(std::istream& csv, const std::string& name);

}  // namespace beadwave::laws
