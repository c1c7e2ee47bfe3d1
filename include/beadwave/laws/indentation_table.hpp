// A measured indentation: loading curve, unloading curve from its end, and what follows from them.
//
// The file is CSV. Lines that begin with '#' are comments; the first other line names the columns:
//
//     overlap_m,loading_force_N,unloading_force_N
//
// Each row has an overlap and one of the two forces, or both; the other cell may be empty, so that
// loading and unloading need not be measured at the same overlaps. Rows may have any order. The
// loading curve begins at (0, 0), given or not. The unloading curve begins where loading ends and
// must reach zero force.
#pragma once

#include "beadwave/laws/monotone_curve.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace beadwave::laws {

/// One curve as measured; overlaps ascend.
struct MeasuredCurve {
    std::vector<double> overlap;  ///< [m]
    std::vector<double> force;    ///< [N]
};

class IndentationTable {
  public:
    /// Reads the text of a CSV file; `name` is for messages. Throws InputError for curves that
    /// cannot be used: fewer than four loading points, a force that does not rise with the overlap,
    /// unloading that does not start at the end of loading or does not reach zero, or that returns
    /// more energy than loading took.
    IndentationTable(std::istream& csv, const std::string& name);

    /// The number of the table in this text of a CSV file. The table is read once and exists as
    /// long as the program runs, because laws are values that are copied anywhere. `name` is for
    /// messages. Throws InputError.
    static double number_of(const std::string& csv, const std::string& name);
    /// The number of the table in this CSV file; see number_of().
    static double number_of_file(const std::filesystem::path& file);
    static const IndentationTable& numbered(double number);

    /// F_L [N]; beyond `last_overlap` a straight line at the last slope.
    double loading_force(double overlap) const;
    /// W_L [J].
    double loading_work(double overlap) const;
    /// delta_e [m] of a turn (the start of unloading) at `largest`, where the loading force is
    /// `force`.
    double recovered_span(double largest, double force) const;
    /// f at a part of the recovered span in [0, 1].
    double shape(double part) const { return shape_(part); }
    /// The integral of shape() from 0.
    double shape_integral(double part) const { return shape_.integral(part); }
    /// The largest overlap measured [m].
    double last_overlap() const { return loading_.end(); }

  private:
    /// Turns in (from, to) would dissipate less than `dissipated` [J], which a turn at `from` does.
    struct Dip {
        double from, to, dissipated;
    };

    double unbounded_dissipation(double largest) const;
    std::vector<Dip> find_dips() const;

    MonotoneCurve loading_;        ///< force over overlap
    MonotoneCurve shape_;          ///< f over the recovered span
    double recovered_part_ = 0.0;  ///< delta_e / delta_max
    std::vector<Dip> dips_;
};

// Functions of the numbered table, for laws on vectors. Never inline: a copy compiled for one
// instruction set must not get into code for another.
double numbered_loading_force(double table, double overlap);                 ///< [N]
double numbered_recovered_span(double table, double largest, double force);  ///< [m]
/// f at an overlap of the unloading path from `largest` to `residual` [m].
double numbered_shape(double table, double overlap, double largest, double residual);
/// The integral of numbered_shape() over the part of the recovered span.
double numbered_shape_integral(double table, double overlap, double largest, double residual);

}  // namespace beadwave::laws
