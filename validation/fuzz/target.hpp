// What every target is: a function of bytes that may refuse them with an InputError and must not
// fail in any other way. libFuzzer calls it, and so does replay.cpp.
#pragma once

#include "beadwave/input_error.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace beadwave::fuzz {

/// Lets the input be refused.
template <typename Read>
void attempt(const Read& read) {
    try {
        read();
    } catch (const InputError&) {
        // as it may be
    }
}

}  // namespace beadwave::fuzz
