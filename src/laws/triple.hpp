// Three components of a vector in space, over numbers or lanes of numbers.
//
// Operators are function templates, not friends: GCC 12 compiles friends defined in a class
// template for another instruction set than the current one.
#pragma once

#include <concepts>

namespace beadwave::laws {

template <class T>
struct Triple {
    T x, y, z;

    bool operator==(const Triple&) const requires std::same_as<T, double>
    = default;
};

template <class T>
inline Triple<T> operator+(const Triple<T>& a, const Triple<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
inline Triple<T> operator-(const Triple<T>& a, const Triple<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
inline Triple<T> operator-(const Triple<T>& a) {
    return {-a.x, -a.y, -a.z};
}
template <class T, std::convertible_to<T> S>
inline Triple<T> operator*(const S& s, const Triple<T>& a) {
    const T t(s);
    return {t * a.x, t * a.y, t * a.z};
}
template <class T, std::convertible_to<T> S>
inline Triple<T> operator*(const Triple<T>& a, const S& s) {
    const T t(s);
    return {a.x * t, a.y * t, a.z * t};
}
template <class T>
inline Triple<T>& operator+=(Triple<T>& a, const Triple<T>& b) {
    return a = a + b;
}
template <class T>
inline Triple<T>& operator-=(Triple<T>& a, const Triple<T>& b) {
    return a = a - b;
}

/// a + s b.
template <class T>
inline Triple<T> plus(const Triple<T>& a, const T& s, const Triple<T>& b) {
    return {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

template <class T>
inline T dot(const Triple<T>& a, const Triple<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
inline Triple<T> cross(const Triple<T>& a, const Triple<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace beadwave::laws
