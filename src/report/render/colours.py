"""Colours of numbers, those of browser/colours.js, and their marks on a colour bar."""
import numpy as np

VIRIDIS = ("440154", "482475", "414487", "355f8d", "2a788e", "21918c", "22a884", "44bf70", "7ad151", "bddf26", "fde725")
BLUE_RED = ("2166ac", "4393c3", "92c5de", "d0d0d0", "f4a582", "d6604d", "b2182b")
BODIES = ("56b4e9", "e69f00", "009e73", "cc79a7", "d55e00", "0072b2", "b8a800")
LEAST_GAP = 0.12  # of two marks, as a part of the colour bar


def rgb(text):
    """Red, green, blue from 0 to 1 of "2166ac"."""
    return np.array([int(text[k:k + 2], 16) for k in (0, 2, 4)]) / 255.0


def table(signed):
    """256 colours [256, 3] from 0 to 1."""
    palette = np.array([rgb(text) for text in (BLUE_RED if signed else VIRIDIS)])
    at = np.linspace(0.0, len(palette) - 1.0, 256)
    return np.stack([np.interp(at, np.arange(len(palette)), palette[:, k]) for k in range(3)], axis=1).astype(np.float32)


class Scale:
    """From values to places 0 to 1 on the colour bar: linear, or by the square root, with the sign kept."""

    def __init__(self, low, high, linear, signed=False):
        self.low, self.high, self.linear, self.signed = float(low), float(high), linear, signed

    def places(self, values):
        values = np.nan_to_num(np.asarray(values, float))
        span = self.high - self.low
        if self.signed:  # zero is in the middle
            size = np.clip(np.abs(values) / (self.high or 1.0), 0.0, 1.0)
            return 0.5 + 0.5 * np.sign(values) * (size if self.linear else np.sqrt(size))
        share = np.clip((values - self.low) / (span if span > 0.0 else 1.0), 0.0, 1.0)
        return share if self.linear else np.sqrt(share)

    def marks(self, gap=LEAST_GAP):
        """Round numbers of the scale, and their places, at least `gap` of the bar apart."""
        top = max(abs(self.low), abs(self.high))
        if top == 0.0:
            return [(0.0, 0.0)]
        if self.linear or (self.low < 0.0 and not self.signed):
            numbers = _even(-self.high if self.signed else self.low, self.high)
        else:
            powers = 10.0 ** np.arange(np.floor(np.log10(top)) - 4.0, np.floor(np.log10(top)) + 1.0)
            numbers = np.concatenate([[0.0], np.outer(powers, (1.0, 2.0, 5.0)).ravel()])
            numbers = numbers[(numbers >= self.low) & (numbers <= self.high * (1.0 + 1e-9))]
            numbers = np.unique(np.concatenate([-numbers, numbers])) if self.signed else numbers
        kept = []
        for number in sorted(numbers, key=lambda each: (each != 0.0, -abs(each))):
            place = float(self.places(number))
            if all(abs(place - other) > gap * (1.0 - 1e-9) for _, other in kept):
                kept.append((float(number), place))
        return sorted(kept)


def _even(low, high):
    rough = (high - low) / 5.0
    if not rough > 0.0:
        return np.array([low])
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= rough * (1.0 - 1e-9))
    return step * np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1.0) + 0.0  # no -0
