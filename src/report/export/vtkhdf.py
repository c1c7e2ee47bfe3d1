"""A VTKHDF file, version 2.0, with which ParaView 5.12 (VTK 9.3) or later opens a history with all its snapshots; readers of version 1
see the first snapshot. With --snapshot the file holds that one snapshot itself, in version 1.0, which VTK 9.1 (ParaView 5.10) and all
later ones read. https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format/

By itself the file copies no snapshot: its datasets are virtual and refer to the history, which must stay where it is, relative to this
file. It is beside the history, not in it, because a history holds no virtual datasets: every reader of beadwave refuses data that may
lead to other files, and HDF5 keeps no checksum of such references. With --copy the same datasets are reserved at their final sizes; their
attributes `source`, a dataset of the history, and `first_item` say what belongs there, and the program copies it, on as many processes as
there are (src/io/files/snapshot_copy.hpp).

Every snapshot is an unstructured grid of one vertex per body. Point data are per body: of each snapshot, or the same for all."""
import math
import os

import h5py
import numpy as np

from ..history import InputError, printable

VERTEX = 1  # VTK's number of this type of cell
AT_ONCE = 1 << 20  # bodies whose numbers are in memory


def write(frames, path, snapshot):
    if frames.copy:
        check_size(frames, path)
    # The program opens what it fills, and HDF5 files without checksums it never opens: their superblock is as old as "earliest".
    with h5py.File(path, "w", libver=("v108" if frames.copy else "earliest", "v110")) as out:
        out.attrs["creator"] = "beadwave export"  # the program replaces only files with this mark
        grid = out.create_group("VTKHDF")
        grid.attrs["Version"] = np.array([2, 0] if snapshot is None else [1, 0])
        grid.attrs.create("Type", np.bytes_("UnstructuredGrid"))
        if snapshot is None:
            all_snapshots(frames, grid, None if frames.copy else source_name(frames, path))
        else:
            one_snapshot(frames, grid, frames.row_of(snapshot))


def check_size(frames, path):
    """Raises OSError unless a file can have the size of all snapshots: HDF5 would only fail when it closes the file, and end the process."""
    values = [member["value"] for member in frames.file[frames.group].values() if isinstance(member, h5py.Group) and "value" in member]
    with open(path, "wb") as out:
        out.truncate(8 * len(frames.time) * sum(math.prod(value.shape[1:]) for value in values))


def vertices(grid, count):
    for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"):
        grid[name] = np.array([count])
    in_parts(grid, "Connectivity", (count,), np.int64, np.arange)
    in_parts(grid, "Offsets", (count + 1,), np.int64, np.arange)
    in_parts(grid, "Types", (count,), np.uint8, lambda first, end: np.full(end - first, VERTEX, np.uint8))


def in_parts(group, name, shape, kind, rows):
    """A dataset of rows(0, n), rows(n, 2 n), ...: a number per body may be too much for the memory."""
    dataset = group.create_dataset(name, shape, kind)
    for first in range(0, shape[0], AT_ONCE):
        end = min(first + AT_ONCE, shape[0])
        dataset[first:end] = rows(first, end)


def one_snapshot(frames, grid, row):
    present = frames.present(row)
    vertices(grid, len(present))
    grid["Points"] = frames.vectors("position", row)[present]
    grid.file.attrs["time"] = frames.time[row]  # [s]; version 1.0 has no place for it
    data, bodies = grid.create_group("PointData"), frames.file[frames.group]
    for name, member in bodies.items():
        if isinstance(member, h5py.Group):
            if name not in ("position", "box") and "value" in member:
                data[name] = member["value"][row][present].astype(np.float64)
        elif (kind := kind_per_body(frames, member)) is not None:
            data[name] = member[:][present].astype(kind)
    if "observables/contact_force/value" in frames.file and frames.system == "chain":
        force = frames.file["observables/contact_force/value"][row]
        data["force_left"], data["force_right"] = force[:frames.count], force[1:frames.count + 1]


def all_snapshots(frames, grid, source):
    """`source`: the name of the history in references; None: the numbers are to be copied."""
    rows, count = len(frames.time), frames.count
    vertices(grid, count)
    of_snapshots(grid, "Points", source, frames.file[f"{frames.group}/position/value"], rows)
    steps = grid.create_group("Steps")
    steps.attrs["NSteps"] = rows
    steps["Values"] = frames.time
    steps["PointOffsets"] = count * np.arange(rows)
    steps["PartOffsets"] = np.zeros(rows, np.int64)  # the cells are the same in all snapshots
    steps["NumberOfParts"] = np.ones(rows, np.int64)
    steps["CellOffsets"] = np.zeros((rows, 1), np.int64)
    steps["ConnectivityIdOffsets"] = steps["CellOffsets"]
    point_data(frames, grid, source)


def point_data(frames, grid, source):
    data, bodies, rows = grid.create_group("PointData"), frames.file[frames.group], len(frames.time)
    offsets = grid.create_group("Steps/PointDataOffsets")  # of an array that is not here: those of the points
    for name, member in bodies.items():
        if isinstance(member, h5py.Group):
            if name not in ("position", "box") and "value" in member:
                of_snapshots(data, name, source, member["value"], rows)
        elif (kind := kind_per_body(frames, member)) is not None:
            in_parts(data, name, member.shape, kind, lambda first, end, member=member, kind=kind: member[first:end].astype(kind))
            offsets[name] = grid["Steps/PartOffsets"]  # the same zeros: the array has one snapshot
    if "observables/contact_force/value" in frames.file and frames.system == "chain":  # contact c is to the left of bead c
        force = frames.file["observables/contact_force/value"]
        for side, first in (("force_left", 0), ("force_right", 1)):
            of_snapshots(data, side, source, force, rows, first)


def kind_per_body(frames, dataset):
    """VTK's type of the numbers of a dataset that has some for each body; None: it is another dataset."""
    if dataset.shape not in ((frames.count,), (frames.count, 2), (frames.count, 3)) or dataset.dtype.kind not in "fi":
        return None
    # An enumeration has the kind of a whole number, and VTK has none.
    return np.int64 if dataset.dtype.kind == "i" else np.float64


def of_snapshots(group, name, source, dataset, rows, first=0):
    """A dataset of the first `rows` rows of `dataset`, from item `first` on, one after the other: HDF5 reads them there, or they are to be
    copied from there."""
    count, components = group.file["VTKHDF/NumberOfPoints"][0], dataset.shape[2:]
    here = h5py.h5s.create_simple((rows * int(count), *components))
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if source is None:
        layout.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        layout.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    else:
        there = h5py.h5s.create_simple(dataset.shape)
        one = (1,) * dataset.ndim
        there.select_hyperslab((0, first, *(0 for _ in components)), one, one, (rows, int(count), *components))
        layout.set_virtual(here, source, dataset.name.encode(), there)
    made = h5py.h5d.create(group.id, name.encode(), h5py.h5t.NATIVE_DOUBLE, here, dcpl=layout)
    if source is None:
        attributes = h5py.Dataset(made).attrs
        attributes["source"], attributes["first_item"] = np.bytes_(dataset.name), first


def source_name(frames, path):
    """The name of the history relative to the folder of `path`, in the notation of HDF5's virtual datasets."""
    history = frames.history.path
    name = os.path.relpath(history.resolve(), os.path.dirname(os.path.realpath(path)))
    if printable(name) != name:
        raise InputError(f"{printable(history)}: a VTKHDF file cannot name a history whose name is not plain text")
    return name.replace("%", "%%").encode()
