// An undo log: the pages of a growing history that are overwritten after a checkpoint are saved in
// the checkpoint; see resume_point.hpp.
//
// A page is appended to the checkpoint, behind the bytes that its checksum header covers, and
// synced to the disk before it is overwritten for the first time after that checkpoint.
#pragma once

#include "io/durable/hdf5_driver.hpp"
#include "io/durable/resume_point.hpp"

#include <set>
#include <string_view>

namespace beadwave::io {

/// The pages appended to a checkpoint; `text` is what follows the bytes that its checksum header
/// covers. An incomplete page, and everything behind it, was not needed yet; otherwise the history
/// token counts more pages.
struct AddedPages {
    std::map<std::int64_t, Page> pages;
    std::int64_t bytes = 0;  ///< size of these pages in the checkpoint
};
AddedPages added_pages(std::string_view text, std::int64_t token);

class UndoLog : public hdf5::MetadataWriteHook {
  public:
    UndoLog() = default;
    ~UndoLog() override;
    UndoLog(const UndoLog&) = delete;
    UndoLog& operator=(const UndoLog&) = delete;

    /// Called first, for a history without a checkpoint; writes a new token at `token_at`. The
    /// history's `descriptor` stays open.
    void begin(int descriptor, std::int64_t token_at);
    /// Called first, for a history that continues from its checkpoint, which then gets more pages.
    void resume_from(int descriptor, const ResumePoint& from);

    void before(int descriptor, haddr_t first, std::size_t bytes) override;
    /// The size at the checkpoint. HDF5 would cut free space at the end; the file would then look
    /// truncated to the next resume.
    haddr_t shortest() const override { return log_ < 0 ? 0 : static_cast<haddr_t>(limit_); }

    /// The current state of the history, which must be synced to the disk.
    CheckpointRecord capture() const;
    /// Called when `record` is in a checkpoint on the disk: from now on pages are added to it.
    void log_to(const std::filesystem::path& checkpoint, const CheckpointRecord& record);

    /// Clears the token of a completed history: no checkpoint can continue it.
    void clear_token() const;

  private:
    void open(const std::filesystem::path& checkpoint, std::int64_t bytes);
    void write_token() const;

    int history_ = -1, log_ = -1;  ///< descriptors of the history and, if any, of its checkpoint
    std::filesystem::path log_path_;
    std::int64_t token_at_ = 0, token_ = 0, added_ = 0;
    std::int64_t limit_ = 0;                      ///< size of the history at the checkpoint [bytes]
    std::int64_t log_end_ = 0;                    ///< [bytes]
    std::set<std::int64_t> saved_, overwritten_;  ///< numbers of pages, since the checkpoint
};

}  // namespace beadwave::io
