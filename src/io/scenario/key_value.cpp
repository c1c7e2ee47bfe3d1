#include "io/scenario/key_value.hpp"

#include "laws/triple.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace beadwave::io {
namespace {

using Vector = laws::Triple<double>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;

template <class To, class From>
std::optional<To> converted(const std::optional<From>& value) {
    return value ? std::optional<To>(static_cast<To>(*value)) : std::nullopt;
}

std::size_t axes_of(const Reading& reading) {
    return reading.dimension == 2 ? 2 : 3;
}

template <class T>
std::optional<T> value_of(const TomlTable& table, const Key& key, const Reading& reading) {
    if constexpr (std::same_as<T, double>) {
        return table.number(key);
    } else if constexpr (std::same_as<T, bool>) {
        return key.kind == Kind::word ? converted<T>(table.word(key)) : table.flag(key);
    } else if constexpr (std::integral<T>) {
        return converted<T>(table.whole(key));
    } else if constexpr (std::same_as<T, std::string>) {
        if (key.kind == Kind::material) return read_material_name(table, key, *reading.materials);
        return table.text(key);
    } else if constexpr (std::same_as<T, std::vector<std::int64_t>>) {
        return table.wholes(key);
    } else if constexpr (std::same_as<T, std::vector<std::array<double, 2>>>) {
        return table.points(key);
    } else if constexpr (std::same_as<T, Vector>) {
        const auto list = table.numbers(key, axes_of(reading), 3);
        if (!list) return {};
        return T{(*list)[0], (*list)[1], list->size() == 3 ? (*list)[2] : 0.0};
    } else {
        static_assert(is_array<T>);
        const auto list = [&] {
            constexpr std::size_t n = std::tuple_size_v<T>;
            if constexpr (std::same_as<typename T::value_type, bool>)
                return table.flags(key, axes_of(reading), n);
            else
                return table.numbers(key, n, n);
        }();
        if (!list) return {};
        T array{};
        std::ranges::copy(*list, array.begin());
        return array;
    }
}

template <class T>
void read(const TomlTable& table, const Key& key, void* member, const Reading& reading) {
    using Value = typename std::conditional_t<is_optional<T>, T, std::optional<T>>::value_type;
    std::optional<Value> value = value_of<Value>(table, key, reading);
    if (key.required) value = table.need(std::move(value), key);
    if (value) *static_cast<T*>(member) = *std::move(value);
}

std::string word_in_quotes(const Key& key, std::size_t index) {
    return fmt::format("\"{}\"", key.words[index]);
}

template <class T>
std::string text_of(const Key& key, const T& value) {
    if constexpr (is_optional<T>) {
        return value ? text_of(key, *value) : "";
    } else if constexpr (std::same_as<T, bool>) {
        if (key.kind == Kind::word) return word_in_quotes(key, value ? 1 : 0);
        return value ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<T>) {
        return fmt::format("{}", value);
    } else {
        return std::same_as<T, Vector> ? "0" : "";
    }
}

template <class T>
std::string standard(const Key& key, const void* member) {
    return text_of(key, *static_cast<const T*>(member));
}

/// An enum has the bytes of its integer.
template <class Integer>
void read_word(const TomlTable& table, const Key& key, void* member, const Reading&) {
    std::optional<std::size_t> word = table.word(key);
    if (key.required) word = table.need(word, key);
    if (!word) return;
    const auto value = static_cast<Integer>(*word);
    std::memcpy(member, &value, sizeof value);
}

template <class Integer>
std::string standard_word(const Key& key, const void* member) {
    Integer value{};
    std::memcpy(&value, member, sizeof value);
    return word_in_quotes(key, static_cast<std::size_t>(value));
}

}  // namespace

template <class T>
const MemberType& listed_type() {
    static constexpr MemberType type{&read<T>, &standard<T>};
    return type;
}

template const MemberType& listed_type<bool>();
template const MemberType& listed_type<double>();
template const MemberType& listed_type<int>();
template const MemberType& listed_type<std::int64_t>();
template const MemberType& listed_type<std::uint64_t>();
template const MemberType& listed_type<std::string>();
template const MemberType& listed_type<Vector>();
template const MemberType& listed_type<std::array<double, 2>>();
template const MemberType& listed_type<std::array<bool, 3>>();
template const MemberType& listed_type<std::vector<std::int64_t>>();
template const MemberType& listed_type<std::vector<std::array<double, 2>>>();
template const MemberType& listed_type<std::optional<double>>();
template const MemberType& listed_type<std::optional<std::int64_t>>();
template const MemberType& listed_type<std::optional<std::string>>();
template const MemberType& listed_type<std::optional<Vector>>();
template const MemberType& listed_type<std::optional<std::array<double, 2>>>();

const MemberType& word_type(std::size_t bytes) {
    static constexpr MemberType small{&read_word<std::uint8_t>, &standard_word<std::uint8_t>};
    static constexpr MemberType usual{&read_word<std::uint32_t>, &standard_word<std::uint32_t>};
    return bytes == 1 ? small : usual;
}

}  // namespace beadwave::io
