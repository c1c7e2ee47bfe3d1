#include "io/durable/atomic_file.hpp"

#include "io/durable/full_io.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <list>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

void remove_file(const fs::path& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
}

/// A file that a commit replaces: it keeps a second name until all files of the result have theirs.
class Earlier {
  public:
    explicit Earlier(const fs::path& place) : place_(place), kept_(earlier_path(place)) {
        remove_file(kept_);  // of a killed process with this number
        if (::link(place.c_str(), kept_.c_str()) == 0) {
            exists_ = true;
        } else if (errno == ENOENT) {
            exists_ = false;
        } else if (::rename(place.c_str(), kept_.c_str()) == 0) {  // without hard links
            exists_ = true;
        } else {
            throw std::runtime_error(fmt::format("cannot rename {} to {}: {}", place.string(),
                                                 kept_.string(), reason(errno)));
        }
    }
    ~Earlier() {
        if (exists_) remove_file(kept_);
    }
    Earlier(const Earlier&) = delete;
    Earlier& operator=(const Earlier&) = delete;

    /// `renamed`: the new file has its name. Returns "", or where the earlier file is instead.
    std::string put_back(bool renamed) {
        if (!exists_) {
            if (renamed) remove_file(place_);
            return {};
        }
        exists_ = false;
        if (::rename(kept_.c_str(), place_.c_str()) != 0)
            return fmt::format("; the earlier {} is {}", place_.string(), kept_.string());
        remove_file(kept_);  // rename() does nothing if both are names of one file
        return {};
    }

  private:
    fs::path place_, kept_;
    bool exists_ = false;
};

}  // namespace

AtomicFile::AtomicFile(const Output& output, const ResultKind& kind)
    : output_(output, kind), path_(partial_path(output_.path())) {
    const int descriptor =
        open_again(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) refuse_folder(output.path, errno);
    ours_ = identity_of(descriptor);
    ::close(descriptor);
}

AtomicFile::~AtomicFile() {
    std::error_code ignored;
    if (!committed_ && identity_of(path_) == ours_) fs::remove(path_, ignored);
}

void AtomicFile::write(std::string_view bytes) const {
    naming(final_path(), [&] { write_whole_file(path_, bytes); });
}

void AtomicFile::sync() const {
    naming(final_path(), [&] { sync_file(path_); });
}

void AtomicFile::rename() {
    output_.commit(path_, ours_);
    committed_ = true;
}

void AtomicFile::commit() {
    commit_together({this});
}

void commit_together(const std::vector<AtomicFile*>& files) {
    std::list<Earlier> earlier;
    try {
        for (const AtomicFile* file : files)
            file->output_.check(file->path_, file->ours_);
        for (const AtomicFile* file : files)
            file->sync();
        for (AtomicFile* file : files) {
            if (file != files.back()) earlier.emplace_back(file->final_path());
            file->rename();
        }
    } catch (const std::exception& error) {
        std::string why = message_of(error);
        auto file = files.begin();
        for (Earlier& each : earlier)
            why += each.put_back((*file++)->committed_);
        if (dynamic_cast<const LostFile*>(&error) != nullptr) throw LostFile(why);
        if (dynamic_cast<const NameTaken*>(&error) == nullptr) throw std::runtime_error(why);
        for (AtomicFile* each : files) {
            const bool named = why.ends_with(each->path_.string());
            if (!std::exchange(each->committed_, true) && !named)
                why += ", " + each->path_.string();
        }
        throw NameTaken(why);
    }
    for (const AtomicFile* file : files)
        sync_folder_of(file->final_path());
}

void AtomicFile::commit_synced(const std::function<void(const fs::path&)>& committed) {
    try {
        commit();
    } catch (const std::exception&) {
        if (committed_) committed(final_path());  // only its folder could not be synced
        throw;
    }
    committed(final_path());
}

}  // namespace beadwave::io
