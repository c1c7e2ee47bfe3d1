#include "io/files/output_checks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

/// Renames to a path that must not exist, atomically if the file system can. Returns 0 or errno.
int rename_to_free(const fs::path& from, const fs::path& to) {
#ifdef RENAME_NOREPLACE
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
    if (::link(from.c_str(), to.c_str()) == 0) return ::unlink(from.c_str()) == 0 ? 0 : errno;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK) return errno;
    // No hard links here either: check, then rename.
    if (::faccessat(AT_FDCWD, to.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
    return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

void check_ours(const fs::path& from, const FileIdentity& ours) {
    if (identity_of(from) == ours) return;
    throw LostFile(fmt::format(
        "{}: while it was being written, the file or its folder was removed, or another file "
        "took its place",
        from.string()));
}

}  // namespace

OutputChecks::OutputChecks(const Output& output, const ResultKind& kind) {
    check_output(output, kind);
    path_ = without_links(output.path);
    before_ = state();
}

OutputChecks::State OutputChecks::state() const {
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0) return {};
    return {.file = {.device = status.st_dev, .number = status.st_ino},
            .bytes = status.st_size,
            .seconds = status.st_mtim.tv_sec,
            .nanoseconds = status.st_mtim.tv_nsec};
}

void OutputChecks::name_taken(const fs::path& from) const {
    throw NameTaken(
        fmt::format("{}: another program has created or changed this file in the meantime; it is "
                    "kept, and the result is {}",
                    path_.string(), from.string()));
}

void OutputChecks::check(const fs::path& from, const FileIdentity& ours) const {
    check_ours(from, ours);
    if (state() != State{} && state() != before_) name_taken(from);
}

void OutputChecks::commit(const fs::path& from, const FileIdentity& ours) const {
    check_ours(from, ours);
    const bool replaces = before_ != State{} && state() == before_;
    const int error = !replaces                                       ? rename_to_free(from, path_)
                      : std::rename(from.c_str(), path_.c_str()) == 0 ? 0
                                                                      : errno;
    if (error == EEXIST) name_taken(from);
    if (error != 0) {
        throw std::runtime_error(fmt::format("cannot rename {} to {}: {}", from.string(),
                                             path_.string(), reason(error)));
    }
}

bool OutputChecks::commit_if_free(const fs::path& from, const FileIdentity& ours) const {
    return identity_of(from) == ours && rename_to_free(from, path_) == 0;
}

}  // namespace beadwave::io
