#include "io/history/kept_history.hpp"

#include "io/files/result_place.hpp"
#include "io/files/whole_writes.hpp"
#include "io/history/running_history.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <stdexcept>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

/// Why a file is not what a checkpoint goes on from; nothing if it is.
std::optional<std::string> objection(const KeptHistory& kept, int descriptor) {
    const HistoryStanding& then = kept.standing;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return reason(errno);
    if (!S_ISREG(status.st_mode)) return "is not a regular file";
    Mark mark{};
    const bool has_mark = read_whole(descriptor, mark.data(), sizeof mark,
                                     static_cast<off_t>(then.mark_at)) == sizeof mark;
    const std::string checkpoint = kept.checkpoint.string();
    if (!has_mark || (mark[0] != then.token && mark[0] != then.before)) {
        return fmt::format(
            "is not the history that {} goes on from, or has gone on from another "
            "checkpoint since",
            checkpoint);
    }
    if (status.st_size < then.bytes) {
        return fmt::format("is truncated: it has {} bytes, and had {} when {} was written",
                           status.st_size, then.bytes, checkpoint);
    }
    if (mark[0] == then.token && mark[1] > kept.added) {
        return fmt::format("has gone on since: {} is an older copy of its checkpoint, or damaged",
                           checkpoint);
    }
    return std::nullopt;
}

class OpenToRead {
  public:
    explicit OpenToRead(const fs::path& path)
        : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
    ~OpenToRead() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    OpenToRead(const OpenToRead&) = delete;
    OpenToRead& operator=(const OpenToRead&) = delete;
    int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
};

}  // namespace

fs::path KeptHistory::find() const {
    std::vector<fs::path> places{running_beside(history), history};
    if (!standing.rescued.empty())
        places.insert(places.begin(), history.parent_path() / standing.rescued);
    std::string objections;
    for (const fs::path& place : places) {
        const OpenToRead file(place);
        if (file.descriptor() < 0 && errno == ENOENT) continue;
        const auto why =
            file.descriptor() < 0 ? reason(errno) : objection(*this, file.descriptor());
        if (!why) return place;
        objections += fmt::format("{}{} {}", objections.empty() ? "" : "; ", place.string(), *why);
    }
    if (!objections.empty()) refuse(checkpoint, "cannot go on: " + objections);
    refuse(checkpoint, fmt::format("cannot go on without its history: neither {} nor {} is there",
                                   places[places.size() - 2].string(), history.string()));
}

void KeptHistory::check(const fs::path& file) const {
    const OpenToRead opened(file);
    const auto why =
        opened.descriptor() < 0 ? reason(errno) : objection(*this, opened.descriptor());
    if (why) refuse(file, *why);
}

void KeptHistory::put_back(int descriptor) const {
    for (const auto& [number, page] : standing.pages) {
        const std::int64_t at = number * page_bytes;
        if (at >= standing.bytes) continue;
        write_whole(descriptor, page.data(),
                    static_cast<std::size_t>(std::min(page_bytes, standing.bytes - at)),
                    static_cast<off_t>(at));
    }
    if (::ftruncate(descriptor, static_cast<off_t>(standing.bytes)) != 0)
        throw std::runtime_error(reason(errno));
}

}  // namespace beadwave::io
