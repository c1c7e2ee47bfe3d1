// Files of oscilloscopes whose rows are no plain columns.
//
// Tektronix TDS: settings stand in the first columns, beside the samples.
//
//     Record Length,2500,"Points",-0.000500,0.0200,
//     Vertical Units,V,,-0.000496,0.0200,
//     ,,,-0.000492,0.0208,
//
// Rigol: the first column counts the samples.
//
//     X,CH1,CH2,Start,Increment,
//     Sequence,VOLT,VOLT,-6.0e-03,1.0e-05,
//     0,2.4e-01,-1.2e-01,,,
#pragma once

#include <string>
#include <string_view>

namespace beadwave::io {

struct ColumnText {
    std::string text;  ///< columns of time and readings, as many lines as the file has
    std::string unit;  ///< that the head names for the readings; empty: none
};

/// The file in plain columns; the text itself if it is of neither form.
ColumnText as_columns(std::string text);

/// The unit in a cell of a header, as in "time (ms)" or "force_bead_9_kN", if it is one of time,
/// force or voltage and neither s nor N.
std::string_view other_unit(std::string_view cell);

/// Whether this is a unit of voltage.
bool is_voltage(std::string_view unit);

}  // namespace beadwave::io
