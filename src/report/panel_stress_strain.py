"""Stress over strain of a packing that is measured while its box, or the walls around it, move."""
import numpy as np

from . import style
from .panels import Place

NAME, TITLE, PLACES = "stress-strain", "Stress over strain", {"packing": Place(3.5, row=2, height=0.9)}
NORMAL = ("xx", "yy", "zz")
SHEAR = (("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2))  # tilt of the box: name, row, column of the stress
LEAST_STRAIN = 1e-9


class Strained:
    """The strain that changes most over a run: positive where the packing becomes longer, or is sheared."""

    def __init__(self, run):
        self.stress, edges = run["stress"][:], run["region_edges"][:]
        self.axes = 2 if run.planar else 3
        with np.errstate(divide="ignore", invalid="ignore"):
            normal = np.nan_to_num(edges / edges[0] - 1.0)[:, :self.axes]
        found = [(NORMAL[k], normal[:, k]) for k in range(self.axes)]
        if "box_tilt" in run:
            # The box has the times of the energies; the rate of its tilt is constant.
            height, tilt = edges[0, [1, 2, 2]], run["box_tilt"][:]
            found += [(name, np.interp(run["measure_time"][:], run["energy_time"][:], tilt[:, k]) / height[k])
                      for k, (name, _, column) in enumerate(SHEAR) if column < self.axes]
        self.name, self.strain = max(found, key=lambda each: float(np.ptp(each[1])))
        self.volume = np.prod(1.0 + normal, axis=1) - 1.0
        self.is_shear = self.name in [name for name, _, _ in SHEAR]

    def curves(self):
        """(name, stress [Pa]) of the normal stresses, and of the shear stress of the strain that is shown."""
        yield from ((NORMAL[k], self.stress[:, k, k]) for k in range(self.axes))
        for name, row, column in SHEAR:
            if name == self.name:
                yield name, self.stress[:, row, column]  # the resistance to the shear is positive

    def ratio(self):
        """Of the largest to the smallest principal pressure; NaN where a direction is not pressed."""
        principal = np.linalg.eigvalsh(-self.stress[:, :self.axes, :self.axes])
        return np.where(principal[:, 0] > 0.0, principal[:, -1] / np.where(principal[:, 0] > 0.0, principal[:, 0], 1.0), np.nan)


def strained_runs(runs):
    found = [(i, run, Strained(run)) for i, run in enumerate(runs) if "stress" in run and len(run["region_edges"]) > 1]
    return [each for each in found if np.ptp(each[2].strain) > LEAST_STRAIN]


def applies(runs):
    return bool(strained_runs(runs))


def interactive(runs):
    shown = strained_runs(runs)
    if not shown:
        return "Nothing strains.", None
    largest = max(float(np.nanmax(np.abs(stress))) for _, _, s in shown for _, stress in s.curves())
    factor, unit = style.scale_of(largest, "N/m" if shown[0][1].planar else "Pa")
    data, caption = [], ""
    for i, run, strained in shown:
        percent = style.numbers(100.0 * strained.strain, 7)

        def line(y, name, k, **more):
            colour, dash = (k, "solid") if len(runs) == 1 else (i, style.RUN_DASHES[k % 4])
            label = name if len(runs) == 1 else f"{run.label}: {name}"
            return {"type": "scatter", "mode": "lines", "x": percent, "y": style.numbers(y, 6), "name": style.plain(label),
                    "line": {**style.line(colour, 1.5), "dash": dash}, **more}

        data += [line(stress * factor, f"stress {name}", k) for k, (name, stress) in enumerate(strained.curves())]
        ratio = strained.ratio()
        data.append(line(ratio, "stress ratio", 4, xaxis="x2", yaxis="y2"))
        data.append(line(100.0 * strained.volume, "volumetric strain (%)", 5, xaxis="x2", yaxis="y3"))
        if np.isfinite(ratio).any():
            top = int(np.nanargmax(ratio))
            caption += (f"\n{run.label + ': ' if len(runs) > 1 else ''}The largest ratio of the principal stresses is {ratio[top]:.4g}, at a "
                        f"strain {strained.name} of {100.0 * strained.strain[top]:.4g} %; at the end it is {ratio[-1]:.4g}.")
    first = shown[0][2]
    axis = f"shear strain {first.name} (%)" if first.is_shear else f"strain {first.name} (%)"
    # A test in compression is read from left to right.
    reverse = {} if first.is_shear or first.strain[-1] >= first.strain[0] else {"autorange": "reversed"}
    layout = style.layout(420, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}, margin={"l": 75, "r": 70, "t": 50, "b": 55},
                          xaxis=style.axis(axis, domain=[0.0, 0.42], **reverse), yaxis=style.axis(f"stress ({unit})"),
                          xaxis2=style.axis(axis, domain=[0.56, 0.93], anchor="y2", **reverse),
                          yaxis2=style.axis("largest over smallest principal stress", anchor="x2"),
                          yaxis3=style.axis("volumetric strain (%)", anchor="x2", overlaying="y2", side="right"))
    sense = "Shear of the box, over its height at the start." if first.is_shear else "Compression is negative, of stress and of strain."
    return f"From [measure]: stress of the region, by contacts, bonds and motion. {sense}{caption}", {"data": data, "layout": layout}
