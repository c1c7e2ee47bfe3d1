// Whether this build has a sanitizer for memory or threads. Arithmetic then takes ten or thirty
// times as long.
#pragma once

namespace beadwave::validation {

#if defined(__has_feature)
#define BEADWAVE_HAS_FEATURE(name) __has_feature(name)
#else
#define BEADWAVE_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    BEADWAVE_HAS_FEATURE(address_sanitizer) || BEADWAVE_HAS_FEATURE(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#undef BEADWAVE_HAS_FEATURE

}  // namespace beadwave::validation
