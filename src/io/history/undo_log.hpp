// What is overwritten of a growing history, kept in its checkpoint so that it can be put back; see
// kept_history.hpp.
//
// A page is added behind the checkpoint's seal, and on the disk, before it is overwritten for the
// first time after that checkpoint.
#pragma once

#include "io/hdf5/hdf5_driver.hpp"
#include "io/history/kept_history.hpp"

#include <set>
#include <string_view>

namespace beadwave::io {

/// The pages that stand behind a checkpoint's seal: `text` is what follows it. What is not whole,
/// and all behind it, was not needed yet, or the history's mark counts more.
struct AddedPages {
    std::map<std::int64_t, Page> pages;
    std::int64_t bytes = 0;  ///< that they take
};
AddedPages added_pages(std::string_view text, std::int64_t token);

class UndoLog : public hdf5::Overwrites {
  public:
    UndoLog() = default;
    ~UndoLog() override;
    UndoLog(const UndoLog&) = delete;
    UndoLog& operator=(const UndoLog&) = delete;

    /// Before anything else is asked: where the history's mark stands. `descriptor` is the
    /// history's, and stays open. Makes the mark of a history that no checkpoint follows yet.
    void begin(int descriptor, std::int64_t mark_at);
    /// The same of a history that goes on where its checkpoint left it, and is followed by that.
    void go_on(int descriptor, const KeptHistory& kept);

    void before(int descriptor, haddr_t first, std::size_t bytes) override;

    /// How the history stands now. It must be flushed and on the disk.
    HistoryStanding stand() const;
    /// That standing is now in a checkpoint, which is on the disk: it takes the pages from here on.
    void follow(const std::filesystem::path& checkpoint, const HistoryStanding& standing);

    /// For a history that is whole: no checkpoint goes on from it.
    void clear_mark() const;

  private:
    void open(const std::filesystem::path& checkpoint, std::int64_t bytes);
    void set_mark() const;

    int history_ = -1, log_ = -1;  ///< descriptors; the latter is the checkpoint's, if there is one
    std::int64_t mark_at_ = 0, token_ = 0, added_ = 0;
    std::int64_t limit_ = 0;                     ///< bytes of the history at the checkpoint
    std::int64_t log_end_ = 0;                   ///< [bytes]
    std::set<std::int64_t> kept_, overwritten_;  ///< numbers of pages, since the checkpoint
};

}  // namespace beadwave::io
