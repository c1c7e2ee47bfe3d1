// The message of an error, for people.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace beadwave::io {

/// what() of the error. The standard library has no readable text for missing memory, nor for a
/// container that would exceed all memory ("vector::_M_default_append").
inline std::string message_of(const std::exception& error) {
    const std::string text = error.what();
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                        (dynamic_cast<const std::length_error*>(&error) != nullptr &&
                         (text.find("::_M_") != std::string::npos ||
                          text.find("std::vector") != std::string::npos ||
                          text.starts_with("vector::") || text.starts_with("basic_string::")));
    return memory ? "not enough memory" : text;
}

}  // namespace beadwave::io
