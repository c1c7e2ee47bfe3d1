#include "tasks/export_file.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/export_results.hpp"
#include "tasks/history_argument.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::tasks {
namespace {

const io::ExportFormat& format_of(const std::filesystem::path& output) {
    const std::string ending = output.extension().string();
    const auto format =
        std::ranges::find(io::export_formats, std::string_view(ending), &io::ExportFormat::ending);
    if (format != io::export_formats.end()) return *format;
    std::vector<std::string> known;
    for (const io::ExportFormat& one : io::export_formats)
        known.emplace_back(one.ending);
    throw InputError(fmt::format("--output {}: the name must end in {}{}", output.string(),
                                 fmt::join(known, ", "), did_you_mean(ending, known)));
}

}  // namespace

ExportFile::ExportFile(const ExportRequest& request) {
    const std::filesystem::path output(request.output);
    const io::ExportFormat& format = format_of(output);
    if (request.snapshot && !format.one_snapshot) {
        throw InputError(
            fmt::format("--snapshot {}: is for .data, .vtp and .vtkhdf, which can hold one "
                        "snapshot; {} holds all",
                        *request.snapshot, format.ending));
    }
    check_structure(request.history);  // Python reads only what passes this check
    file_.emplace(io::Output(output, request.overwrite), format.kind);
    arguments_ = {"--format", std::string(format.ending), "--to", file_->path().string()};
    // One word: a negative number would look like an option.
    if (request.snapshot) arguments_.push_back(fmt::format("--snapshot={}", *request.snapshot));
    arguments_.insert(arguments_.end(), {"--", request.history});
}

}  // namespace beadwave::tasks
