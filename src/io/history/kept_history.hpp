// What a checkpoint holds of the history that goes on beside it, and how that is put back.
//
// A history only grows; but what describes its data is overwritten as it does, and a killed process
// may leave that half written. So the checkpoint knows how long the file was and holds those pages
// of it that are likely to be overwritten; the others are added to the checkpoint before they are
// (see undo_log.hpp). Put back and cut to length, the file is what it was, to the byte. What this
// costs depends on what was written since the checkpoint before, not on the history's length.
//
// History and checkpoint know each other by the history's mark: two numbers in it, the token of the
// checkpoint that follows it and how many pages that was given since.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace beadwave::io {

inline constexpr std::int64_t page_words = 512, page_bytes = page_words * 8;
using Page = std::array<std::int64_t, page_words>;
using Mark = std::array<std::int64_t, 2>;

/// How a history stands at a checkpoint.
struct HistoryStanding {
    std::int64_t bytes = 0;              ///< of the file
    std::int64_t mark_at = 0;            ///< where in the file its mark is
    std::int64_t token = 0;              ///< of this checkpoint
    std::int64_t before = 0;             ///< token in the mark when the checkpoint was written
    std::map<std::int64_t, Page> pages;  ///< by number
    std::string rescued{};  ///< name of a copy, where others took the growing history away
};

struct KeptHistory {
    std::filesystem::path checkpoint, history;  ///< the latter by its final name
    HistoryStanding standing;                   ///< with the pages added since
    std::int64_t added = 0;                     ///< how many those are
    std::int64_t checkpoint_bytes = 0;          ///< up to the last of them

    /// Which file it is: under its final name, while it grew or left by a killed process. Throws
    /// InputError if there is none, or others than this.
    std::filesystem::path find() const;

    /// Throws InputError, naming `file`, unless it is that history.
    void check(const std::filesystem::path& file) const;

    /// Makes the open file, the history or a copy of it, what it was at the checkpoint; to readers
    /// it is one that nobody writes. Throws std::runtime_error.
    void put_back(int descriptor) const;
};

}  // namespace beadwave::io
