#include "tasks/report_files.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/report_results.hpp"
#include "tasks/history_argument.hpp"

#include <fmt/format.h>

namespace beadwave::tasks {

namespace fs = std::filesystem;

namespace {

void check_contacts(const std::string& list) {
    const bool numbers = list.find_first_not_of("0123456789,") == std::string::npos &&
                         !list.empty() && list.front() != ',' && list.back() != ',' &&
                         list.find(",,") == std::string::npos;
    if (!numbers || list.size() > 1000) {
        throw InputError(
            fmt::format("--contacts {}: expected numbers of contacts, for example 5,20", list));
    }
}

}  // namespace

ReportFiles::Drawing::Drawing(const std::string& option, const io::Output& output,
                              const std::string& ending, const io::ResultKind& kind)
    : name(output.path) {
    if (name.extension() != ending) {
        throw InputError(
            fmt::format("{} {}: the name must end in {}", option, name.string(), ending));
    }
    file.emplace(output, kind);
}

ReportFiles::ReportFiles(const ReportRequest& request) {
    for (const std::string& name : request.histories)
        check_structure(name);
    if (request.contacts) check_contacts(*request.contacts);

    const fs::path page = request.output.empty()
                              ? fs::path(request.histories.front()).replace_extension(".html")
                              : fs::path(request.output);
    const auto draw = [&](const std::string& option, const std::string& passed,
                          const fs::path& path, const std::string& ending,
                          const io::ResultKind& kind) {
        drawings_.emplace_back(option, io::Output(path, request.overwrite), ending, kind);
        arguments_.insert(arguments_.end(), {passed, drawings_.back().file->path().string()});
    };
    draw("--output", "--page", page, ".html", io::page_result);
    if (!request.svg.empty()) draw("--svg", "--svg", request.svg, ".svg", io::svg_result);
    if (!request.png.empty()) draw("--png", "--png", request.png, ".png", io::png_result);
    if (!request.gif.empty()) draw("--gif", "--gif", request.gif, ".gif", io::film_result);
    if (!request.mp4.empty()) draw("--mp4", "--mp4", request.mp4, ".mp4", io::film_result);
    if (!request.picture.empty())
        draw("--picture", "--picture", request.picture, ".png", io::png_result);
    if (!request.xdmf.empty()) draw("--xdmf", "--xdmf", request.xdmf, ".xdmf2", io::xdmf_result);
    if (request.contacts) arguments_.insert(arguments_.end(), {"--contacts", *request.contacts});
    for (const auto& [option, value] : request.drawing)
        if (value) arguments_.push_back(fmt::format("{}={}", option, *value));
    arguments_.emplace_back("--");
    arguments_.insert(arguments_.end(), request.histories.begin(), request.histories.end());
}

void ReportFiles::commit() {
    std::vector<io::AtomicFile*> files;
    for (Drawing& drawing : drawings_)
        files.push_back(&*drawing.file);
    io::commit_together(files);
}

std::vector<fs::path> ReportFiles::names() const {
    std::vector<fs::path> names;
    for (const Drawing& drawing : drawings_)
        names.push_back(drawing.name);
    return names;
}

}  // namespace beadwave::tasks
