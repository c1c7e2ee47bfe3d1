// The message of an error, for people.
#pragma once

#include <exception>
#include <new>
#include <string>

namespace beadwave::io {

/// what() of the error. The standard library has no readable text for missing memory.
inline std::string message_of(const std::exception& error) {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    return memory ? "not enough memory" : error.what();
}

}  // namespace beadwave::io
