// What is said of an error.
#pragma once

#include <exception>
#include <new>
#include <string>

namespace beadwave::io {

/// Of memory that there is not, the standard library says nothing to people.
inline std::string words_of(const std::exception& error) {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    return memory ? "not enough memory" : error.what();
}

}  // namespace beadwave::io
