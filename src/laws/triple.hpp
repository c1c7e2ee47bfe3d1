// Three components of a vector in space, over numbers or lanes of numbers.
#pragma once

namespace beadwave::laws {

template <class T>
struct Triple {
    T x, y, z;

    friend Triple operator+(Triple a, Triple b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Triple operator-(Triple a, Triple b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Triple operator-(Triple a) { return {-a.x, -a.y, -a.z}; }
    friend Triple operator*(T s, Triple a) { return {s * a.x, s * a.y, s * a.z}; }
    friend Triple operator*(Triple a, T s) { return {s * a.x, s * a.y, s * a.z}; }
    Triple& operator+=(Triple b) { return *this = *this + b; }
    Triple& operator-=(Triple b) { return *this = *this - b; }
    bool operator==(const Triple&) const = default;
};

template <class T>
T dot(Triple<T> a, Triple<T> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
Triple<T> cross(Triple<T> a, Triple<T> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace beadwave::laws
