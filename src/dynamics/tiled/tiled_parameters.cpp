#include "tiled_parameters.hpp"

#include "../../chain/numbering.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

namespace beadwave::dynamics {
namespace {

/// A kind of contact by its law alone. Kinds may have equal laws: the contact of a free end has the
/// law of its neighbour, for example.
struct LawOfKind {
    const chain::Contacts* contacts;
    std::size_t kind;

    std::uint64_t bits(std::size_t field) const {
        return std::bit_cast<std::uint64_t>(contacts->field(field)[kind]);
    }
    friend bool operator==(const LawOfKind& a, const LawOfKind& b) {
        for (std::size_t k = 0; k < a.contacts->law_fields(); ++k) {
            if (a.bits(k) != b.bits(k)) return false;
        }
        return true;
    }
};
struct LawHash {
    std::size_t operator()(const LawOfKind& law) const {
        std::size_t hash = 0;
        for (std::size_t k = 0; k < law.contacts->law_fields(); ++k)
            hash = chain::BitHash::of(hash, law.bits(k));
        return hash;
    }
};

/// Entries with equal keys have equal parameters.
struct EntryKey {
    std::size_t law;
    double mass;
    bool held, weighs;
    std::size_t load;  ///< a bead with a load has its own kind; 0: no load
    bool operator==(const EntryKey&) const = default;
};
struct EntryHash {
    std::size_t operator()(const EntryKey& key) const {
        return chain::BitHash::of(key.law, key.mass, key.held, key.weighs, key.load);
    }
};

/// The law's fields, kick, body force and mass of every contact and the bead to its right. Entries
/// behind the end of the chain are a wall that nothing moves or, if there is no contact with it,
/// beads like the last one, so that a uniform chain is uniform to the end.
class Source {
  public:
    Source(const chain::Chain& chain, double time_step)
        : chain_(chain), half_step_(0.5 * time_step), fields_(chain.contacts.law_fields()) {
        for (const chain::Load& load : chain.loads)
            loads_[load.bead] += load.force;
        chain::Numbering<LawOfKind, LawHash> laws;
        laws_.reserve(chain.contacts.kind_count());
        for (std::size_t kind = 0; kind < chain.contacts.kind_count(); ++kind)
            laws_.push_back(laws({&chain.contacts, kind}).number);
    }

    std::size_t columns() const { return fields_ + 3; }

    EntryKey key(std::size_t i) const {
        return {.law = laws_[chain_.contacts.kind(contact(i))],
                .mass = chain_.mass[bead(i)],
                .held = held(i),
                .weighs = i < chain_.beads() && chain_.gravity != 0.0,
                .load = i < chain_.beads() && loads_.contains(i) ? i + 1 : 0};
    }

    double operator()(std::size_t column, std::size_t i) const {
        if (column < fields_)
            return chain_.contacts.field(column)[chain_.contacts.kind(contact(i))];
        const double mass = chain_.mass[bead(i)];
        if (column == fields_) return held(i) ? 0.0 : half_step_ * (1.0 / mass);
        if (column == fields_ + 1) return i < chain_.beads() ? body_force(i) : 0.0;
        return mass;
    }

  private:
    std::size_t contact(std::size_t i) const { return std::min(i, chain_.beads()); }
    std::size_t bead(std::size_t i) const { return std::min(i, chain_.beads() - 1); }
    bool held(std::size_t i) const {
        const std::size_t n = chain_.beads();
        return chain_.is_held(bead(i)) || (i >= n && std::isfinite(chain_.gap[n]));
    }
    double body_force(std::size_t i) const {
        const double weight = chain_.mass[i] * chain_.gravity;
        const auto load = loads_.find(i);
        return load == loads_.end() ? weight : weight + load->second;
    }

