// One value per particle, in memory that follows what the values say: particles in a row with the
// same value share one, those of a crystal have a rule in its place, and all others are stored.
// Copies share what is stored until one of them is changed.
#pragma once

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// Reading is as for a vector of constant values. `column[i] = value` and column.back() of a column
/// that is not constant store the values around it, even if they only read.
template <class T>
class ParticleColumn {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    using value_type = T;
    /// The value of particle first, first + 1, ... of those that follow the rule: 0, 1, ...
    using Rule = std::function<T(std::size_t)>;

    /// A position in the column. Its values are copies.
    class Iterator {
      public:
        using iterator_concept = std::random_access_iterator_tag;
        using iterator_category = std::input_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using reference = T;
        using pointer = void;

        Iterator() = default;
        Iterator(const ParticleColumn* column, std::size_t at) : column_(column), at_(at) {}
        T operator*() const { return (*column_)[at_]; }
        T operator[](difference_type by) const { return *(*this + by); }
        Iterator& operator+=(difference_type by) {
            at_ += static_cast<std::size_t>(by);
            return *this;
        }
        Iterator& operator-=(difference_type by) { return *this += -by; }
        Iterator& operator++() { return *this += 1; }
        Iterator& operator--() { return *this += -1; }
        Iterator operator++(int) { return std::exchange(*this, *this + 1); }
        Iterator operator--(int) { return std::exchange(*this, *this - 1); }
        friend Iterator operator+(Iterator from, difference_type by) { return from += by; }
        friend Iterator operator+(difference_type by, Iterator from) { return from += by; }
        friend Iterator operator-(Iterator from, difference_type by) { return from -= by; }
        friend difference_type operator-(const Iterator& a, const Iterator& b) {
            return static_cast<difference_type>(a.at_) - static_cast<difference_type>(b.at_);
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
        friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ <=> b.at_; }

      private:
        const ParticleColumn* column_ = nullptr;
        std::size_t at_ = 0;
    };

    ParticleColumn() = default;
    ParticleColumn(const std::vector<T>& values) {
        for (const T& value : values)
            push_back(value);
    }
    ParticleColumn(std::initializer_list<T> values) : ParticleColumn(std::vector<T>(values)) {}

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size_}; }
    T operator[](std::size_t particle) const {
        const Part& part = parts_[particle / part_size];
        if (part.stored) return (*part.stored)[particle % part_size];
        return part.rule ? (*part.rule)(part.first + particle % part_size) : part.same;
    }
    T front() const { return (*this)[0]; }
    T back() const { return (*this)[size_ - 1]; }
    /// The end of a stretch of particles from this one on that are known to have its value.
    std::size_t alike_until(std::size_t particle) const {
        const Part& part = parts_[particle / part_size];
        if (part.stored || part.rule) return particle + 1;
        return std::min((particle / part_size + 1) * part_size, size_);
    }
    /// Calls visit(begin, end, value) for stretches of particles [begin, end) with one value, in
    /// their order.
    template <class Visit>
    void each_stretch(Visit visit) const {
        for (std::size_t begin = 0, end = 0; begin < size_; begin = end) {
            end = alike_until(begin);
            visit(begin, end, (*this)[begin]);
        }
    }
    /// Of at least one value.
    T smallest() const {
        T least = front();
        each_stretch(
            [&](std::size_t, std::size_t, const T& value) { least = std::min(least, value); });
        return least;
    }
    T largest() const { return largest(0, size_); }
    /// Of the particles [begin, end), of which there are some.
    T largest(std::size_t begin, std::size_t end) const {
        T most = (*this)[begin];
        for (std::size_t i = begin; i < end; i = alike_until(i))
            most = std::max(most, (*this)[i]);
        return most;
    }
    /// A copy of all, in memory of its own.
    std::vector<T> all() const {
        std::vector<T> values(size_);
        for (std::size_t i = 0; i < size_; ++i)
            values[i] = (*this)[i];
        return values;
    }
    operator std::vector<T>() const { return all(); }
    friend bool operator==(const ParticleColumn& a, const ParticleColumn& b) {
        bool same = a.size() == b.size();
        for (std::size_t i = 0; same && i < a.size(); ++i)
            same = a[i] == b[i];
        return same;
    }

    T& operator[](std::size_t particle) {
        return stored(particle / part_size)[particle % part_size];
    }
    T& back() { return (*this)[size_ - 1]; }
    void clear() { *this = {}; }
    void push_back(const T& value) {
        if (size_ % part_size == 0) {
            parts_.push_back({.same = value});
        } else if (const Part& last = parts_.back();
                   last.stored || std::memcmp(&last.same, &value, sizeof(T)) != 0) {
            stored(parts_.size() - 1).push_back(value);
        }
        ++size_;
    }
    void resize(std::size_t size, const T& value = {}) {
        if (size < size_) {
            std::vector<T> fewer = all();
            fewer.resize(size);
            *this = fewer;
        }
        append_alike(size - size_, value);
    }
    void append_alike(std::size_t count, const T& value) {
        for (const std::size_t end = size_ + count; size_ < end;) {
            if (size_ % part_size == 0 && end - size_ >= part_size) {
                parts_.push_back({.same = value});
                size_ += part_size;
            } else {
                push_back(value);
            }
        }
    }
    /// Adds `count` particles that follow the rule. Threads may call it.
    void append(std::size_t count, Rule rule) {
        const auto shared = std::make_shared<const Rule>(std::move(rule));
        for (std::size_t i = 0; i < count;) {
            if (size_ % part_size == 0 && count - i >= part_size) {
                parts_.push_back({.same = {}, .rule = shared, .first = i});
                size_ += part_size;
                i += part_size;
            } else {
                push_back((*shared)(i++));
            }
        }
    }

  private:
    static constexpr std::size_t part_size = 4096;
    /// Particles of the column, part_size of them or, in the last part, fewer.
    struct Part {
        T same{};                                  ///< without the others: of all
        std::shared_ptr<std::vector<T>> stored{};  ///< of each, if not null
        std::shared_ptr<const Rule> rule{};        ///< for all of a whole part
        std::size_t first = 0;                     ///< in the rule
    };

    /// The values of a part, stored and not shared with other columns.
    std::vector<T>& stored(std::size_t number) {
        Part& part = parts_[number];
        if (part.stored && part.stored.use_count() == 1) {
            std::atomic_thread_fence(std::memory_order_acquire);  // another may have copied it
            return *part.stored;
        }
        const std::size_t begin = number * part_size;
        const std::size_t count = std::min(part_size, size_ - begin);
        const ParticleColumn& self = *this;
        auto values = std::make_shared<std::vector<T>>(count);
        for (std::size_t i = 0; i < count; ++i)
            (*values)[i] = self[begin + i];
        part.stored = std::move(values);
        part.rule = nullptr;
        return *part.stored;
    }

    std::vector<Part> parts_;
    std::size_t size_ = 0;
};

}  // namespace beadwave::packing
