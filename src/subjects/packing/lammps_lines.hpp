// The lines of a LAMMPS text file, as words. Used by the readers of dump and data files.
#pragma once

#include "io/scenario/named_files.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {

/// Errors are InputErrors that begin with "<name>, line <number>: ".
class LammpsLines {
  public:
    /// `file` must outlive this object. Starts at byte `begin` of its text.
    explicit LammpsLines(const NamedFile& file, std::size_t begin = 0);

    /// Moves to the next line that has words, without comments (#) if `comments` is false. Returns
    /// false at the end of the file.
    bool next();
    /// Does next(); at the end of the file an error: "ends where <expected> should follow".
    void need(std::string_view expected);

    /// The line without its end; comments included.
    std::string_view line() const { return line_; }
    /// The words of the line before a "#".
    const std::vector<std::string_view>& words() const { return words_; }
    /// What comes behind the first "#", without blanks around it.
    std::string_view comment() const { return comment_; }

    /// The word as a finite number of at most 1e30 in size. `what` names it: "x".
    double number(std::size_t word, std::string_view what) const;
    /// The word as a whole number, from `lowest` on.
    std::int64_t whole(std::size_t word, std::string_view what, std::int64_t lowest) const;
    /// Fails unless the line has one of the two numbers of words; `columns` lists them.
    void need_words(std::size_t count, std::size_t or_count, std::string_view columns) const;

    std::size_t line_number() const { return number_; }
    [[noreturn]] void fail(const std::string& what) const { fail_at(number_, what); }
    [[noreturn]] void fail_at(std::size_t line_number, const std::string& what) const;

  private:
    const NamedFile* file_;
    std::string_view rest_;
    std::string_view line_{}, comment_{};
    std::vector<std::string_view> words_{};
    std::size_t number_ = 0;
};

}  // namespace beadwave::io
