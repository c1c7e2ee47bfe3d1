"""The zero of a function between two points."""


def root(f, low, high, digits=1e-12):
    """By Chandrupatla's mixture of halving and inverse quadratic steps; f(low) and f(high) differ in sign."""
    a, b, at_a, at_b = low, high, f(low), f(high)
    if at_a * at_b > 0.0:
        raise ValueError("no sign change")
    c, at_c, part = a, at_a, 0.5
    for _ in range(200):
        x = a + part * (b - a)
        value = f(x)
        if value == 0.0:
            return x
        if (value > 0.0) == (at_a > 0.0):
            c, at_c = a, at_a
        else:
            c, b, at_c, at_b = b, a, at_b, at_a
        a, at_a = x, value
        best = a if abs(at_a) < abs(at_b) else b
        room = digits * abs(best) / abs(b - a)
        if room > 0.5:
            return best
        xi, phi = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
        if phi ** 2 < xi and (1.0 - phi) ** 2 < 1.0 - xi:
            part = (at_a / (at_b - at_a) * at_c / (at_b - at_c)
                    + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b))
        else:
            part = 0.5
        part = min(1.0 - room, max(room, part))
    return best
