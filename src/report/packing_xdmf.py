"""An XDMF file with which ParaView opens a packing's history. Particles are points with a radius (draw them as spheres scaled
by it). Contacts are lines with their forces. xdmf.py explains how XDMF refers to the HDF5 file; that file does not contain the
end points of the lines, so they are written here."""
from xml.etree import ElementTree

import numpy as np

from . import xdmf

VECTORS = ("velocity", "displacement", "angular_velocity")


def write(run, path):
    name = xdmf.relative_name(run, path)
    root = ElementTree.Element("Xdmf", Version="2.0")
    domain = ElementTree.SubElement(root, "Domain")
    particles, chains = (ElementTree.SubElement(domain, "Grid", Name=what, GridType="Collection", CollectionType="Temporal")
                         for what in ("particles", "force chains"))
    slabs = xdmf.Slabs(run, name)
    for row, time in enumerate(run.snapshot_time):
        particles.append(_particles(run, slabs, row, time))
        lines = _chains(run, row, time)
        if lines is not None:
            chains.append(lines)
    walls = _walls(run)
    if walls is not None:
        domain.append(walls)
    xdmf.finish(root, path)


def _grid(row, time):
    grid = ElementTree.Element("Grid", Name=f"snapshot {row}", GridType="Uniform")
    ElementTree.SubElement(grid, "Time", Value=repr(float(time)))
    return grid


def _particles(run, slabs, row, time):
    grid, count = _grid(row, time), run.beads
    ElementTree.SubElement(grid, "Topology", TopologyType="Polyvertex", NumberOfElements=str(count), NodesPerElement="1")
    ElementTree.SubElement(grid, "Geometry", GeometryType="XYZ").append(
        slabs.row("particles/all/position/value", row, 0, count))
    values = [(name, "Vector", slabs.row(f"particles/all/{name}/value", row, 0, count)) for name in VECTORS]
    if "presence" in run:
        values.append(("presence", "Scalar", slabs.row("particles/all/presence/value", row, 0, count)))
    if "orientation" in run:
        values.append(("orientation", "Matrix", slabs.row("particles/all/orientation/value", row, 0, count)))
        values.append(("semi_axes", "Vector", slabs.whole("particles/all/semi_axes")))
    if "exponents" in run:
        values.append(("exponents", "Matrix", slabs.whole("particles/all/exponents")))
    values += [(name, "Scalar", slabs.whole(f"particles/all/{name}")) for name in ("radius", "mass", "id")]
    for name, kind, data in values:
        ElementTree.SubElement(grid, "Attribute", Name=name, AttributeType=kind, Center="Node").append(data)
    return grid


def _chains(run, row, time):
    """Lines from centre to centre, or from centre to wall. Contacts across the box's periodic sides are left out."""
    contacts = run.contacts(row)
    if contacts is None or not len(contacts[0]):
        return None
    pair, normal, tangential, point = contacts
    position = run["position"][row]
    inside = pair[:, 1] < run.beads
    start, end = position[pair[:, 0]], np.where(inside[:, None], position[np.where(inside, pair[:, 1], 0)], point)
    keep = np.linalg.norm(end - start, axis=1) < 4.0 * run.radius.max()
    count = int(keep.sum())
    if count == 0:
        return None
    grid = _grid(row, time)
    topology = ElementTree.SubElement(grid, "Topology", TopologyType="Polyline", NumberOfElements=str(count), NodesPerElement="2")
    topology.append(_text(np.arange(2 * count).reshape(count, 2), "Int"))
    ends = np.stack([start[keep], end[keep]], axis=1).reshape(2 * count, 3)
    ElementTree.SubElement(grid, "Geometry", GeometryType="XYZ").append(_text(ends, "Float"))
    for name, force in (("normal_force", normal), ("tangential_force", tangential)):
        size = np.linalg.norm(force[keep], axis=1)
        ElementTree.SubElement(grid, "Attribute", Name=name, AttributeType="Scalar", Center="Cell").append(_text(size, "Float"))
    return grid


def mesh_corners(run, row):
    """Corners [m] of the triangles of all walls that are meshes, [triangle][corner][axis], in one snapshot; None without meshes."""
    if "wall_triangles" not in run:
        return None
    corners, splits = run["wall_triangles"][:].copy(), run["wall_triangle_splits"][:].astype(int)
    for wall, (begin, end) in enumerate(zip(splits, splits[1:])):
        axis, angle = run["wall_normal"][wall], run["wall_angular_velocity"][wall] * run.snapshot_time[row]
        part = corners[begin:end]
        turned = np.cos(angle) * part + np.sin(angle) * np.cross(axis, part) + (1.0 - np.cos(angle)) * (part @ axis)[..., None] * axis
        moved = run["wall_displacement"][row][wall] if "wall_displacement" in run else 0.0
        corners[begin:end] = turned + run["wall_point"][wall] + moved
    return corners


def _walls(run):
    """The triangles of meshes at every snapshot. What does not move is written once."""
    if "wall_triangles" not in run:
        return None
    series = ElementTree.Element("Grid", Name="walls", GridType="Collection", CollectionType="Temporal")
    last = written = None
    for row in range(len(run.snapshot_time)):
        corners = mesh_corners(run, row)
        grid, count = _grid(row, run.snapshot_time[row]), len(corners)
        topology = ElementTree.SubElement(grid, "Topology", TopologyType="Triangle", NumberOfElements=str(count))
        geometry = ElementTree.SubElement(grid, "Geometry", GeometryType="XYZ")
        if last is None or not np.array_equal(corners, last):
            last, written = corners, row
            topology.append(_text(np.arange(3 * count).reshape(count, 3), "Int"))
            geometry.append(_text(corners.reshape(3 * count, 3), "Float"))
        else:
            for part, name in ((topology, "Topology"), (geometry, "Geometry")):
                item = ElementTree.SubElement(part, "DataItem", Reference="XML")
                item.text = f"/Xdmf/Domain/Grid[@Name='walls']/Grid[@Name='snapshot {written}']/{name}/DataItem"
        for name in ("triangle_wear", "triangle_dissipation"):
            if name in run:
                attribute = ElementTree.SubElement(grid, "Attribute", Name=name, AttributeType="Scalar", Center="Cell")
                attribute.append(_text(np.asarray(run[name][row], float), "Float"))
        series.append(grid)
    return series


def _text(numbers, kind):
    item = ElementTree.Element("DataItem", Format="XML", NumberType=kind, Dimensions=" ".join(str(n) for n in numbers.shape))
    if kind == "Float":
        item.set("Precision", "8")
    item.text = " ".join(repr(n) for n in numbers.ravel().tolist())
    return item
