// Free disk space, checked before a long run starts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace beadwave::io {

/// "12.3 GB"
std::string bytes_text(double bytes);

/// Free space on the disk of `file` [bytes]; no value if the system does not report it.
std::optional<double> free_disk_space(const std::filesystem::path& file);

/// Returns a message on the size of a file of `bytes`; empty if the file is small. Throws
/// InputError if the disk cannot hold the file, unless `ignore`. `what`: "the history". `less`: how
/// to make it smaller, "sample less often".
std::string check_disk_space(const std::filesystem::path& file, const std::string& what,
                             double bytes, const std::string& less, bool ignore);

}  // namespace beadwave::io
