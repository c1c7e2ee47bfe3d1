"""Fields of a packing on the grid of [measure.grid], at the end: profiles along an axis, and a picture of a slice."""
import numpy as np

from . import style
from .panels import Place

AXES = "xyz"
_TWO = {"legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}, "margin": {"l": 75, "r": 20, "t": 50, "b": 55}}


class Grid:
    """The fields of one sample. Means along axes are those of the matter: sums of density times velocity over sums of density."""

    def __init__(self, run, row=-1):
        self.run, self.row = run, row
        self.dimension = 2 if run.planar else 3
        self.places = [run[f"field_{AXES[a]}"][row] for a in range(self.dimension)]
        self.shape = tuple(len(place) for place in self.places)
        self.density, self.velocity = run["field_density"][row], run["field_velocity"][row]
        self.fraction = run["field_volume_fraction"][row]
        parts = ("contact", "bond", "kinetic")  # bonds only where there are any
        self.stress = sum(run[f"field_{part}_stress"][row] for part in parts if f"field_{part}_stress" in run)

    def axis(self):
        """Along which the profile goes: that of gravity, if the grid has cells along it; otherwise that with the most cells."""
        gravity = self.run.settings.get("gravity", {})
        given = gravity.get("acceleration", ()) if isinstance(gravity, dict) else ()
        vector = np.abs(np.asarray(given, float)) if isinstance(given, (list, tuple)) else np.empty(0)
        if len(vector) >= self.dimension and vector.max() > 0.0 and self.shape[int(np.argmax(vector))] > 1:
            return int(np.argmax(vector))
        return int(np.argmax(self.shape))

    def profile(self, axis):
        """Along the axis: volume fraction [1], velocity [., 3] (m/s), stress [., 3, 3] (Pa, in the plane N/m)."""
        others = tuple(a for a in range(self.dimension) if a != axis)
        mass = self.density.sum(axis=others)
        momentum = (self.density[..., None] * self.velocity).sum(axis=others)
        with np.errstate(invalid="ignore", divide="ignore"):
            velocity = np.where(mass[:, None] > 0.0, momentum / mass[:, None], np.nan)
        return self.fraction.mean(axis=others), velocity, self.stress.mean(axis=others)

    def pressure(self):
        return -np.trace(self.stress[..., :self.dimension, :self.dimension], axis1=-2, axis2=-1) / self.dimension

    def slice_axes(self):
        """Two axes with several cells, across and up; None if there are none. The third is cut in its middle."""
        several = [a for a in range(self.dimension) if self.shape[a] > 1]
        if len(several) < 2:
            return None
        up = self.axis() if self.axis() in several else several[-1]
        across = max((a for a in several if a != up), key=lambda a: self.shape[a])
        return across, up

    def cut(self, values):
        """Of a field of numbers: rows upwards, columns across."""
        across, up = self.slice_axes()
        index = tuple(slice(None) if a in (across, up) else self.shape[a] // 2 for a in range(self.dimension))
        part = values[index]
        return part.T if across < up else part


def _with_fields(runs):
    return [run for run in runs if "field_density" in run and len(run["field_density"])]


def _millimetres(place):
    return style.numbers(place * 1e3, 6)


class Profiles:
    NAME, TITLE, PLACES = "field-profiles", "Profiles", {"packing": Place(3.42)}

    def applies(self, runs):
        return bool(_with_fields(runs))

    def interactive(self, runs):
        shown, data, caption = [(i, run, Grid(run)) for i, run in enumerate(runs) if run in _with_fields(runs)], [], ""
        axis = shown[0][2].axis()
        profiles = [(i, run, grid.places[axis], *grid.profile(axis)) for i, run, grid in shown if axis < grid.dimension]
        largest = max((float(np.abs(stress).max()) for *_, stress in profiles), default=0.0)
        factor, unit = style.scale_of(largest, "N/m" if shown[0][1].planar else "Pa")
        for i, run, place, fraction, velocity, stress in profiles:
            def line(x, name, k, panel, run=run, place=place, i=i):
                colour, dash = (k, "solid") if len(runs) == 1 else (i, style.RUN_DASHES[k % 4])
                label = name if len(runs) == 1 else f"{run.label}: {name}"
                suffix = "" if panel == 1 else str(panel)
                return {"type": "scatter", "mode": "lines", "x": style.numbers(x, 6), "y": _millimetres(place), "name": style.plain(label),
                        "line": {**style.line(colour, 1.5), "dash": dash}, "xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
            data.append(line(fraction, "volume fraction", 6, 1))
            for k in range(2 if run.planar else 3):
                data.append(line(velocity[:, k], f"velocity {AXES[k]}", k, 2))
            for k in range(2 if run.planar else 3):
                data.append(line(stress[:, k, k] * factor, f"stress {2 * AXES[k]}", k, 3))
            width = run.settings.get("measure", {}).get("grid", {}).get("width")
            caption += (f"\n{run.label + ': ' if len(runs) > 1 else ''}At {style.with_prefix(run['measure_time'][-1], 's')}"
                        + (f", with a kernel of {style.with_prefix(width, 'm')}." if isinstance(width, float) else "."))
        name = f"{AXES[axis]} (mm)"
        layout = style.layout(420, xaxis=style.axis("volume fraction", domain=[0.0, 0.27]), yaxis=style.axis(name),
                              xaxis2=style.axis("velocity (m/s)", domain=[0.36, 0.63], anchor="y2"), yaxis2=style.axis("", anchor="x2", matches="y"),
                              xaxis3=style.axis(f"stress ({unit})", domain=[0.72, 1.0], anchor="y3"), yaxis3=style.axis("", anchor="x3", matches="y"),
                              **_TWO)
        return (f"Fields of the grid at the last sample, as means over the layers across {AXES[axis]}. Stress of contacts and of motion; "
                f"compression is negative. Within the reach of the kernel of a wall the fields fall off.{caption}",
                {"data": data, "layout": layout})


class Slices:
    NAME, TITLE, PLACES = "field-slices", "Slices", {"packing": Place(3.44)}

    def applies(self, runs):
        return any(Grid(run).slice_axes() for run in _with_fields(runs))

    def interactive(self, runs):
        run = next(run for run in _with_fields(runs) if Grid(run).slice_axes())
        grid = Grid(run)
        across, up = grid.slice_axes()
        factor, unit = style.scale_of(float(np.abs(grid.pressure()).max()), "N/m" if run.planar else "Pa")
        pictures = ((grid.fraction, "volume fraction"), (np.linalg.norm(grid.velocity, axis=-1), "speed (m/s)"),
                    (grid.pressure() * factor, f"pressure ({unit})"))
        data, axes = [], {}
        for k, (values, title) in enumerate(pictures):
            suffix, left = "" if k == 0 else str(k + 1), 0.36 * k
            data.append({"type": "heatmap", "x": _millimetres(grid.places[across]), "y": _millimetres(grid.places[up]),
                         "z": [style.numbers(row, 5) for row in grid.cut(values)], "xaxis": f"x{suffix}", "yaxis": f"y{suffix}",
                         "colorscale": style.magma_scale(), "colorbar": {"x": left + 0.225, "xanchor": "left", "len": 0.9, "thickness": 10},
                         "hovertemplate": f"%{{x}} mm, %{{y}} mm: %{{z}}<extra>{title}</extra>"})
            axes[f"xaxis{suffix}"] = style.axis(f"{AXES[across]} (mm): {title}", domain=[left, left + 0.22], anchor=f"y{suffix}")
            axes[f"yaxis{suffix}"] = style.axis(f"{AXES[up]} (mm)" if k == 0 else "", anchor=f"x{suffix}")
        third = [a for a in range(grid.dimension) if a not in (across, up)]
        where = "".join(f" at {AXES[a]} = {style.with_prefix(grid.places[a][grid.shape[a] // 2], 'm')}" for a in third if grid.shape[a] > 1)
        first = f" of {run.label}" if len(runs) > 1 else ""
        return (f"A slice{where}{first} at {style.with_prefix(run['measure_time'][-1], 's')}: each pixel is a cell of the grid.",
                {"data": data, "layout": style.layout(420, **axes)})


PANELS = (Profiles(), Slices())
