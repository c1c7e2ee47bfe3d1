// A file that is there already, open on all ranks to write to places in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace beadwave::ranks {
class Ranks;
}

namespace beadwave::io {

class Writing {
  public:
    /// All ranks together, with the first one's path; `name`: the result's, for errors. Throws
    /// WriteError on all of them, as all here on one, unless each finds the first one's file there:
    /// a node may have a folder of that name to itself.
    Writing(ranks::Ranks& ranks, std::string name, std::string path);
    ~Writing();
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

    template <class Number>
    void write(std::int64_t place, std::span<const Number> numbers) const {
        write(place, numbers.data(), numbers.size_bytes());
    }
    /// To the disk.
    void sync() const;

  private:
    explicit Writing(std::string name) : name_(std::move(name)) {}
    template <class Action>
    void guarded(const Action& action) const;
    void open(const std::string& path);
    void write(std::int64_t place, const void* bytes, std::size_t count) const;

    std::string name_;
    int descriptor_ = -1;
};

}  // namespace beadwave::io
