// A target is a function of bytes. It may refuse them with an InputError and must not fail in any
// other way. libFuzzer and replay.cpp call it.
#pragma once

#include "beadwave/input_error.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace beadwave::fuzz {

/// Runs `read`, which may refuse the input.
template <typename Read>
void attempt(const Read& read) {
    try {
        read();
    } catch (const InputError&) {
        // allowed
    }
}

}  // namespace beadwave::fuzz
