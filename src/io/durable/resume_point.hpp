// What a checkpoint stores about its history, and how the history is rolled back to the checkpoint.
//
// The data of a history are only appended, but its metadata are overwritten while it grows, and a
// killed process may leave them half written. So the checkpoint stores the length of the file and
// the pages that will probably be overwritten. Other pages are added to the checkpoint before they
// are overwritten (see undo_log.hpp). When these pages are written back and the file is cut to its
// length, it is as before, to the byte. The cost depends on what was written since the previous
// checkpoint, not on the length of the history.
//
// History and checkpoint are matched by the history token: two numbers in the history, the number
// of its current checkpoint and how many pages were added to that checkpoint since.
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
using HistoryToken = std::array<std::int64_t, 2>;

/// The state of a history at a checkpoint.
struct CheckpointRecord {
    std::int64_t bytes = 0;              ///< of the file
    std::int64_t token_at = 0;           ///< position of the history token in the file
    std::int64_t token = 0;              ///< number of this checkpoint
    std::int64_t before = 0;             ///< number of the previous checkpoint
    std::map<std::int64_t, Page> pages;  ///< by number
    std::string rescued{};               ///< name of a copy, if others removed the growing history
};

struct ResumePoint {
    std::filesystem::path checkpoint, history;  ///< the history by its final name
    CheckpointRecord record;                    ///< with the pages added since
    std::int64_t added = 0;                     ///< number of pages added since
    std::int64_t checkpoint_bytes = 0;          ///< up to the last added page

    /// Finds the history: under its final name or the name it has while it grows. Throws InputError
    /// if there is none, or only files that are not this history.
    std::filesystem::path find() const;

    /// Throws InputError, naming `file`, unless it is that history.
    void check(const std::filesystem::path& file) const;

    /// Restores the open file, the history or a copy of it, to its state at the checkpoint. Throws
    /// std::runtime_error.
    void roll_back(int descriptor) const;
};

}  // namespace beadwave::io
