// Elastic loading of laws whose contacts remember their largest overlap, for code that steps
// several chains at once: until such a contact yields, it is on the path along which it will
// unload, and only its largest overlap changes.
#pragma once

#include "beadwave/laws/ma_liu.hpp"

namespace beadwave::laws {

template <class Law>
struct ElasticPhase {
    static constexpr bool known = false;
};

template <class T>
struct ElasticPhase<MaLiu<T>> {
    static constexpr bool known = true;
    static auto ended(const MaLiu<T>& law, T overlap) { return overlap >= law.overlap_yield; }
    /// The memory after loading to this overlap.
    static typename MaLiu<T>::Memory turn(const MaLiu<T>& law, T overlap) {
        return {overlap, T(0.0), law.stiffness};
    }
};

}  // namespace beadwave::laws
