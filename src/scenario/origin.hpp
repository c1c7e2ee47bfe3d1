// The place of each value in the input, so that an error found long after reading can name it.
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

    /// Stores the line of a dotted key ("segment.0.radius") and its value as written, `found`; line
    /// 0: it was given by --set.
    void set_place(std::string key, int line, std::string found) {
        places_[std::move(key)] = {line, std::move(found)};
    }

    /// Stores that a sweep varies a dotted key: the key and its parents were given by --vary.
    void set_varied(std::string key, std::string found) {
        varied_.push_back(key);
        set_place(std::move(key), 0, std::move(found));
    }

    /// Line of a key; 0 if the key is missing.
    int line_of(std::string_view key) const;

    /// "chain.toml:12: time.step = 1e-3" (or "--set time.step = 1e-3"); for a missing key, the line
    /// of its table: "chain.toml:11: time.step".
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
