#include "ranks/collective.hpp"

namespace beadwave::ranks {

SharedError first_error(Communicator& ranks, const SharedError& own) {
    if (!ranks.any(own.kind != no_error)) return {};
    std::string message(1, static_cast<char>(own.kind));
    message += own.what;
    for (const std::vector<char>& piece : ranks.gather_numbers_to_all<char>(message)) {
        if (piece[0] != no_error) return {piece[0], std::string(piece.begin() + 1, piece.end())};
    }
    return {};
}

std::string first_text(Communicator* ranks, const std::string& own) {
    if (ranks == nullptr || ranks->alone()) return own;
    for (const std::vector<char>& piece : ranks->gather_numbers_to_all<char>(own)) {
        if (!piece.empty()) return {piece.begin(), piece.end()};
    }
    return {};
}

}  // namespace beadwave::ranks
