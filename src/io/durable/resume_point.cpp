#include "io/durable/resume_point.hpp"

#include "io/durable/full_io.hpp"
#include "io/durable/read_descriptor.hpp"
#include "io/files/output_path.hpp"
#include "io/history/history_follower.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <stdexcept>
#include <string>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

/// Why a file is not the history of the checkpoint; no value if it is.
std::optional<std::string> objection(const ResumePoint& from, int descriptor) {
    const CheckpointRecord& then = from.record;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return reason(errno);
    if (!S_ISREG(status.st_mode)) return "is not a regular file";
    HistoryToken token{};
    bool has_token = false;
    try {
        has_token = full_read(descriptor, token.data(), sizeof token,
                              static_cast<off_t>(then.token_at)) == sizeof token;
    } catch (const std::runtime_error& error) {
        return std::string("cannot be read: ") + error.what();
    }
    const std::string checkpoint = from.checkpoint.string();
    if (!has_token || (token[0] != then.token && token[0] != then.before)) {
        if (has_token && token[0] == 0) {
            return fmt::format(
                "is the complete history of a run; if that is the run of {}, nothing is left to do",
                checkpoint);
        }
        return fmt::format(
            "is not the history of {}, or was continued from another checkpoint since", checkpoint);
    }
    if (status.st_size < then.bytes) {
        return fmt::format("is truncated: it has {} bytes, and had {} when {} was written",
                           status.st_size, then.bytes, checkpoint);
    }
    if (token[0] == then.token && token[1] > from.added) {
        return fmt::format("was continued since: {} is an older copy of its checkpoint, or damaged",
                           checkpoint);
    }
    return std::nullopt;
}

}  // namespace

fs::path ResumePoint::find() const {
    std::vector<fs::path> places{running_path(history), history};
    if (!record.rescued.empty())
        places.insert(places.begin(), history.parent_path() / record.rescued);
    std::string objections;
    for (const fs::path& place : places) {
        const ReadDescriptor file(place);
        if (file.descriptor() < 0 && errno == ENOENT) continue;
        const auto why =
            file.descriptor() < 0 ? reason(errno) : objection(*this, file.descriptor());
        if (!why) return place;
        objections += fmt::format("{}{} {}", objections.empty() ? "" : "; ", place.string(), *why);
    }
    if (!objections.empty()) refuse(checkpoint, "cannot continue: " + objections);
    refuse(checkpoint, fmt::format("cannot continue without its history: neither {} nor {} exists",
                                   places[places.size() - 2].string(), history.string()));
}

void ResumePoint::check(const fs::path& file) const {
    const ReadDescriptor opened(file);
    const auto why =
        opened.descriptor() < 0 ? reason(errno) : objection(*this, opened.descriptor());
    if (why) refuse(file, *why);
}

void ResumePoint::roll_back(int descriptor) const {
    // Repeated as often as necessary: a file that is rolled back in part is still recognised.
    for (const auto& [number, page] : record.pages) {
        const std::int64_t at = number * page_bytes;
        if (at >= record.bytes) continue;
        full_write(descriptor, page.data(),
                   static_cast<std::size_t>(std::min(page_bytes, record.bytes - at)),
                   static_cast<off_t>(at));
    }
    full_truncate(descriptor, static_cast<off_t>(record.bytes));
}

}  // namespace beadwave::io
