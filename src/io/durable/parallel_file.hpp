// An existing file, open on all ranks, which write to different places in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::io {

class ParallelFile {
  public:
    /// Collective; `path` is that of the first rank. `name`: the result's name, for errors. Throws
    /// WriteError on all ranks unless every rank finds the file of the first rank at this path: a
    /// node may have its own folder of this name.
    ParallelFile(ranks::Communicator& ranks, std::string name, std::string path);
    ~ParallelFile();
    ParallelFile(const ParallelFile&) = delete;
    ParallelFile& operator=(const ParallelFile&) = delete;

    template <class Number>
    void write(std::int64_t place, std::span<const Number> numbers) const {
        write(place, numbers.data(), numbers.size_bytes());
    }
    /// Flushes the file to the disk.
    void sync() const;

  private:
    explicit ParallelFile(std::string name) : name_(std::move(name)) {}
    template <class Action>
    void guarded(const Action& action) const;
    void open(const std::string& path);
    void write(std::int64_t place, const void* bytes, std::size_t count) const;

    std::string name_;
    int descriptor_ = -1;
};

}  // namespace beadwave::io
