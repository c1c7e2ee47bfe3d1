#include "cli/terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

namespace beadwave::cli {
namespace {

[[noreturn]] void refused(int error) {
    throw std::runtime_error(
        fmt::format("cannot write to standard output: {}", std::generic_category().message(error)));
}

bool silenced = false;

void put(std::string_view text) {
    if (silenced) return;
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refused(errno);
}

}  // namespace

void reserve_standard_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // open() takes the lowest free descriptor, which is this one.
        ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void silence() {
    silenced = true;
}

std::string sanitised(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto byte = [&](std::size_t ahead) {
            return i + ahead < text.size() ? static_cast<unsigned char>(text[i + ahead]) : 0;
        };
        const auto next = byte(1), third = byte(2);
        // In UTF-8: U+202A to U+202E and U+2066 to U+2069, which change the direction of text.
        const bool turns = c == 0xe2 && ((next == 0x80 && third >= 0xaa && third <= 0xae) ||
                                         (next == 0x81 && third >= 0xa6 && third <= 0xa9));
        if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F, in UTF-8
            result += '?';
            ++i;
        } else if (turns) {
            result += '?';
            i += 2;
        } else if ((c < 0x20 && c != '\n') || c == 0x7f) {
            result += '?';
        } else {
            result += text[i];
        }
    }
    return result;
}

void print_to_stderr(std::string_view text) {
    print_raw_to_stderr(sanitised(text));
}

void print_raw_to_stderr(std::string_view text) {
    while (!text.empty() && !silenced) {
        const auto written = ::write(STDERR_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void print_warning(std::string_view warning) {
    print_to_stderr(fmt::format("beadwave: warning: {}\n", warning));
}

void print(std::string_view text) {
    put(sanitised(text));
}

void print_json(const nlohmann::ordered_json& object, bool on_one_line) {
    using Handler = nlohmann::ordered_json::error_handler_t;
    put(object.dump(on_one_line ? -1 : 2, ' ', false, Handler::replace) + "\n");
}

void flush_output() {
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) refused(errno);
}

}  // namespace beadwave::cli
