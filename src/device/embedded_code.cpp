#include "device/embedded_code.hpp"

#include <cstdlib>
#include <map>
#include <stdexcept>

#if BEADWAVE_EMBEDS_CODE
#include <zlib.h>
#endif

namespace beadwave::device {
namespace {

/// Compressed by gzip: the text of a module is a megabyte.
std::map<std::string, std::string_view>& code_of_modules() {
    static std::map<std::string, std::string_view> code;  // made by the first that is named
    return code;
}

#if BEADWAVE_EMBEDS_CODE
std::string decompressed(std::string_view code) {
    std::string text;
    z_stream stream{};
    constexpr int of_gzip = 16 + MAX_WBITS;
    if (inflateInit2(&stream, of_gzip) != Z_OK) throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(code.data()));
    stream.avail_in = static_cast<uInt>(code.size());
    int result = Z_OK;
    while (result == Z_OK) {
        constexpr std::size_t step = 1 << 18;
        const std::size_t done = text.size();
        text.resize(done + step);
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + done);
        stream.avail_out = step;
        result = inflate(&stream, Z_NO_FLUSH);
        text.resize(done + step - stream.avail_out);
    }
    inflateEnd(&stream);
    if (result != Z_STREAM_END)
        throw std::logic_error("the code for graphics processors is damaged");
    return text;
}
#else
std::string decompressed(std::string_view code) {
    return std::string(code);  // there is none
}
#endif

/// The text that follows the first `word` in its line, up to a comma.
std::string after(std::string_view word, std::string_view text) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + word.size());
    return std::string(text.substr(0, text.find_first_of(",\n")));
}

}  // namespace

std::string embedded_code(const std::string& module) {
    const auto found = code_of_modules().find(module);
    return found == code_of_modules().end() ? std::string{} : decompressed(found->second);
}

std::vector<std::string> embedded_modules() {
    std::vector<std::string> names;
    for (const auto& [name, code] : code_of_modules())
        names.push_back(name);
    return names;
}

std::string only_kernel(std::string_view code, const std::string& kernel) {
    constexpr std::string_view entry = ".visible .entry ";
    const std::size_t begin = code.find(std::string(entry) + kernel + "(");
    if (begin == std::string_view::npos) return {};
    const std::string_view rest = code.substr(begin + entry.size());
    std::string text(code.substr(0, code.find(entry)));
    text += entry;
    text += rest.substr(0, rest.find(entry));
    return text;
}

CodeNeeds needs_of(std::string_view code) {
    return {std::atoi(after("\n.target sm_", code).c_str()), after("\n.version ", code)};
}

EmbedCode::EmbedCode(const char* module, const char* begin, const char* end) {
    code_of_modules()[module] = {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace beadwave::device
