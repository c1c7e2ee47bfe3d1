// Text output on standard output and standard error, in whatever state these are.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace beadwave::cli {

/// Opens standard input, output and error where they are closed, so that no other file takes their
/// place. Such a stream can be neither read nor written.
void reserve_standard_streams();

/// From now on this process prints nothing: another process of the same run does.
void silence();

/// The text with control characters, except line ends, and what changes the direction of text
/// replaced by "?", so that it cannot control a terminal.
std::string sanitised(std::string_view text);

/// Prints to standard error, sanitised. A failed write (closed, full, a broken pipe) is no error:
/// nobody reads it.
void print_to_stderr(std::string_view text);
/// Prints to standard error as print_to_stderr() does, but with control characters.
void print_raw_to_stderr(std::string_view text);
/// Prints "beadwave: warning: <warning>" and a line end to standard error.
void print_warning(std::string_view warning);

/// Prints to standard output, sanitised. Throws std::runtime_error, here or in flush_output(), if
/// the write fails.
void print(std::string_view text);
/// Prints a JSON object to standard output, on one line or on several. Bytes that are not UTF-8,
/// for example in the name of a file, become U+FFFD.
void print_json(const nlohmann::ordered_json& object, bool on_one_line = false);
struct Display {
    bool quiet = false, json = false;
    std::optional<double> log_interval{};  ///< --log [s]; none: a bar, on a terminal
};
/// Prints what a command computed: its text or, with --json, the object, and the text to standard
/// error.
template <class Result>
void print_result(const Result& result, const Display& display) {
    if (display.json) print_json(result.json());
    if (!display.quiet) display.json ? print_to_stderr(result.text()) : print(result.text());
}
/// Writes the buffer of standard output. Throws std::runtime_error.
void flush_output();

}  // namespace beadwave::cli
