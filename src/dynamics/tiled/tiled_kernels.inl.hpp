// The functions of every law, for the current instruction set. Included like
// vector_number.inl.hpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

template <std::size_t... index>
Kernel kernel_of(std::size_t law, std::index_sequence<index...>) {
    Kernel kernel;
    const auto offer = [&]<std::size_t candidate>() {
        using Scalar = std::variant_alternative_t<candidate, laws::AnyLaw>;
        using Law = typename Scalar::template Rebind<Vector>;
        static_assert(laws::field_count<Law> <= most_fields);
        static_assert(laws::field_count<typename Law::Memory> <= most_fields);
        if (law == candidate)
            kernel = {&init_forces<Law>, &init_half_step<Law>, &advance_task<Law>, &scan<Law>,
                      &row_slopes<Law>};
    };
    (offer.template operator()<index>(), ...);
    return kernel;
}

template <class Function>
void apply(const double* x, double* y, std::size_t count, Function function) {
    for (std::size_t i = 0; i < count; i += lane_count)
        function(Vector::load(x + i)).store(y + i);
}

template <class Function>
void apply(const double* x, const double* y, double* z, std::size_t count, Function function) {
    for (std::size_t i = 0; i < count; i += lane_count)
        function(Vector::load(x + i), Vector::load(y + i)).store(z + i);
}

HWY_INLINE Vector one_where(Mask condition) {
    return select(condition, Vector(1.0), Vector());
}

/// All functions of this instruction set, under its name.
InstructionSet instruction_set(const char* name) {
    return {
        .name = name,
        .lanes = lane_count,
        .fused = HWY_TARGET != HWY_SSE4,
        .kernel =
            [](std::size_t law) {
                return kernel_of(law,
                                 std::make_index_sequence<std::variant_size_v<laws::AnyLaw>>{});
            },
        .functions = {
            .power_3_2 =
                [](auto x, auto y, auto n)
                    HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return power_3_2(v); }); },
            .sqrt = [](auto x, auto y, auto n)
                        HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return sqrt(v); }); },
            .log = [](auto x, auto y, auto n)
                       HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return log(v); }); },
            .cbrt = [](auto x, auto y, auto n)
                        HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return cbrt(v); }); },
            .exp = [](auto x, auto y, auto n)
                       HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return exp(v); }); },
            .pow_5_4 =
                [](auto x, auto y, auto n) HWY_ATTR {
                    apply(x, y, n, [](Vector v) HWY_ATTR { return pow(v, Vector(1.25)); });
                },
            .pow_2_3 =
                [](auto x, auto y, auto n) HWY_ATTR {
                    apply(x, y, n, [](Vector v) HWY_ATTR { return pow(v, Vector(2.0 / 3.0)); });
                },
        },
        .pair_functions = {
            .less =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n, [](Vector a, Vector b) HWY_ATTR { return one_where(a < b); });
                },
            .greater =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n, [](Vector a, Vector b) HWY_ATTR { return one_where(a > b); });
                },
            .less_equal =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n,
                          [](Vector a, Vector b) HWY_ATTR { return one_where(a <= b); });
                },
            .greater_equal =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n,
                          [](Vector a, Vector b) HWY_ATTR { return one_where(a >= b); });
                },
            .equal =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n,
                          [](Vector a, Vector b) HWY_ATTR { return one_where(a == b); });
                },
            .not_equal =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n,
                          [](Vector a, Vector b) HWY_ATTR { return one_where(a != b); });
                },
            .not_less =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n,
                          [](Vector a, Vector b) HWY_ATTR { return one_where(!(a < b)); });
                },
            .not_greater =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n,
                          [](Vector a, Vector b) HWY_ATTR { return one_where(!(a > b)); });
                },
            .max =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n, [](Vector a, Vector b) HWY_ATTR { return max(a, b); });
                },
            .min =
                [](auto x, auto y, auto z, auto n) HWY_ATTR {
                    apply(x, y, z, n, [](Vector a, Vector b) HWY_ATTR { return min(a, b); });
                },
        }};
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
