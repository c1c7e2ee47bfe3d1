// Numbers keys in the order of their first appearance; equal keys get equal numbers.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <unordered_set>

namespace beadwave::chain {

/// Chains repeat themselves often or not at all. So the key that followed the last time is tried
/// first. If only new keys come, as in a disordered chain, keys are not stored for a while; a key
/// that comes again during this time, except directly after itself, gets a new number.
template <class Key, class Hash>
class Numbering {
  public:
    static constexpr std::size_t most_remembered = 65536;

    Numbering() = default;
    Numbering(const Numbering&) = delete;
    Numbering& operator=(const Numbering&) = delete;

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
        known_.push_back({.key = key, .number = count_, .next = known_.size()});
        const auto [place, is_new] = places_.insert(known_.size() - 1);
        if (is_new)
            ++count_;
        else
            known_.pop_back(), ++found_;
        known_[last_].next = *place;
        last_ = *place;
        const Number number{known_[last_].number, is_new};
        if (known_.size() == most_remembered) forget();
        return number;
    }

    void forget() {
        const bool in_vain = found_ < most_remembered;
        pause_ = in_vain ? 2 * pause_ : most_remembered;
        pause_left_ = in_vain ? pause_ : 0;
        found_ = last_ = 0;
        places_.clear();
        known_.clear();
    }

    Key last_key_{};
    std::size_t last_number_ = 0, count_ = 0;
    // Keys are large, so each is stored once; the set holds their places.
    struct PlaceHash {
        const std::deque<Known>* known;
        std::size_t operator()(std::size_t place) const { return Hash()((*known)[place].key); }
    };
    struct SameKey {
        const std::deque<Known>* known;
        bool operator()(std::size_t a, std::size_t b) const {
            return (*known)[a].key == (*known)[b].key;
        }
    };
    std::deque<Known> known_;
    std::unordered_set<std::size_t, PlaceHash, SameKey> places_{0, PlaceHash{&known_},
                                                                SameKey{&known_}};
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
