// The value of a key as the type of the member that it sets, and the default that the member has.
#pragma once

#include "io/scenario/reading.hpp"
#include "io/toml/toml_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace beadwave::io {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
concept HasXY = requires(T v) {
    v.x = v.y;
};
template <class T>
concept HasXYZ = HasXY<T> && requires(T v) {
    v.x = v.z;
};

template <class To, class From>
std::optional<To> converted(const std::optional<From>& value) {
    return value ? std::optional<To>(static_cast<To>(*value)) : std::nullopt;
}

template <class T>
std::optional<T> value_of(const TomlTable& table, const Key& key, const Reading& reading) {
    const std::size_t axes = reading.dimension == 2 ? 2 : 3;
    if constexpr (std::same_as<T, double>) {
        return table.number(key);
    } else if constexpr (std::same_as<T, bool> || std::is_enum_v<T>) {
        if (key.kind == Kind::word) return converted<T>(table.word(key));
        if constexpr (std::same_as<T, bool>) return table.flag(key);
        return {};
    } else if constexpr (std::integral<T>) {
        return converted<T>(table.whole(key));
    } else if constexpr (std::same_as<T, std::string>) {
        if (key.kind == Kind::material) return read_material_name(table, key, *reading.materials);
        return table.text(key);
    } else if constexpr (std::same_as<T, std::vector<std::int64_t>>) {
        return table.wholes(key);
    } else if constexpr (std::same_as<T, std::vector<std::array<double, 2>>>) {
        return table.points(key);
    } else if constexpr (HasXYZ<T>) {
        const auto list = table.numbers(key, axes, 3);
        if (!list) return {};
        return T{(*list)[0], (*list)[1], list->size() == 3 ? (*list)[2] : 0.0};
    } else if constexpr (HasXY<T>) {
        const auto list = table.numbers(key, 2, 2);
        return list ? std::optional(T{(*list)[0], (*list)[1]}) : std::nullopt;
    } else {  // an array
        const auto list = [&] {
            constexpr std::size_t n = std::tuple_size_v<T>;
            using Element = typename T::value_type;
            if constexpr (std::same_as<Element, bool>) return table.flags(key, axes, n);
            if constexpr (std::same_as<Element, double>) return table.numbers(key, n, n);
            if constexpr (std::same_as<Element, std::string>) return table.texts(key, n, n);
        }();
        if (!list) return {};
        T array{};
        std::ranges::copy(*list, array.begin());
        return array;
    }
}

/// Sets the member if the key is given; throws if it must be.
template <class T>
void read_value(const TomlTable& table, const Key& key, T& member, const Reading& reading) {
    using Value = typename std::conditional_t<is_optional<T>, T, std::optional<T>>::value_type;
    std::optional<Value> value = value_of<Value>(table, key, reading);
    if (key.required) value = table.need(std::move(value), key);
    if (value) member = *std::move(value);
}

/// The value as TOML; empty if it means that there is none.
template <class T>
std::string standard_of(const Key& key, const T& value) {
    if constexpr (is_optional<T>) {
        return value ? standard_of(key, *value) : "";
    } else if constexpr (std::same_as<T, bool> || std::is_enum_v<T>) {
        const auto index = static_cast<std::size_t>(value);
        if (key.kind == Kind::word) return fmt::format("\"{}\"", key.words[index]);
        return index == 1 ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<T>) {
        return fmt::format("{}", value);
    } else {
        return HasXY<T> ? "0" : "";
    }
}

}  // namespace beadwave::io
