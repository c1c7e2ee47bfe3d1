// Where in a person's input a value stands, so that an error found long after reading can say so.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "beadwave/input_error.hpp"

namespace beadwave::chain {

class Origin {
   public:
    Origin() = default;
    explicit Origin(std::string file) : file_(std::move(file)) {}

    /// Notes that a dotted key ("segment.0.radius") stands at a line, written as `found`;
    /// line 0: it was given by --set.
    void note(std::string key, int line, std::string found) { places_[std::move(key)] = {line, std::move(found)}; }

    /// "chain.toml:12: time.step = 1e-3" (or "--set time.step = 1e-3"); for a key that is not there,
    /// the line of the table it would stand in: "chain.toml:11: time.step".
    std::string of(std::string_view key) const;

    /// Throws InputError "<of(key)>: <message>".
    [[noreturn]] void fail(std::string_view key, std::string_view message) const;

    const std::string& file() const { return file_; }

   private:
    struct Place {
        int line;
        std::string found;
    };
    std::string file_;
    std::map<std::string, Place, std::less<>> places_;
};

}  // namespace beadwave::chain