    const chain::Chain& chain_;
    double half_step_;
    std::size_t fields_;
    std::map<std::size_t, double> loads_;
    chain::SmallIndex laws_;  // per kind of contact
};

}  // namespace

template <class Value>
StretchColumn::StretchColumn(std::size_t end, std::size_t longest_row, Value value)
    : stretch_begin_(end), stretch_end_(end), right_begin_(end) {
    const auto bits = [&](std::size_t i) { return std::bit_cast<std::uint64_t>(value(i)); };
    std::size_t longest = 0;
    for (std::size_t i = 0; i < end;) {
        std::size_t stop = i + 1;
        while (stop < end && bits(stop) == bits(i))
            ++stop;
        if (stop - i > longest) {
            longest = stop - i;
            stretch_begin_ = i;
            stretch_end_ = stop;
        }
        i = stop;
    }
    // A row must not extend over both ends of the stretch.
    if (longest < end && longest < 2 * longest_row) stretch_begin_ = stretch_end_ = end;
    const std::size_t left_end =
        stretch_begin_ == 0 ? 0 : std::min(stretch_begin_ + longest_row, end);
    if (stretch_end_ < end) right_begin_ = stretch_end_ - std::min(stretch_end_, longest_row);
    if (stretch_begin_ < end) common_ = simd::Column(longest_row, value(stretch_begin_));
    left_ = simd::Column(left_end);
    for (std::size_t i = 0; i < left_end; ++i)
        left_[i] = value(i);
    right_ = simd::Column(end - right_begin_);
    for (std::size_t i = right_begin_; i < end; ++i)
        right_[i - right_begin_] = value(i);
}

ParameterBuffer::ParameterBuffer(std::size_t columns, std::size_t longest_row) : columns_(columns) {
    // As in Rows, addresses of neighbouring columns must not agree in their last 12 bits.
    constexpr std::size_t page = 4096 / sizeof(double), shift = 448 / sizeof(double);
    stride_ = (longest_row + 2 * block_beads + page - 1) / page * page + shift;
}

void ParameterBuffer::take(std::size_t begin, std::size_t end) {
    if (store_.size() == 0) store_ = simd::Column(stride_ * columns_);
    begin_ = begin;
    end_ = end;
}

ParameterStore::ParameterStore(const chain::Chain& chain, double time_step, std::size_t end,
                               std::size_t longest_row)
    : time_step_(time_step),
      law_fields_(chain.contacts.law_fields()),
      longest_row_(longest_row),
      gap_(end, longest_row, [&](std::size_t c) {
          return c <= chain.beads() ? chain.gap[c] : std::numeric_limits<double>::infinity();
      }) {
    const Source source(chain, time_step);
    chain::Numbering<EntryKey, EntryHash> numbers;
    std::vector<std::size_t> examples;  // one entry of each kind
    kind_.reserve(end);
    Run run{.begin = 0, .end = 1, .alike = true};
    for (std::size_t i = 0; i < end; ++i) {
        const auto [kind, is_new] = numbers(source.key(i));
        if (is_new) examples.push_back(i);
        if (i > 0) {
            const std::size_t before = kind_[i - 1];
            const bool alike = kind == before, follows = kind == before + 1;
            if (run.end - run.begin == 1) run.alike = alike;
            if (run.alike ? !alike : !follows) {
                add_run(run);
                run = alike || follows ? Run{i - 1, i, alike} : Run{i, i, true};
            }
        }
        run.end = i + 1;
        kind_.push_back(kind);
    }
    add_run(run);
    for (std::size_t k = 0; k < source.columns(); ++k) {
        simd::Column& column = kinds_.emplace_back(examples.size());
        for (std::size_t kind = 0; kind < examples.size(); ++kind)
            column[kind] = source(k, examples[kind]);
    }
}

void ParameterStore::add_run(const Run& run) {
    // Short runs help few rows.
    if (run.end - run.begin >= longest_row_ / 4) runs_.push_back(run);
}

const ParameterStore::Run* ParameterStore::run_of(std::size_t begin, std::size_t end) const {
    const auto after = std::ranges::upper_bound(runs_, begin, {}, &Run::begin);
    if (after == runs_.begin() || std::prev(after)->end < end) return nullptr;
    return &*std::prev(after);
}

void ParameterStore::spread(std::size_t begin, std::size_t end, ParameterBuffer& buffer) const {
    buffer.take(begin, end);
    kind_.as_stored([&](const auto* kinds) {
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            const double* const numbers = kinds_[k].data();
            double* const column = buffer.column(k, begin);
            for (std::size_t i = begin; i < end; ++i)
                column[i - begin] = numbers[kinds[i]];
        }
    });
}

void ParameterStore::balance(std::size_t bead, double net_force) {
    double& body_force = kinds_[law_fields_ + 1][kind_[bead]];
    if (std::abs(body_force + net_force) <= 1e-15 * std::abs(body_force)) body_force = -net_force;
}

Parameters ParameterStore::row(std::size_t begin, std::size_t end, ParameterBuffer& buffer) const {
    const Run* const run = run_of(begin, end);
    if (run == nullptr && !buffer.holds(begin, end)) spread(begin, end, buffer);
    Parameters p{};
    p.time_step = time_step_;
    p.uniform = run != nullptr && run->alike;
    const auto column = [&](std::size_t k) -> const double* {
        return run != nullptr ? kinds_[k].data() + kind_[begin] : buffer.column(k, begin);
    };
    for (std::size_t k = 0; k < law_fields_; ++k)
        p.law[k] = column(k);
    p.kick = column(law_fields_);
    p.body_force = column(law_fields_ + 1);
    p.gap = gap_.row(begin, end);
    return p;
}

}  // namespace beadwave::dynamics
