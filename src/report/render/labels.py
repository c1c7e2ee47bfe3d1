"""Text, colour bar, scale bar and directions of the axes on a picture (Pillow)."""
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .. import style
from . import colours

TEXT = (34, 34, 34)
PART_OF_HEIGHT = 0.028  # of the font
LEAST_FONT = 9
MOST_TIMES = 300  # that a clock tells apart


def font_size(width, height):
    return max(LEAST_FONT, round(PART_OF_HEIGHT * min(height, 0.75 * width)))


@lru_cache(maxsize=8)
def font_of(size):
    """matplotlib brings this font, so that every machine has the same."""
    import matplotlib
    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"), size)


class Labels:
    """Draws onto an image of Pillow. Sizes follow from `size`, that of the font in pixels."""

    def __init__(self, image, size):
        self.image, self.size, self.font = image, size, font_of(size)
        self.draw = ImageDraw.Draw(image)

    def text(self, x, y, text, anchor="la", fill=TEXT):
        self.draw.text((x, y), text, font=self.font, fill=fill, anchor=anchor, stroke_width=max(1, round(self.size / 9)), stroke_fill="white")

    def line(self, points, fill=TEXT, width=None):
        self.draw.line([tuple(point) for point in points], fill=fill, width=width or max(1, round(self.size / 10)), joint="curve")

    def colour_bar(self, left, top, bottom, scale, name, unit):
        """A bar with its name above it, and its marks to the right."""
        width = round(0.9 * self.size)
        place = np.linspace(1.0, 0.0, max(2, int(bottom - top)))
        strip = colours.table(scale.signed)[np.round(255 * place).astype(int)]
        strip = np.repeat((255 * strip[:, None, :]).round().astype(np.uint8), width, axis=1)
        self.image.paste(Image.fromarray(strip), (int(left), int(top)))
        self.draw.rectangle([left, top, left + width, top + len(place)], outline=TEXT)
        factor, unit = style.scale_of(max(abs(scale.low), abs(scale.high)), unit) if unit else (1.0, "")
        for row, word in enumerate([*([f"({unit})"] if unit else []), *reversed(name.split())]):
            self.text(left, top - (0.7 + 1.3 * row) * self.size, word, "ls")
        for number, at in scale.marks(max(colours.LEAST_GAP, 1.4 * self.size / max(1.0, bottom - top))):
            y = bottom - at * (bottom - top)
            self.line([(left + width, y), (left + width + 0.3 * self.size, y)])
            self.text(left + width + 0.5 * self.size, y, f"{number * factor:.4g}".replace("-", "\u2212"), "lm")

    def scale_bar(self, left, bottom, pixels_per_metre, longest):
        """A bar of a round length [m] of at most `longest` pixels, with the length above it."""
        most = longest / pixels_per_metre
        power = 10.0 ** np.floor(np.log10(most))
        length = next(factor * power for factor in (5.0, 2.0, 1.0) if factor * power <= most * (1.0 + 1e-9))
        end = left + length * pixels_per_metre
        tick = 0.25 * self.size
        self.line([(left, bottom), (end, bottom)], width=max(2, round(self.size / 8)))
        for x in (left, end):
            self.line([(x, bottom - tick), (x, bottom + tick)], width=max(2, round(self.size / 8)))
        self.text(0.5 * (left + end), bottom - 0.5 * self.size, style.with_prefix(length, "m"), "ms")

    def axes(self, left, bottom, rows):
        """The directions of x, y and z. `left`, `bottom`: of their square."""
        length = 1.5 * self.size
        origin = np.array([left + length, bottom - length])
        for name, direction in zip("xyz", rows[:2].T):
            shown = np.linalg.norm(direction)
            if shown > 0.05:
                along = direction * [1.0, -1.0]
                self.line([origin, origin + length * along])
                self.text(*(origin + (length + (0.55 + 0.35 / shown) * self.size) * along), name, "mm")


def clock(times):
    """A function from a time [s] to its text, with one unit and as many digits as the times need to differ, or a film of them."""
    last = float(np.max(np.abs(times), initial=0.0))
    factor, unit = style.scale_of(3.0 * last, "s")
    steps = np.diff(np.unique(np.asarray(times, float)))
    least = factor * max(float(steps.min()), last / MOST_TIMES) if len(steps) else 1.0
    digits = int(np.clip(np.ceil(-np.log10(least) - 1e-6) if least > 0.0 else 0, 0, 6))
    return lambda time: f"t = {time * factor:.{digits}f} {unit}"
