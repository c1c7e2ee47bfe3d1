// Whether a disk has room for a result, before hours of work go into it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace beadwave::io {

/// "12.3 GB"
std::string bytes_text(double bytes);

/// What is free where the file is to stand, as far as the system says [bytes].
std::optional<double> room_beside(const std::filesystem::path& file);

/// What a person is told of a file of so many bytes before it is begun; nothing of a small one.
/// Throws InputError if its disk cannot hold it, unless `force`. `what` is "the history", `less`
/// what makes it smaller: "sample less often".
std::string check_room(const std::filesystem::path& file, const std::string& what, double bytes,
                       const std::string& less, bool force);

}  // namespace beadwave::io
