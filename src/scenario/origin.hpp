// Where in a person's input a value stands, so that an error found long after reading can say so.
#pragma once

#include "beadwave/input_error.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::scenario {

class Origin {
  public:
    Origin() = default;
    explicit Origin(std::string file) : file_(std::move(file)) {}

    /// Notes that a dotted key ("segment.0.radius") stands at a line, written as `found`;
    /// line 0: it was given by --set.
    void note(std::string key, int line, std::string found) {
        places_[std::move(key)] = {line, std::move(found)};
    }

    /// Notes that a sweep varies a dotted key: it, and what leads to it, was given by --vary.
    void note_varied(std::string key, std::string found) {
        varied_.push_back(key);
        note(std::move(key), 0, std::move(found));
    }

    /// 0 if the key is not there.
    int line_of(std::string_view key) const;

    /// "chain.toml:12: time.step = 1e-3" (or "--set time.step = 1e-3"); for a key that is not
    /// there, the line of the table it would stand in: "chain.toml:11: time.step".
    std::string of(std::string_view key) const;

    /// Throws InputError "<of(key)>: <message>".
    [[noreturn]] void fail(std::string_view key, std::string_view message) const;

    const std::string& file() const { return file_; }

  private:
    struct Place {
        int line;
        std::string found;
    };
    bool is_varied(std::string_view key) const;

    std::string file_;
    std::vector<std::string> varied_;
    std::map<std::string, Place, std::less<>> places_;
};

}  // namespace beadwave::scenario
