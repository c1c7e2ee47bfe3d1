#include "io/files/writing.hpp"

#include "io/files/result_place.hpp"
#include "io/files/whole_writes.hpp"
#include "ranks/together.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <stdexcept>

namespace beadwave::io {
namespace {

/// What the first rank puts behind the end of its file for a moment, for the others to find there.
struct Token {
    std::int64_t place = 0;
    std::uint64_t number = 0;
};

/// Takes it away again.
struct Cut {
    int descriptor = -1;
    std::int64_t end = 0;
    ~Cut() {
        if (descriptor >= 0 && ::ftruncate(descriptor, static_cast<off_t>(end)) != 0) {
        }  // what follows is written over it
    }
};

}  // namespace

Writing::Writing(ranks::Ranks& ranks, std::string name, std::string path)
    : Writing(std::move(name)) {
    ranks.broadcast(path);
    {
        Token token;
        Cut cut;
        ranks::together(&ranks, [&] {
            if (!ranks.first()) return;
            guarded([&] { open(path); });
            token.place = ::lseek(descriptor_, 0, SEEK_END);
            std::random_device random;
            token.number = std::uint64_t{random()} << 32 | random();
            cut.descriptor = descriptor_, cut.end = token.place;
            write(token.place, &token.number, sizeof token.number);
            sync();
        });
        ranks.broadcast(token);
        ranks::together(&ranks, [&] {
            if (ranks.first()) return;
            std::string why = "it is another file";
            try {
                open(path);
                std::uint64_t number = 0;
                read_whole(descriptor_, &number, sizeof number, static_cast<off_t>(token.place));
                if (number == token.number) return;
            } catch (const std::runtime_error& error) {
                why = error.what();
            }
            throw WriteError(fmt::format(
                "{}: rank {} does not see {} as rank 0 does ({}); all ranks need one file system, "
                "in the same folder",
                name_, ranks.rank(), path, why));
        });
    }
    ranks.any(false);  // nobody writes before the token is gone
}

Writing::~Writing() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

template <class Action>
void Writing::guarded(const Action& action) const {
    try {
        action();
    } catch (const std::runtime_error& error) {
        throw WriteError(name_ + ": " + error.what());
    }
}

void Writing::open(const std::string& path) {
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor_ < 0) throw std::runtime_error(reason(errno));
}

void Writing::write(std::int64_t place, const void* bytes, std::size_t count) const {
    guarded([&] { write_whole(descriptor_, bytes, count, static_cast<off_t>(place)); });
}

void Writing::sync() const {
    guarded([&] {
        if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP)
            throw std::runtime_error(reason(errno));
    });
}

}  // namespace beadwave::io
