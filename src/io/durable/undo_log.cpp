#include "io/durable/undo_log.hpp"

#include "io/durable/checksum.hpp"
#include "io/durable/full_io.hpp"
#include "io/files/output_path.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace beadwave::io {
namespace {

struct Record {
    std::int64_t token, number;
    Page page;
    std::uint64_t checksum;  ///< of all members before it

    std::uint64_t sum() const {
        return io::checksum({reinterpret_cast<const char*>(this), offsetof(Record, checksum)});
    }
};
static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) == 24 + page_bytes);

std::int64_t new_token() {
    std::random_device device;
    const std::uint64_t bits = (std::uint64_t{device()} << 32) ^ device();
    return static_cast<std::int64_t>(bits >> 1) + 1;
}

Page page_of(int descriptor, std::int64_t number) {
    Page page{};  // zeros behind the end of the file
    full_read(descriptor, page.data(), sizeof page, static_cast<off_t>(number * page_bytes));
    return page;
}

}  // namespace

AddedPages added_pages(std::string_view text, std::int64_t token) {
    AddedPages added;
    while (text.size() >= sizeof(Record)) {
        Record record;
        std::memcpy(&record, text.data(), sizeof record);
        if (record.token != token || record.checksum != record.sum() || record.number < 0) break;
        added.pages.try_emplace(record.number, record.page);
        text.remove_prefix(sizeof record);
        added.bytes += static_cast<std::int64_t>(sizeof record);
    }
    return added;
}

UndoLog::~UndoLog() {
    if (log_ >= 0) ::close(log_);
}

void UndoLog::begin(int descriptor, std::int64_t token_at) {
    history_ = descriptor;
    token_at_ = token_at;
    token_ = new_token();
    write_token();
}

void UndoLog::resume_from(int descriptor, const ResumePoint& from) {
    history_ = descriptor;
    token_at_ = from.record.token_at;
    token_ = from.record.token;
    added_ = from.added;
    limit_ = from.record.bytes;
    saved_.clear();
    for (const auto& [number, page] : from.record.pages)
        saved_.insert(number);
    open(from.checkpoint, from.checkpoint_bytes);
    write_token();
}

void UndoLog::open(const std::filesystem::path& checkpoint, std::int64_t bytes) {
    naming(checkpoint, [&] {
        const int descriptor = open_again(checkpoint.c_str(), O_RDWR | O_CLOEXEC);
        if (descriptor < 0) throw std::runtime_error("cannot be opened to write: " + reason(errno));
        if (log_ >= 0) ::close(log_);
        log_ = descriptor;
        log_path_ = checkpoint;
        log_end_ = bytes;
        full_truncate(log_, static_cast<off_t>(bytes));  // removes an incomplete page
    });
}

void UndoLog::write_token() const {
    const HistoryToken token{token_, added_};
    full_write(history_, token.data(), sizeof token, static_cast<off_t>(token_at_));
}

void UndoLog::clear_token() const {
    const HistoryToken none{};
    full_write(history_, none.data(), sizeof none, static_cast<off_t>(token_at_));
}

void UndoLog::before(int descriptor, haddr_t first, std::size_t bytes) {
    if (bytes == 0) return;
    std::vector<Record> records;
    const auto begin = static_cast<std::int64_t>(first),
               last = begin + static_cast<std::int64_t>(bytes) - 1;
    for (std::int64_t number = begin / page_bytes; number <= last / page_bytes; ++number) {
        overwritten_.insert(number);
        if (log_ < 0 || number * page_bytes >= limit_ || saved_.contains(number)) continue;
        Record& record = records.emplace_back(Record{
            .token = token_, .number = number, .page = page_of(descriptor, number), .checksum = 0});
        record.checksum = record.sum();
    }
    if (records.empty()) return;
    const std::size_t size = records.size() * sizeof(Record);
    naming(log_path_, [&] {
        full_write(log_, records.data(), size, static_cast<off_t>(log_end_));
        sync_data_to_disk(log_);
    });
    for (const Record& record : records)
        saved_.insert(record.number);
    log_end_ += static_cast<std::int64_t>(size);
    added_ += static_cast<std::int64_t>(records.size());
    write_token();
}

CheckpointRecord UndoLog::capture() const {
    struct stat status {};
    if (::fstat(history_, &status) != 0) throw std::runtime_error(reason(errno));
    CheckpointRecord record{.bytes = status.st_size,
                            .token_at = token_at_,
                            .token = new_token(),
                            .before = token_,
                            .pages = {}};
    // Pages that were overwritten will be again. The first page is overwritten on closing.
    record.pages.emplace(0, page_of(history_, 0));
    for (const std::int64_t number : overwritten_) {
        if (number * page_bytes < record.bytes)
            record.pages.try_emplace(number, page_of(history_, number));
    }
    return record;
}

void UndoLog::log_to(const std::filesystem::path& checkpoint, const CheckpointRecord& record) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(checkpoint, error);
    if (error) throw std::runtime_error(error.message());
    open(checkpoint, static_cast<std::int64_t>(bytes));
    token_ = record.token;
    added_ = 0;
    limit_ = record.bytes;
    saved_.clear();
    overwritten_.clear();
    for (const auto& [number, page] : record.pages)
        saved_.insert(number);
    write_token();
}

}  // namespace beadwave::io
