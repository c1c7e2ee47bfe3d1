#include "io/durable/parallel_file.hpp"

#include "io/durable/full_io.hpp"
#include "io/files/output_path.hpp"
#include "ranks/collective.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <stdexcept>

namespace beadwave::io {
namespace {

/// Written by the first rank behind the end of its file for a moment; the other ranks look for it.
struct Token {
    std::int64_t place = 0;
    std::uint64_t number = 0;
};

/// Removes the token again.
struct TokenRemover {
    int descriptor = -1;
    std::int64_t end = 0;
    ~TokenRemover() {
        if (descriptor >= 0 && ::ftruncate(descriptor, static_cast<off_t>(end)) != 0) {
        }  // later writes replace it
    }
};

}  // namespace

ParallelFile::ParallelFile(ranks::Communicator& ranks, std::string name, std::string path)
    : ParallelFile(std::move(name)) {
    ranks.broadcast(path);
    {
        Token token;
        TokenRemover remover;
        ranks::collective(&ranks, [&] {
            if (!ranks.first()) return;
            guarded([&] { open(path); });
            token.place = ::lseek(descriptor_, 0, SEEK_END);
            std::random_device random;
            token.number = std::uint64_t{random()} << 32 | random();
            remover.descriptor = descriptor_, remover.end = token.place;
            write(token.place, &token.number, sizeof token.number);
            sync();
        });
        ranks.broadcast(token);
        ranks::collective(&ranks, [&] {
            if (ranks.first()) return;
            std::string why = "it is another file";
            try {
                open(path);
                std::uint64_t number = 0;
                full_read(descriptor_, &number, sizeof number, static_cast<off_t>(token.place));
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
    ranks.any(false);  // a barrier: no rank writes before the token is removed
}

ParallelFile::~ParallelFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

template <class Action>
void ParallelFile::guarded(const Action& action) const {
    try {
        action();
    } catch (const std::runtime_error& error) {
        throw WriteError(name_ + ": " + error.what());
    }
}

void ParallelFile::open(const std::string& path) {
    descriptor_ = open_again(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor_ < 0) throw std::runtime_error(reason(errno));
}

void ParallelFile::write(std::int64_t place, const void* bytes, std::size_t count) const {
    guarded([&] { full_write(descriptor_, bytes, count, static_cast<off_t>(place)); });
}

void ParallelFile::sync() const {
    guarded([&] { sync_to_disk(descriptor_); });
}

}  // namespace beadwave::io
