#include "ranks/agreement.hpp"

#include "beadwave/input_error.hpp"

#include <algorithm>
#include <string_view>

namespace beadwave::ranks {
namespace {

constexpr std::size_t longest_quote = 300;

/// FNV-1a, of 64 bits.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

/// The message about the facts: a line with the hash and length of each, then a quotation.
std::string message_of(const std::vector<Fact>& facts) {
    std::string message;
    for (const Fact& fact : facts) {
        std::string quote = fact.quoted ? shortened(fact.value, longest_quote) : std::string();
        std::ranges::replace(quote, '\n', ' ');
        message += std::to_string(hash_of(fact.value)) + '/' + std::to_string(fact.value.size()) +
                   '\n' + quote + '\n';
    }
    return message;
}

/// The next line, which is cut off from `rest`.
std::string_view next_line(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

}  // namespace

void require_same(Communicator& ranks, const std::vector<Fact>& own) {
    if (ranks.alone()) return;
    const std::string message = message_of(own);
    const auto messages = ranks.gather_numbers_to_all<char>(message);
    for (std::size_t rank = 1; rank < messages.size(); ++rank) {
        std::string_view first(messages[0].data(), messages[0].size());
        std::string_view other(messages[rank].data(), messages[rank].size());
        for (const Fact& fact : own) {
            const bool equal = next_line(first) == next_line(other);
            const std::string_view ours = next_line(first), theirs = next_line(other);
            if (equal) continue;
            std::string error =
                "rank " + std::to_string(rank) + " has another " + fact.name + " than rank 0";
            if (fact.quoted)
                error += ": " + std::string(theirs) + "; rank 0 has: " + std::string(ours);
            throw InputError(error + "; processes that share a run must all start from the same");
        }
    }
}

}  // namespace beadwave::ranks
