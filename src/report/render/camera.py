"""From metres to pixels, orthographic, as browser/view.js: azimuth and elevation turn the picture, zoom enlarges it."""
import numpy as np

# Azimuth and elevation [degrees]. "page" is how the page starts.
VIEWS = {"page": (np.degrees(-0.6), np.degrees(0.35)), "front": (0.0, 0.0), "right": (90.0, 0.0), "back": (180.0, 0.0), "left": (-90.0, 0.0),
         "top": (0.0, 90.0), "bottom": (0.0, -90.0), "isometric": (-45.0, np.degrees(np.arctan(np.sqrt(0.5))))}
PART = 0.94  # of the picture's free part that the packing fills


def rotation(azimuth, elevation):
    """Rows: to the right, up, towards the eye. Angles in degrees."""
    a, b = np.radians([azimuth, elevation])
    c, s, e, f = np.cos(a), np.sin(a), np.cos(b), np.sin(b)
    return np.array([[c, s, 0.0], [-s * f, c * f, e], [s * e, -c * e, f]])


class Camera:
    """`rows`: of the rotation. `scale`: pixels per metre. `middle`: pixel (right, down) where `centre` [m], along the rows, lies."""

    def __init__(self, rows, scale, centre, middle):
        self.rows, self.scale, self.centre, self.middle = np.asarray(rows, float), float(scale), np.asarray(centre, float), np.asarray(middle, float)

    @classmethod
    def fitted(cls, rows, low, high, frame, zoom=1.0):
        """`low`, `high`: corners [m] of what is seen, along the rows. `frame`: left, top, right and bottom [pixels] of the free part."""
        low, high = np.asarray(low, float), np.asarray(high, float)
        left, top, right, bottom = frame
        size = np.maximum((high - low)[:2], 1e-300)
        scale = zoom * PART * min((right - left) / size[0], (bottom - top) / size[1])
        return cls(rows, scale, 0.5 * (low + high), (0.5 * (left + right), 0.5 * (top + bottom)))

    def seen(self, points):
        """Pixels of points [..., 3] in metres: right, down, towards the eye."""
        turned = np.asarray(points, float) @ self.rows.T - self.centre
        return np.stack([self.middle[0] + self.scale * turned[..., 0], self.middle[1] - self.scale * turned[..., 1],
                         self.scale * turned[..., 2]], axis=-1)

    def to_view(self):
        """Rows that turn vectors of space into the directions of seen()."""
        return self.rows * np.array([[1.0], [-1.0], [1.0]])
