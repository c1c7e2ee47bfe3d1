#include "subjects/packing/stl_file.hpp"

#include "beadwave/input_error.hpp"
#include "io/toml/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace beadwave::io {
namespace {

constexpr std::size_t header = 80, count_bytes = 4, triangle_bytes = 50, number_bytes = 4;

/// Little-endian, on every machine.
std::uint32_t whole_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < number_bytes; ++k)
        number |= std::uint32_t{static_cast<unsigned char>(bytes[at + k])} << (8 * k);
    return number;
}

std::size_t size_of_binary(std::uint32_t triangles) {
    return header + count_bytes + triangle_bytes * std::size_t{triangles};
}

/// Whether a word is a keyword: some programs write these in upper case.
bool is_keyword(std::string_view word, std::string_view keyword) {
    return std::ranges::equal(word, keyword, [](char own, char lower) {
        return own == lower || (lower >= 'a' && own == lower - 'a' + 'A');
    });
}

/// The bytes without the byte order mark of UTF-8, which some editors write.
std::string_view without_mark(std::string_view bytes) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (bytes.starts_with(mark)) bytes.remove_prefix(mark.size());
    return bytes;
}

/// A text begins with "solid", as some binary files do as well; these have zeros.
bool is_text(std::string_view bytes) {
    constexpr std::string_view solid = "solid";
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos &&
           is_keyword(bytes.substr(first).substr(0, solid.size()), solid) &&
           bytes.find('\0') == std::string_view::npos;
}

using Words = std::vector<std::string_view>;

/// Words and line number of a text, line by line.
class Lines {
  public:
    explicit Lines(const NamedFile& file) : file_(file), rest_(without_mark(file.text)) {}

    /// The next line with words; empty at the end.
    const Words& next() {
        words_.clear();
        while (words_.empty() && !rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            split(rest_.substr(0, end));
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
        }
        return words_;
    }

    void need(std::initializer_list<std::string_view> begin, std::size_t words) {
        next();
        bool right = words_.size() == words;
        std::size_t k = 0;
        for (const std::string_view word : begin)
            right = right && is_keyword(words_[k++], word);
        if (right) return;
        std::string expected = fmt::format("\"{}\"", joined(begin, " "));
        if (words > begin.size()) expected += fmt::format(" and {} numbers", words - begin.size());
        if (words_.empty()) fail(fmt::format("ends where {} should follow", expected));
        fail(fmt::format("expected {}", expected));
    }

    double number(std::size_t word) const {
        const std::string_view text = words_[word];
        double value = 0.0;
        const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
        const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
            fail(fmt::format("coordinate \"{}\"; expected a finite number", text.substr(0, 40)));
        return value;
    }

    [[noreturn]] void fail(std::string_view what) const {
        throw InputError(fmt::format("{}, line {}: {}", file_.name, number_, what));
    }

  private:
    void split(std::string_view line) {
        constexpr std::string_view blank = " \t\r\f\v";
        for (;;) {
            line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
            if (line.empty()) return;
            const std::size_t end = std::min(line.find_first_of(blank), line.size());
            words_.push_back(line.substr(0, end));
            line.remove_prefix(end);
        }
    }

    const NamedFile& file_;
    std::string_view rest_;
    Words words_;
    std::size_t number_ = 0;
};

}  // namespace

std::string stl_text(std::string_view bytes, const std::string& name) {
    const auto refuse = [&](const std::string& why) {
        throw InputError(fmt::format("{}: {}", name, why));
    };
    if (bytes.empty()) refuse("is empty; expected an STL file");
    if (is_text(without_mark(bytes))) return std::string(without_mark(bytes));
    if (bytes.size() < header + count_bytes) {
        refuse(
            fmt::format("is no STL file: neither a text that begins with \"solid\" nor as long "
                        "as the {} bytes before the triangles of a binary file",
                        header + count_bytes));
    }
    const std::uint32_t triangles = whole_at(bytes, header);
    if (bytes.size() != size_of_binary(triangles)) {
        refuse(
            fmt::format("counts {} triangles, which take {} bytes; the file has {}: it is cut "
                        "off or no STL file",
                        triangles, size_of_binary(triangles), bytes.size()));
    }
    std::string text = "solid\n";
    for (std::uint32_t t = 0; t < triangles; ++t) {
        constexpr std::size_t before_corners = 3 * number_bytes;  // the normal
        const std::size_t begin = header + count_bytes + triangle_bytes * t + before_corners;
        text += "facet normal 0 0 0\nouter loop\n";
        for (std::size_t corner = 0; corner < 3; ++corner) {
            text += "vertex";
            for (std::size_t k = 0; k < 3; ++k) {
                const auto x =
                    std::bit_cast<float>(whole_at(bytes, begin + number_bytes * (3 * corner + k)));
                if (!std::isfinite(x))
                    refuse(fmt::format("triangle {} has a corner that is not finite", t));
                text += fmt::format(" {}", x);
            }
            text += '\n';
        }
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid\n";
}

std::vector<packing::Corners> read_stl(const NamedFile& file) {
    Lines lines(file);
    std::vector<packing::Corners> triangles;
    const Words& words = lines.next();
    if (words.empty() || !is_keyword(words[0], "solid")) lines.fail("expected \"solid\"");
    while (true) {
        lines.next();
        if (words.empty()) lines.fail("ends where \"facet normal\" or \"endsolid\" should follow");
        if (is_keyword(words[0], "endsolid")) {
            // Some programs write several solids into one file.
            if (lines.next().empty()) break;
            if (!is_keyword(words[0], "solid"))
                lines.fail("expected \"solid\" or nothing after \"endsolid\"");
            continue;
        }
        if (words.size() != 5 || !is_keyword(words[0], "facet") || !is_keyword(words[1], "normal"))
            lines.fail("expected \"facet normal\" and 3 numbers, or \"endsolid\"");
        lines.need({"outer", "loop"}, 2);
        packing::Corners& corners = triangles.emplace_back();
        for (packing::Vec3& corner : corners) {
            lines.need({"vertex"}, 4);
            corner = {lines.number(1), lines.number(2), lines.number(3)};
        }
        lines.need({"endloop"}, 1);
        lines.need({"endfacet"}, 1);
    }
    return triangles;
}

}  // namespace beadwave::io
