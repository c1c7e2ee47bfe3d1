// The law of a row for what speed does not depend on: one function per type of law, which the
// others call. Included by vector_code.cpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// The parameters of a row as the functions below take them: in a uniform row every pointer except
/// `gap` points to a whole vector of the one number.
class SpreadParameters {
  public:
    SpreadParameters(const Parameters& p, std::size_t law_fields) : spread_(p) {
        if (!p.uniform) return;
        const auto spread = [&](std::size_t k, const double* number) HWY_ATTR {
            Vector(*number).store(numbers_[k]);
            return static_cast<const double*>(numbers_[k]);
        };
        for (std::size_t k = 0; k < law_fields; ++k)
            spread_.law[k] = spread(k, p.law[k]);
        spread_.kick = spread(law_fields, p.kick);
        spread_.body_force = spread(law_fields + 1, p.body_force);
    }
    SpreadParameters(const SpreadParameters&) = delete;
    SpreadParameters& operator=(const SpreadParameters&) = delete;
    operator const Parameters&() const { return spread_; }

  private:
    Parameters spread_;
    alignas(64) double numbers_[simd::most_fields + 2][lane_count];
};

/// Where spread parameters of block i are.
HWY_INLINE std::size_t place_of(const Parameters& p, std::size_t i) {
    return p.uniform ? 0 : i;
}

/// One type of law. All parameters are spread.
struct LawCode {
    /// Force of the contacts of block i, which have the memory `before`. Their next memory goes to
    /// entry `at` of the columns `next`; null: it is not needed.
    Vector (*respond)(const Parameters&, std::size_t i, Vector overlap, Vector approach_speed,
                      const double* const* before, double* const* next, std::size_t at);
    /// range() and touches() of a law with adhesion, the second one as zero or one; null for other
    /// laws.
    Vector (*range)(const Parameters&, std::size_t i);
    Vector (*touches)(const Parameters&, std::size_t i, Vector overlap,
                      const double* const* memory);
    std::size_t fields, memory_fields;
    bool conservative, uses_speed;
};

/// The law of the contacts of block i.
template <class Law>
HWY_INLINE Law law_at(const Parameters& p, std::size_t i) {
    return load_record<Law>(p.law, place_of(p, i));
}

template <class Law>
HWY_NOINLINE HWY_FLATTEN Vector respond_at(const Parameters& p, std::size_t i, Vector overlap,
                                           Vector approach_speed, const double* const* before,
                                           double* const* next, std::size_t at) {
    const auto [force, memory] = law_at<Law>(p, i).respond(
        overlap, approach_speed, load_record<typename Law::Memory>(before, i));
    if (next != nullptr) store_record(memory, next, at);
    return force;
}

template <laws::AdhesiveLaw Law>
HWY_FLATTEN Vector range_at(const Parameters& p, std::size_t i) {
    return law_at<Law>(p, i).range();
}

template <laws::AdhesiveLaw Law>
HWY_FLATTEN Vector touches_at(const Parameters& p, std::size_t i, Vector overlap,
                              const double* const* memory) {
    return select(law_at<Law>(p, i).touches(overlap, load_record<typename Law::Memory>(memory, i)),
                  Vector(1.0), Vector(0.0));
}

template <class Law>
constexpr LawCode code_of() {
    LawCode code{.respond = &respond_at<Law>,
                 .range = nullptr,
                 .touches = nullptr,
                 .fields = laws::field_count<Law>,
                 .memory_fields = laws::field_count<typename Law::Memory>,
                 .conservative = Law::conservative,
                 .uses_speed = uses_speed<Law>};
    if constexpr (laws::AdhesiveLaw<Law>) {
        code.range = &range_at<Law>;
        code.touches = &touches_at<Law>;
    }
    return code;
}

/// The law of a block as a value, for the functions on laws (laws/slopes.hpp). Its memory is that
/// of the contacts.
class LawOfBlock {
  public:
    struct Memory {};

    HWY_INLINE LawOfBlock(const LawCode& code, const Parameters& p, const State& s, std::size_t i)
        : code_(code), p_(p), s_(s), i_(i) {}
    HWY_INLINE laws::Response<Vector, Memory> respond(Vector overlap, Vector approach_speed,
                                                      Memory memory) const {
        return {code_.respond(p_, i_, overlap, approach_speed, s_.memory, nullptr, 0), memory};
    }
    HWY_INLINE Vector range() const { return code_.range(p_, i_); }
    HWY_INLINE Mask touches(Vector overlap, Memory) const {
        return code_.touches(p_, i_, overlap, s_.memory) > Vector(0.0);
    }

  private:
    const LawCode& code_;
    const Parameters& p_;
    const State& s_;
    std::size_t i_;
};

/// Spread parameters of the beads.
struct AnyBeads {
    HWY_INLINE explicit AnyBeads(const Parameters& p) : p_(p) {}
    HWY_INLINE Vector kick(std::size_t i) const { return Vector::load(p_.kick + place_of(p_, i)); }
    HWY_INLINE Vector body_force(std::size_t i) const {
        return Vector::load(p_.body_force + place_of(p_, i));
    }
    HWY_INLINE Vector velocity_change(std::size_t i, Vector net) const {
        return (net + body_force(i)) * kick(i);
    }

  private:
    const Parameters& p_;
};

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
