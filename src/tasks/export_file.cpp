#include "tasks/export_file.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/export_results.hpp"
#include "io/files/snapshot_copy.hpp"
#include "ranks/collective.hpp"
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
    if (request.copy && !format.refers) {
        throw InputError(
            fmt::format("--copy: is for .vtkhdf and .hdf, which otherwise refer to the "
                        "history; {} holds its numbers in any case",
                        format.ending));
    }
    if (request.copy && request.snapshot)
        throw InputError(
            "--copy: a file of one --snapshot holds its numbers in any case; leave out "
            "one of the two");
    check_structure(request.history);  // Python reads only what passes this check
    file_.emplace(io::Output(output, request.overwrite), format.kind);
    arguments_ = {"--format", std::string(format.ending), "--to", file_->path().string()};
    // One word: a negative number would look like an option.
    if (request.snapshot) arguments_.push_back(fmt::format("--snapshot={}", *request.snapshot));
    if (request.copy) arguments_.emplace_back("--copy");
    arguments_.insert(arguments_.end(), {"--", request.history});
}

void copy_snapshots(ranks::Communicator& ranks, const ExportRequest& request,
                    const ExportFile* file, const std::function<bool()>& stop) {
    if (!request.copy) return;
    io::copy_snapshots(ranks, {.history = request.history,
                               .file = file != nullptr ? file->path() : std::filesystem::path(),
                               .result = request.output,
                               .stop = stop});
}

int export_file(ranks::Communicator& ranks, const ExportRequest& request,
                const std::function<int(const ExportFile&)>& write,
                const std::function<bool()>& stop) {
    std::optional<ExportFile> file;
    int status = 0;
    ranks::collective(&ranks, [&] {
        if (!ranks.first()) return;
        file.emplace(request);
        status = write(*file);
    });
    ranks.broadcast(status);
    if (status != 0) return status;
    copy_snapshots(ranks, request, file ? &*file : nullptr, stop);
    ranks::collective(&ranks, [&] {
        if (file) file->commit();
    });
    return 0;
}

}  // namespace beadwave::tasks
