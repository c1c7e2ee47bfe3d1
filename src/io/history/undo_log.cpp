#include "io/history/undo_log.hpp"

#include "io/files/checksum.hpp"
#include "io/files/result_place.hpp"
#include "io/files/whole_writes.hpp"

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
    std::uint64_t checksum;  ///< of all before it

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
    Page page{};  // zeros behind the file's end
    read_whole(descriptor, page.data(), sizeof page, static_cast<off_t>(number * page_bytes));
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

void UndoLog::begin(int descriptor, std::int64_t mark_at) {
    history_ = descriptor;
    mark_at_ = mark_at;
    token_ = new_token();
    set_mark();
}

void UndoLog::go_on(int descriptor, const KeptHistory& kept) {
    history_ = descriptor;
    mark_at_ = kept.standing.mark_at;
    token_ = kept.standing.token;
    added_ = kept.added;
    limit_ = kept.standing.bytes;
    kept_.clear();
    for (const auto& [number, page] : kept.standing.pages)
        kept_.insert(number);
    open(kept.checkpoint, kept.checkpoint_bytes);
    set_mark();
}

void UndoLog::open(const std::filesystem::path& checkpoint, std::int64_t bytes) {
    const int descriptor = ::open(checkpoint.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        throw std::runtime_error("cannot write to " + checkpoint.string() + ": " + reason(errno));
    if (log_ >= 0) ::close(log_);
    log_ = descriptor;
    log_end_ = bytes;
    if (::ftruncate(log_, static_cast<off_t>(bytes)) != 0)  // a page that was being added
        throw std::runtime_error(reason(errno));
}

void UndoLog::set_mark() const {
    const Mark mark{token_, added_};
    write_whole(history_, mark.data(), sizeof mark, static_cast<off_t>(mark_at_));
}

void UndoLog::clear_mark() const {
    const Mark none{};
    write_whole(history_, none.data(), sizeof none, static_cast<off_t>(mark_at_));
}

void UndoLog::before(int descriptor, haddr_t first, std::size_t bytes) {
    if (bytes == 0) return;
    std::vector<Record> records;
    const auto begin = static_cast<std::int64_t>(first),
               last = begin + static_cast<std::int64_t>(bytes) - 1;
    for (std::int64_t number = begin / page_bytes; number <= last / page_bytes; ++number) {
        overwritten_.insert(number);
        if (log_ < 0 || number * page_bytes >= limit_ || kept_.contains(number)) continue;
        Record& record = records.emplace_back(Record{
            .token = token_, .number = number, .page = page_of(descriptor, number), .checksum = 0});
        record.checksum = record.sum();
    }
    if (records.empty()) return;
    const std::size_t size = records.size() * sizeof(Record);
    write_whole(log_, records.data(), size, static_cast<off_t>(log_end_));
    if (::fdatasync(log_) != 0 && errno != EINVAL && errno != ENOTSUP)
        throw std::runtime_error(reason(errno));
    for (const Record& record : records)
        kept_.insert(record.number);
    log_end_ += static_cast<std::int64_t>(size);
    added_ += static_cast<std::int64_t>(records.size());
    set_mark();
}

HistoryStanding UndoLog::stand() const {
    struct stat status {};
    if (::fstat(history_, &status) != 0) throw std::runtime_error(reason(errno));
    HistoryStanding standing{.bytes = status.st_size,
                             .mark_at = mark_at_,
                             .token = new_token(),
                             .before = token_,
                             .pages = {}};
    // What was overwritten will be again; the first page is, where the file is closed.
    standing.pages.emplace(0, page_of(history_, 0));
    for (const std::int64_t number : overwritten_) {
        if (number * page_bytes < standing.bytes)
            standing.pages.try_emplace(number, page_of(history_, number));
    }
    return standing;
}

void UndoLog::follow(const std::filesystem::path& checkpoint, const HistoryStanding& standing) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(checkpoint, error);
    if (error) throw std::runtime_error(error.message());
    open(checkpoint, static_cast<std::int64_t>(bytes));
    token_ = standing.token;
    added_ = 0;
    limit_ = standing.bytes;
    kept_.clear();
    overwritten_.clear();
    for (const auto& [number, page] : standing.pages)
        kept_.insert(number);
    set_mark();
}

}  // namespace beadwave::io
