#include "contact_accounts.hpp"

#include <stdexcept>

namespace beadwave::packing {
namespace {

std::uint64_t account_key(std::uint32_t first, std::uint32_t second) {
    return std::uint64_t{first} << 32U | second;
}

}  // namespace

std::uint32_t ContactAccounts::of(std::uint32_t first, std::uint32_t second) {
    const auto [at, is_new] = number_.try_emplace(account_key(first, second),
                                                  static_cast<std::uint32_t>(accounts_.size() + 1));
    if (is_new) accounts_.push_back({.first = first, .second = second});
    return at->second;
}

std::vector<double> ContactAccounts::numbers() const {
    std::vector<double> all;
    for (const ContactAccount& account : accounts_) {
        all.push_back(account.first), all.push_back(account.second);
        ContactAccount::each_number(account, [&](double number) { all.push_back(number); });
    }
    return all;
}

void ContactAccounts::restore(std::span<const double> numbers, std::size_t bodies) {
    accounts_.clear();
    number_.clear();
    std::size_t at = 0;
    const auto damaged = [] {
        return std::invalid_argument("contact_accounts: these are no accounts of contacts");
    };
    const auto body = [&] {
        const double number = numbers[at++];
        if (!(number >= 0.0 && number < static_cast<double>(bodies))) throw damaged();
        return static_cast<std::uint32_t>(number);
    };
    while (at < numbers.size()) {
        if (numbers.size() - at < ContactAccount::numbers) throw damaged();
        const std::uint32_t first = body(), second = body();
        if (of(first, second) != accounts_.size()) throw damaged();
        ContactAccount::each_number(accounts_.back(),
                                    [&](double& number) { number = numbers[at++]; });
    }
}

}  // namespace beadwave::packing
