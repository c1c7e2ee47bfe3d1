"""An XDMF file with which ParaView opens a history: it says where in the HDF5 file each snapshot is.

Every snapshot is a cloud of points, one per bead. The numbers stay in the HDF5 file, which must not be moved. The file name
ends in .xdmf2: among ParaView's readers only the one for XDMF 2 reads snapshots out of a dataset, and this ending selects it."""
import os
from xml.etree import ElementTree

from .history import InputError, printable

POSITION, VELOCITY, DISPLACEMENT = (f"particles/beads/{name}/value" for name in ("position", "velocity", "displacement"))
CONTACTS = "observables/contact_force/value"


def relative_name(run, path):
    """The name of the run's history, relative to a file at `path`."""
    if len(run.snapshot_time) == 0:
        raise InputError(f"{printable(run.path)}: holds no snapshots, so there is nothing for ParaView; add to the scenario, for "
                         "example: [snapshots] interval = 1e-6 (in s)")
    name = os.path.relpath(run.path.resolve(), os.path.dirname(os.path.realpath(path)))
    if ":" in name:
        raise InputError(f"{printable(run.path)}: XDMF cannot name a file with a colon")
    if printable(name) != name or not name.isprintable():
        raise InputError(f"{printable(run.path)}: XDMF cannot name a file whose name is not plain text")
    return name


def finish(root, path):
    root.insert(0, ElementTree.Comment(" Written by beadwave report. "))  # the program replaces only files with this mark
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def write(run, path):
    name = relative_name(run, path)
    root = ElementTree.Element("Xdmf", Version="2.0")
    series = ElementTree.SubElement(ElementTree.SubElement(root, "Domain"), "Grid", Name="beads",
                                    GridType="Collection", CollectionType="Temporal")
    slabs = Slabs(run, name)
    for row, time in enumerate(run.snapshot_time):
        series.append(_snapshot(run, slabs, row, time))
    finish(root, path)


def _snapshot(run, slabs, row, time):
    beads = run.beads
    grid = ElementTree.Element("Grid", Name=f"snapshot {row}", GridType="Uniform")
    ElementTree.SubElement(grid, "Time", Value=repr(float(time)))
    ElementTree.SubElement(grid, "Topology", TopologyType="Polyvertex", NumberOfElements=str(beads), NodesPerElement="1")
    ElementTree.SubElement(grid, "Geometry", GeometryType="XYZ").append(slabs.row(POSITION, row, 0, beads))
    values = [("velocity", "Vector", slabs.row(VELOCITY, row, 0, beads)),
              ("displacement", "Scalar", slabs.row(DISPLACEMENT, row, 0, beads)),
              ("radius", "Scalar", slabs.whole("particles/beads/radius")),
              ("mass", "Scalar", slabs.whole("particles/beads/mass")),
              ("id", "Scalar", slabs.whole("particles/beads/id"))]
    if run.has_contact_force:  # contact c is to the left of bead c
        values += [("force_left", "Scalar", slabs.row(CONTACTS, row, 0, beads)),
                   ("force_right", "Scalar", slabs.row(CONTACTS, row, 1, beads))]
    for name, kind, data in values:
        ElementTree.SubElement(grid, "Attribute", Name=name, AttributeType=kind, Center="Node").append(data)
    return grid


class Slabs:
    """XDMF elements that refer to parts of datasets."""

    def __init__(self, run, name):
        self.file, self.name = run.file, name

    def whole(self, path):
        data = self.file[path]
        kind = "Float" if data.dtype.kind == "f" else "Int"
        item = ElementTree.Element("DataItem", Format="HDF", NumberType=kind, Precision=str(data.dtype.itemsize),
                                   Dimensions=_joined(data.shape))
        item.text = f"{self.name}:/{path}"
        return item

    def row(self, path, row, first, count):
        """Items first, ..., first + count - 1 of one row, with all their components."""
        data = self.file[path]
        components = data.shape[2:]
        slab = ElementTree.Element("DataItem", ItemType="HyperSlab", Dimensions=_joined((count, *components)))
        selection = ElementTree.SubElement(slab, "DataItem", Format="XML", NumberType="Int", Dimensions=f"3 {data.ndim}")
        start, stride, size = (row, first, *(0 for _ in components)), (1,) * data.ndim, (1, count, *components)
        selection.text = "  ".join(_joined(part) for part in (start, stride, size))
        slab.append(self.whole(path))
        return slab


def _joined(numbers):
    return " ".join(str(int(n)) for n in numbers)
