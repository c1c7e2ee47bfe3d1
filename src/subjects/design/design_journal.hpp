// The journal of a design: a file with its evaluations so far, beside its result. A design that was
// killed or interrupted continues from it when it is started again: the search is deterministic, so
// that the stored values lead it to the same points, to the bit.
//
// DESIGN.h5.rows: a first line that identifies design, scenario and version, then one line for each
// evaluation: the unknowns (0 to 1), the value, its derivatives by the unknowns, and the value of
// each [[run]], each number in the shortest form that reads back exactly.
#pragma once

#include "io/durable/journal.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct Evaluation {
    std::vector<double> x;  ///< the unknowns, 0 to 1
    double value = 0.0;
    std::vector<double> gradient{};  ///< by the unknowns
    std::vector<double> runs{};      ///< of each [[run]], without its weight; none without these
};

class DesignJournal {
  public:
    /// Opens the journal beside `hdf5`, or creates it. `design`: the checksum of all that
    /// determines the evaluations of so many `unknowns` and `runs`. Throws InputError if another
    /// file or the journal of another design exists, unless it may be overwritten;
    /// std::runtime_error if another process is writing it.
    DesignJournal(const io::Output& hdf5, std::size_t unknowns, std::size_t runs,
                  std::uint64_t design);

    /// How many evaluations the journal held that were not yet taken.
    std::size_t left() const { return found_.size() - taken_; }
    /// The next evaluation that it held, if it is one of this point; otherwise the rest is dropped.
    std::optional<Evaluation> take(std::span<const double> x);
    void add(const Evaluation& evaluation);
    /// Why evaluations cannot be added any more; empty: they can.
    const std::string& write_error() const { return rows_.write_error(); }
    /// Called when the result is complete.
    void remove() { rows_.remove(); }

  private:
    std::vector<Evaluation> found_{};
    std::vector<std::int64_t> ends_{};  ///< in the file, after each of them [bytes]
    std::size_t taken_ = 0;
    io::Journal rows_;  // reads into the members above
};

}  // namespace beadwave::tasks
