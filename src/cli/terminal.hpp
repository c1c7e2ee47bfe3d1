// What people read on standard output and standard error, whatever state these are in.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace beadwave::cli {

/// Files that the program opens must not become standard input, output or error where these are
/// closed: each is then one that can be neither read nor written.
void reserve_standard_streams();

/// From now on nothing is said or printed: another process of the same run does.
void leave_it_to_others();

/// The text without what would steer a terminal: control characters but line ends become "?".
std::string harmless(std::string_view text);

/// To standard error, harmless. Where that takes nothing (closed, full, a broken pipe) nobody reads
/// it: no error.
void say(std::string_view text);
/// The same without taking out what steers a terminal.
void show(std::string_view text);
/// "beadwave: note: <note>", on a line of its own.
void say_note(std::string_view note);

/// To standard output, harmless. Throws std::runtime_error, now or in deliver(), if that takes
/// nothing.
void print(std::string_view text);
/// The same of an object, on one line or on many. A file's name may hold bytes that are not UTF-8,
/// which JSON cannot: they become U+FFFD.
void print_json(const nlohmann::ordered_json& object, bool on_one_line = false);
/// Hands over what still stands in the buffer of standard output. Throws std::runtime_error.
void deliver();

}  // namespace beadwave::cli
