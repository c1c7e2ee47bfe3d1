// What each contact of a packing dissipated. The sums over all contacts, which the ledger has, are
//
//     normal      = work of walls and images on the contacts - work of the contacts on particles
//                   - work on tangential springs and sliders - what the normal laws store now
//                   + what they stored at the start
//     tangential  = work on tangential springs and sliders - what the springs store now
//
// Every term is a sum over contacts, so each contact has an account with its own terms. An account
// belongs to two bodies and not to a pair of the neighbour list, which comes and goes: a particle
// and another one, with all its images, or a particle and a wall, with all its triangles.
#pragma once

#include "packing/contacts/contact_dissipation.hpp"
#include "packing/contacts/contact_energy.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace beadwave::packing {

struct ContactSums {
    double given = 0.0;  ///< work of a moving wall, or of images, on the contact [J]
    double sliding = 0.0, rolling = 0.0, twisting = 0.0;  ///< work on springs and sliders [J]

    bool any() const { return given != 0.0 || sliding != 0.0 || rolling != 0.0 || twisting != 0.0; }
    void add(const ContactSums& other) {
        given += other.given;
        sliding += other.sliding;
        rolling += other.rolling;
        twisting += other.twisting;
    }
};

struct ContactAccount : ContactSums {
    std::uint32_t first = 0, second = 0;  ///< as ContactDissipation
    double initial = 0.0;                 ///< stored by the normal law [J]
    static constexpr std::size_t numbers = 7;

    /// Since the start [J]; `on_particles`: the work of the contact on them.
    DissipationParts dissipated(const ContactEnergy& stored, double on_particles) const {
        return {.normal = given - on_particles - (sliding + rolling + twisting) -
                          (stored.normal - initial),
                .sliding = sliding - stored.sliding,
                .rolling = rolling - stored.rolling,
                .twisting = twisting - stored.twisting};
    }

    /// What is stored in it leaves the packing: nothing of it was dissipated.
    void release(const ContactEnergy& stored) {
        initial -= stored.normal + stored.tangential();
        sliding -= stored.sliding;
        rolling -= stored.rolling;
        twisting -= stored.twisting;
    }

    /// Calls visit(number) for each number of it but the bodies.
    template <class Self, class Visit>
    static void each_number(Self& self, Visit visit) {
        for (auto* number :
             {&self.given, &self.sliding, &self.rolling, &self.twisting, &self.initial})
            visit(*number);
    }
};

/// `Account`: a ContactAccount, or more.
template <class Account>
class ContactAccounts {
  public:
    /// The number + 1 of the account of two bodies; opens it at the first call.
    std::uint32_t of(std::uint32_t first, std::uint32_t second) {
        const auto [at, is_new] = number_.try_emplace(
            std::uint64_t{first} << 32U | second, static_cast<std::uint32_t>(accounts_.size() + 1));
        if (is_new) {
            Account& account = accounts_.emplace_back();
            account.first = first;
            account.second = second;
        }
        return at->second;
    }
    /// The number + 1 of the account of two bodies; 0: there is none.
    std::uint32_t known(std::uint32_t first, std::uint32_t second) const {
        const auto at = number_.find(std::uint64_t{first} << 32U | second);
        return at == number_.end() ? 0 : at->second;
    }
    Account& operator[](std::uint32_t number) { return accounts_[number - 1]; }
    std::vector<Account>& all() { return accounts_; }
    const std::vector<Account>& all() const { return accounts_; }

    std::vector<double> numbers() const {
        std::vector<double> all;
        for (const Account& account : accounts_) {
            all.push_back(account.first), all.push_back(account.second);
            Account::each_number(account, [&](double number) { all.push_back(number); });
        }
        return all;
    }
    /// Throws std::invalid_argument if these are no numbers(), with bodies below `bodies`.
    void restore(std::span<const double> numbers, std::size_t bodies) {
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
            if (numbers.size() - at < Account::numbers) throw damaged();
            const std::uint32_t first = body(), second = body();
            if (of(first, second) != accounts_.size()) throw damaged();
            Account::each_number(accounts_.back(), [&](double& number) { number = numbers[at++]; });
        }
    }

  private:
    std::vector<Account> accounts_;
    std::unordered_map<std::uint64_t, std::uint32_t> number_;
};

}  // namespace beadwave::packing
