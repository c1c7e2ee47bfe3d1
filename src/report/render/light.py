"""Light on the surfaces of a depth buffer: from the upper left as browser/raster.js, a soft sky, and dark where neighbours are close
(ambient occlusion in the picture, after the mean curvature of the depths)."""
import numpy as np

LIGHT = np.array([-0.4, -0.5, 0.77], np.float32) / np.float32(np.linalg.norm([-0.4, -0.5, 0.77]))  # right, down, towards the eye
HALF = ((LIGHT + [0.0, 0.0, 1.0]) / np.linalg.norm(LIGHT + [0.0, 0.0, 1.0])).astype(np.float32)  # between light and eye
AMBIENT, DIRECT, SHINE = 0.42, 0.62, 0.14
OCCLUSION = 0.75
RINGS = (0.5, 1.1, 2.0)  # distances of the neighbours, in radii
DIRECTIONS = ((1.0, 0.0), (0.0, 1.0), (0.707, 0.707), (0.707, -0.707))


def shaded(colour, normal, open_):
    """Colours [3, n] of surfaces under the light. `normal`: [3, n]; `open_`: [n], 1 without neighbours."""
    direct, shine = (np.maximum(x * normal[0] + y * normal[1] + z * normal[2], 0.0) for x, y, z in (LIGHT, HALF))
    shine *= shine
    shine *= shine
    shine *= shine
    shine *= shine * shine  # to the 24th power
    light = open_ * (AMBIENT + 0.6 * DIRECT * direct) + (0.4 * DIRECT) * direct
    return np.minimum(colour * light + SHINE * shine * open_, 1.0)


def openness(depth, radius):
    """For each pixel of `depth` [height, width] how open it is, 0 to 1. `radius`: of the typical body, in pixels."""
    height, width = depth.shape
    radius = float(np.clip(radius, 2.0, 0.05 * max(height, width) + 2.0))
    dark, count = np.zeros_like(depth), 0
    for ring in RINGS:
        for direction in DIRECTIONS:
            right, down = (int(round(ring * radius * d)) for d in direction)
            if (right, down) == (0, 0) or abs(down) >= height or abs(right) >= width:
                continue
            distance = np.float32(np.hypot(right, down))
            rise = _clipped(_shifted(depth, right, down) - depth, distance)
            rise += _clipped(_shifted(depth, -right, -down) - depth, distance)
            dark += np.maximum(rise, 0.0) / (2.0 * distance)
            count += 1
    return 1.0 - OCCLUSION * np.minimum(2.0 * dark / max(count, 1), 1.0)


def _clipped(values, limit):
    np.minimum(values, limit, out=values)
    return np.maximum(values, -limit, out=values)


def _shifted(depth, right, down):
    """The depth so many pixels to the right and down; beyond the picture that at its edge."""
    height, width = depth.shape
    moved = np.empty_like(depth)
    up, left = max(-down, 0), max(-right, 0)
    below, beside = max(down, 0), max(right, 0)
    moved[up:height - below, left:width - beside] = depth[below:height - up, beside:width - left]
    moved[:up], moved[height - below:] = moved[up], moved[height - below - 1]
    moved[:, :left], moved[:, width - beside:] = moved[:, left, None], moved[:, width - beside - 1, None]
    return moved
