#include "contact_works.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::packing {

void ContactWorks::reset(std::size_t blocks, std::size_t entries) {
    of_block_.assign(blocks, {});
    number_.assign(entries, 0);
    block_rubbing_.assign(blocks * rubbing.size(), 0.0);
}

ContactWork& ContactWorks::open(std::size_t block, std::size_t entry) {
    std::vector<ContactWork>& all = of_block_[block];
    all.emplace_back().entry = static_cast<std::uint32_t>(entry);
    number_[entry] = static_cast<std::uint32_t>(all.size());
    return all.back();
}

std::vector<ContactWork> ContactWorks::take(std::vector<std::uint32_t>& first_of) {
    std::size_t count = 0;
    for (const std::vector<ContactWork>& works : of_block_)
        count += works.size();
    std::vector<ContactWork> all;
    all.reserve(count);
    first_of.assign(number_.size(), 0);
    for (std::vector<ContactWork>& works : of_block_) {
        for (const ContactWork& work : works) {
            all.push_back(work);
            first_of[work.entry] = static_cast<std::uint32_t>(all.size());
        }
        works = {};
    }
    return all;
}

void ContactWorks::end_step() {
    for (std::size_t k = 0; k < block_rubbing_.size(); ++k) {
        rubbing[k % rubbing.size()] += block_rubbing_[k];
        block_rubbing_[k] = 0.0;
    }
}

std::vector<double> ContactWorks::numbers() const {
    std::vector<double> all{settled ? 1.0 : 0.0};
    for (const std::vector<ContactWork>& works : of_block_) {
        for (const ContactWork& work : works) {
            all.push_back(work.entry), all.push_back(work.account);
            ContactWork::each_number(work, [&](double number) { all.push_back(number); });
        }
    }
    return all;
}

void ContactWorks::restore(std::span<const double> numbers,
                           std::span<const std::uint32_t> block_of_entry) {
    const auto damaged = [] {
        return std::invalid_argument("contact_works: these are no works of contacts");
    };
    if (numbers.size() % ContactWork::numbers != 1) throw damaged();
    settled = numbers[0] != 0.0;
    std::size_t at = 1;
    const auto whole = [&](std::size_t below) {
        const double number = numbers[at++];
        if (!(number >= 0.0 && number < static_cast<double>(below)) || number != std::floor(number))
            throw damaged();
        return static_cast<std::uint32_t>(number);
    };
    while (at < numbers.size()) {
        const std::uint32_t entry = whole(number_.size());
        if (number_[entry] != 0 || block_of_entry[entry] >= blocks()) throw damaged();
        ContactWork& work = of(block_of_entry[entry], entry);
        work.account = whole(accounts.all().size() + 1);
        ContactWork::each_number(work, [&](double& number) { number = numbers[at++]; });
        mark(work);
    }
}

}  // namespace beadwave::packing
