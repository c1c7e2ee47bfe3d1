"""One collision d'' = -F(d, d') of unit mass, by Dormand and Prince's fifth-order method."""
from types import SimpleNamespace

# Weights of the stages; the last row is the fifth-order result.
A = ((1 / 5,),
     (3 / 40, 9 / 40),
     (44 / 45, -56 / 15, 32 / 9),
     (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
     (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
     (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84))
E = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


def advance(force, d, v, h):
    """The state after the time h, and the error of this step."""
    slopes = [(v, -force(d, v))]
    for row in A:
        x = d + h * sum(a * s[0] for a, s in zip(row, slopes))
        y = v + h * sum(a * s[1] for a, s in zip(row, slopes))
        slopes.append((y, -force(x, y)))
    off = [h * sum(e * s[i] for e, s in zip(E, slopes)) for i in (0, 1)]
    return x, y, off


def crossing(force, d, v, h, signal):
    """The part of a step after which `signal` falls to 0, by the Illinois method."""
    low, high, at_low, at_high = 0.0, h, signal(d, v), signal(*advance(force, d, v, h)[:2])
    side = 0
    for _ in range(60):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = signal(*advance(force, d, v, middle)[:2])
        if abs(value) < 1e-15 or high - low < 1e-15 * h:
            return middle
        if value > 0.0:
            low, at_low = middle, value
            if side > 0:
                at_high *= 0.5
            side = 1
        else:
            high, at_high = middle, value
            if side < 0:
                at_low *= 0.5
            side = -1
    return middle


def largest_force(force, d, v, h):
    """The largest force within a step, by golden section."""
    ratio, low, high = 0.6180339887498949, 0.0, h
    at = lambda part: force(*advance(force, d, v, part)[:2])  # noqa: E731
    for _ in range(40):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        if at(a) > at(b):
            high = b
        else:
            low = a
    return at(0.5 * (low + high))


def collide(force, speed=1.0, ends="gap", tolerance=1e-10, scale=1.0, wants_force=False):
    """From the first contact at `speed` to zero overlap ("gap") or zero force ("force"). `scale`: a typical overlap.

    The mass is 1: `force` is divided by it.
    """
    d, v, t, h = 0.0, speed, 0.0, 1e-3 * scale / speed
    found, steps = SimpleNamespace(max_overlap=0.0, max_force=0.0), []
    end = (lambda x, y: x) if ends == "gap" else (lambda x, y: force(x, y))
    while t < 100.0 * scale / speed:
        x, y, off = advance(force, d, v, h)
        error = max(abs(off[0]) / scale, abs(off[1]) / speed) / tolerance
        if error > 1.0:
            h *= max(0.2, 0.9 * error ** -0.2)
            continue
        if v > 0.0 and y <= 0.0:
            turn = crossing(force, d, v, h, lambda _, y: y)
            found.max_overlap = advance(force, d, v, turn)[0]
        over = v < 0.0 and (x <= 0.0 or end(x, y) <= 0.0)
        part = crossing(force, d, v, h, end) if over else h
        if wants_force:
            steps.append((force(d, v), d, v, part))
        if over:
            x, y, _ = advance(force, d, v, part)
            found.restitution, found.duration = -y / speed, t + part
            if wants_force:
                top = max(range(len(steps)), key=lambda k: steps[k][0])
                found.max_force = max(largest_force(force, *step[1:]) for step in steps[max(top - 1, 0):top + 1])
            return found
        d, v, t = x, y, t + h
        h *= min(5.0, max(0.2, 0.9 * max(error, 1e-10) ** -0.2))
    found.restitution = 0.0  # creeps: overdamped
    return found
