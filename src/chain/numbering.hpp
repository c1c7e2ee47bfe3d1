// Numbers keys in the order of their first appearance; equal keys get equal numbers.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace beadwave::chain {

/// Chains repeat themselves often or not at all. So the key that followed the last time is tried
/// first. If only new keys come, as in a disordered chain, keys are not stored for a while; a key
/// that comes again during this time, except directly after itself, gets a new number.
template <class Key, class Hash>
class Numbering {
  public:
    static constexpr std::size_t most_remembered = 65536;

    struct Number {
        std::size_t number;
        bool is_new;
    };

    Number operator()(const Key& key) {
        if (count_ > 0 && key == last_key_) return {last_number_, false};
        const Number number = different(key);
        last_key_ = key;
        last_number_ = number.number;
        return number;
    }

    std::size_t count() const { return count_; }

  private:
    struct Known {
        Key key;
        std::size_t number;
        std::size_t next;  ///< place of the key that followed the last time
    };

    Number different(const Key& key) {
        if (pause_left_ > 0) {
            --pause_left_;
            return {count_++, true};
        }
        if (!known_.empty() && known_[known_[last_].next].key == key) {
            last_ = known_[last_].next;
            ++found_;
            return {known_[last_].number, false};
        }
        const auto [place, is_new] = places_.try_emplace(key, known_.size());
        if (is_new) known_.push_back({.key = key, .number = count_++, .next = place->second});
        found_ += is_new ? 0 : 1;
        known_[last_].next = place->second;
        last_ = place->second;
        const Number number{known_[last_].number, is_new};
        if (known_.size() == most_remembered) forget();
        return number;
    }

    void forget() {
        const bool in_vain = found_ < most_remembered;
        pause_ = in_vain ? 2 * pause_ : most_remembered;
        pause_left_ = in_vain ? pause_ : 0;
        found_ = last_ = 0;
        known_.clear();
        places_.clear();
    }

    Key last_key_{};
    std::size_t last_number_ = 0, count_ = 0;
    std::vector<Known> known_;
    std::unordered_map<Key, std::size_t, Hash> places_;
    std::size_t last_ = 0;   ///< place
    std::size_t found_ = 0;  ///< how often a key was known, since forget()
    std::size_t pause_ = most_remembered, pause_left_ = 0;
};

/// A hash of numbers by their bits.
class BitHash {
  public:
    template <class... Number>
    static std::size_t of(Number... numbers) {
        std::size_t hash = 0;
        ((hash = mixed(hash ^ std::hash<Number>()(numbers))), ...);
        return hash;
    }

  private:
    static std::size_t mixed(std::size_t x) {
        x ^= x >> 32;
        x *= 0x9E3779B97F4A7C15ULL;
        return x ^ (x >> 29);
    }
};

}  // namespace beadwave::chain
