// The runs of a sweep: all combinations of the values of its keys.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::io {

/// One key of the scenario and the values of it in a sweep.
struct VariedKey {
    /// Varied: all combinations are run. Member: no key of the scenario, but the number of the
    /// member of an ensemble, last of those that are combined. Disturbed: one value for each
    /// member.
    enum class Role { varied, member, disturbed };

    std::string key;                  ///< dotted: "segment.0.velocity"
    std::vector<std::string> values;  ///< in the form of --set
    Role role = Role::varied;
    std::string unit{};                 ///< in the form of H5MD; empty: none
    std::vector<std::string> linked{};  ///< further keys that take the same value in each run

    /// "segment.0.radius,segment.1.radius".
    std::string names() const {
        std::string all = key;
        for (const std::string& other : linked)
            all += "," + other;
        return all;
    }
};

/// The text of a value without TOML's quotes.
inline std::string_view unquoted(std::string_view text) {
    const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                        text.back() == text.front();
    return quoted ? text.substr(1, text.size() - 2) : text;
}

/// Runs are numbered from 0. The value of the last key changes fastest; of an ensemble, the member.
class SweepPlan {
  public:
    /// Keys in the order of their roles.
    explicit SweepPlan(std::vector<VariedKey> keys) : keys_(std::move(keys)) {
        for (const VariedKey& key : keys_) {
            if (key.role == VariedKey::Role::disturbed) continue;
            runs_ *= key.values.size();
            ++combined_;
            if (key.role == VariedKey::Role::member) members_ = key.values.size();
        }
    }

    std::size_t runs() const { return runs_; }
    const std::vector<VariedKey>& keys() const { return keys_; }
    /// The first keys, which are not disturbed.
    std::size_t combined() const { return combined_; }
    /// Members per ensemble; 0: there is none. The members of one ensemble follow each other.
    std::size_t members() const { return members_; }
    /// The number of ensembles: of combinations of the varied keys.
    std::size_t ensembles() const { return members_ > 0 ? runs_ / members_ : 0; }

    /// The index of the value that a key has in a run.
    std::size_t index(std::size_t run, std::size_t key) const {
        if (keys_[key].role == VariedKey::Role::disturbed) key = combined_ - 1;
        for (std::size_t later = combined_ - 1; later > key; --later)
            run /= keys_[later].values.size();
        return run % keys_[key].values.size();
    }
    const std::string& value(std::size_t run, std::size_t key) const {
        return keys_[key].values[index(run, key)];
    }

    /// "law.psi=2.6", "segment.0.velocity=1".
    std::vector<std::string> settings(std::size_t run) const {
        std::vector<std::string> settings;
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            if (keys_[k].role == VariedKey::Role::member) continue;
            settings.push_back(keys_[k].key + "=" + value(run, k));
            for (const std::string& linked : keys_[k].linked)
                settings.push_back(linked + "=" + value(run, k));
        }
        return settings;
    }

    /// "law.psi = 2.6, segment.0.velocity = 1".
    std::string words(std::size_t run) const {
        std::string words;
        for (std::size_t k = 0; k < keys_.size(); ++k)
            words += (k == 0 ? "" : ", ") + keys_[k].names() + " = " + value(run, k);
        return words;
    }

  private:
    std::vector<VariedKey> keys_;
    std::size_t runs_ = 1, combined_ = 0, members_ = 0;
};

}  // namespace beadwave::io
