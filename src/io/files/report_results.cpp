#include "io/files/report_results.hpp"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::streamoff near =
    4096;  ///< a signature is within this many bytes of the start or end

bool holds(const fs::path& path, std::streamoff from, std::string_view signature) {
    std::ifstream file(path, std::ios::binary);
    file.seekg(from);
    std::string text(static_cast<std::size_t>(near), '\0');
    file.read(text.data(), near);
    return text.find(signature) != std::string::npos;
}

// The signatures are what src/report writes into each file.

bool ends_with_one_of(const fs::path& path, std::initializer_list<std::string_view> signatures) {
    std::error_code error;
    const auto bytes = static_cast<std::streamoff>(fs::file_size(path, error));
    const std::streamoff from = std::max<std::streamoff>(bytes - near, 0);
    return !error && std::ranges::any_of(signatures, [&](std::string_view signature) {
        return holds(path, from, signature);
    });
}

bool is_page(const fs::path& path) {
    return ends_with_one_of(
        path, {"<footer>Histories written by beadwave ", "<footer>Modes written by beadwave ",
               "<footer>Sweep written by beadwave ", "<footer>Branch written by beadwave ",
               "<footer>Basins written by beadwave ", "<footer>Section written by beadwave "});
}

bool is_drawing(const fs::path& path) {
    return holds(path, 0, "beadwave report");
}

/// A GIF has it at the start, an MP4 at the end.
bool is_film(const fs::path& path) {
    return is_drawing(path) || ends_with_one_of(path, {"beadwave report"});
}

}  // namespace

const ResultKind page_result{.name = "a page of beadwave report", .is_one = is_page};
const ResultKind svg_result{.name = "a figure of beadwave report", .is_one = is_drawing};
const ResultKind png_result = svg_result;
const ResultKind film_result{.name = "a film of beadwave report", .is_one = is_film};
const ResultKind xdmf_result{.name = "a description by beadwave report", .is_one = is_drawing};

}  // namespace beadwave::io
