// The message of an error, for people.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace beadwave::io {

/// what() of the error, without an allocation: valid as long as the error. The standard library has
/// no readable text for missing memory, nor for a container that would exceed all memory
/// ("vector::_M_default_append").
inline const char* text_of(const std::exception& error) noexcept {
    const std::string_view text = error.what();
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                        (dynamic_cast<const std::length_error*>(&error) != nullptr &&
                         (text.find("::_M_") != std::string::npos ||
                          text.find("std::vector") != std::string::npos ||
                          text.starts_with("vector::") || text.starts_with("basic_string::")));
    return memory ? "not enough memory" : error.what();
}

/// text_of() as a string.
inline std::string message_of(const std::exception& error) {
    return text_of(error);
}

}  // namespace beadwave::io
