// The value of a key as the type of the member that it sets, and the default that the member has.
#pragma once

#include "io/scenario/reading.hpp"
#include "io/toml/toml_table.hpp"

#include <cstddef>
#include <string>
#include <type_traits>

namespace beadwave::io {

/// How members of one type are read and shown. They are known by their address, so tables need no
/// code of their own for each type.
struct MemberType {
    /// Sets the member if the key is given; throws if it must be.
    void (*read)(const TomlTable&, const Key&, void* member, const Reading&);
    /// The value as TOML; empty if it means that there is none.
    std::string (*standard)(const Key&, const void* member);
};

/// key_value.cpp lists the types.
template <class T>
const MemberType& listed_type();
/// The type of any enum of this size. Its values have the order of the key's words.
const MemberType& word_type(std::size_t bytes);

template <class T>
const MemberType& member_type() {
    if constexpr (std::is_enum_v<T>) {
        return word_type(sizeof(T));
    } else {
        return listed_type<T>();
    }
}

/// Sets the member if the key is given; throws if it must be.
template <class T>
void read_value(const TomlTable& table, const Key& key, T& member, const Reading& reading) {
    member_type<T>().read(table, key, &member, reading);
}

}  // namespace beadwave::io
