"""VTK PolyData files (.vtp): XML, one snapshot, a point per body with its numbers. https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html

ParaView, VTK, PyVista and Blender read them. Numbers are text with all digits, in SI units."""
from xml.sax.saxutils import quoteattr

import numpy as np

NAMES = {"velo": "velocity"}


def write(frames, path, snapshot):
    row = frames.row_of(snapshot)
    present = frames.present(row)
    columns = {NAMES.get(name, name): np.asarray(values)[present] for name, values in frames.columns(row)}
    points = columns.pop("pos")
    data = "".join(_array(name, "Float64", values) for name, values in columns.items())
    data += _array("id", "Int64", present) + _array("species", "Int64", frames.species[present])
    count = len(present)
    with open(path, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0"?>\n<!-- beadwave export: species '
                  + ", ".join(f"{i} {name}" for i, name in enumerate(frames.names)).replace("--", "- -") + " -->\n"
                  '<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">\n<PolyData>\n<FieldData>\n'
                  + _array("TimeValue", "Float64", np.array([frames.time[row]]), tuples=1) + "</FieldData>\n"
                  f'<Piece NumberOfPoints="{count}" NumberOfVerts="{count}" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="0">\n'
                  f"<PointData>\n{data}</PointData>\n<Points>\n{_array('Points', 'Float64', points)}</Points>\n<Verts>\n"
                  + _array("connectivity", "Int64", np.arange(count)) + _array("offsets", "Int64", np.arange(1, count + 1))
                  + "</Verts>\n</Piece>\n</PolyData>\n</VTKFile>\n")


def _array(name, kind, values, tuples=None):
    parts = 1 if values.ndim == 1 else values.shape[1]
    size = f' NumberOfTuples="{tuples}"' if tuples else ""
    numbers = " ".join(map(repr, values.ravel().tolist()))
    return f'<DataArray type="{kind}" Name={quoteattr(name)} NumberOfComponents="{parts}"{size} format="ascii">\n{numbers}\n</DataArray>\n'
