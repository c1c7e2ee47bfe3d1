// The unloading path that several elastoplastic laws share. A contact that does not load needs
// nothing else of its law, so code that steps contacts is compiled once for all of these laws.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"

#include <concepts>
#include <tuple>

namespace beadwave::laws {

/// The path of an Elastoplastic law whose shape of unloading needs no parameter of the law.
template <class Shape, class T>
struct UnloadingPath {
    template <class U>
    using Rebind = UnloadingPath<Shape, U>;
    static constexpr bool conservative = false;

    /// The memory has the members of Elastoplastic::PathMemory.
    struct Memory {
        T largest_overlap, residual_overlap, unloading_stiffness;

        static constexpr auto fields() {
            return std::make_tuple(&Memory::largest_overlap, &Memory::residual_overlap,
                                   &Memory::unloading_stiffness);
        }
    };
    static constexpr auto fields() { return std::tuple<>(); }

    T unloading_force(T overlap, Memory memory) const {
        return memory.unloading_stiffness *
               Shape::force(*this, overlap, memory.largest_overlap, memory.residual_overlap);
    }
};

template <class Law>
struct SharedPath {
    using Type = Law;
};
template <template <class> class Curve, class T>
requires std::same_as<typename Curve<T>::Unloading, HertzUnloading> ||
    std::same_as<typename Curve<T>::Unloading, LinearUnloading>
struct SharedPath<Elastoplastic<Curve, T>> {
    using Type = UnloadingPath<typename Curve<T>::Unloading, T>;
};

/// The type that steps a contact of the law while it does not load: the path that it shares,
/// otherwise the law itself.
template <class Law>
using PathOf = typename SharedPath<Law>::Type;

}  // namespace beadwave::laws
