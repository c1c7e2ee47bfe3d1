"""GSD files of the schema hoomd: binary, all snapshots, written by the library gsd. https://gsd.readthedocs.io/

GSD holds positions, velocities, masses and diameters in single precision, positions relative to the centre of the box and wrapped into
it. What is needed in full is there under log/, where OVITO finds it too: log/particles/position, .../velocity, .../angular_velocity
(float64, SI), log/time [s] and log/centre [m]. Every box of GSD is periodic; along an axis that is not, the box leaves a gap of a
body's size between the copies."""
import numpy as np

SCHEMA = (1, 4)


def write(frames, path, _snapshot):
    import gsd.fl
    with gsd.fl.open(name=str(path), mode="wb", application="beadwave export, SI units", schema="hoomd",
                     schema_version=list(SCHEMA)) as out:
        for row in range(len(frames.time)):
            for name, value in chunks(frames, row).items():
                out.write_chunk(name, value)
            out.end_frame()


def chunks(frames, row):
    present = frames.present(row)
    position, velocity = frames.vectors("position", row)[present], frames.vectors("velocity", row)[present]
    lower, upper = frames.box(row)
    gap = 2.0 * (0.0 if frames.radius is None else frames.radius.max())
    size = upper - lower + np.where(frames.periodic, 0.0, gap)
    centre = 0.5 * (lower + upper)
    xy, xz, yz = frames.tilt(row)
    # The edges of the box as columns. The centre of a tilted box is that of its edges; GSD gives a tilt over the edge that it shifts.
    edges = np.array([[size[0], xy, xz], [0.0, size[1], yz], [0.0, 0.0, size[2]]])
    centre = centre + 0.5 * np.array([xy + xz, yz, 0.0])
    image = np.where(frames.periodic, np.floor(np.linalg.solve(edges, (position - centre).T).T + 0.5), 0.0)
    made = {"configuration/step": np.array([frames.step[row]], np.uint64),
            "configuration/box": np.array([*size, xy / size[1], xz / size[2], yz / size[2]], np.float32),
            "particles/position": (position - centre - image @ edges.T).astype(np.float32),
            "particles/velocity": velocity.astype(np.float32),
            "log/time": np.array([frames.time[row]]), "log/centre": centre,
            "log/particles/position": position, "log/particles/velocity": velocity}
    if frames.semi_axes is not None:
        made["particles/orientation"] = frames.orientation(row)[present].astype(np.float32)
    if frames.periodic.any():
        made["particles/image"] = np.ascontiguousarray(image, dtype=np.int32)
    if frames.has_spin:
        made["log/particles/angular_velocity"] = frames.vectors("angular_velocity", row)[present]
    if "temperature" in frames.file[frames.group]:
        made["log/particles/temperature"] = frames.file[f"{frames.group}/temperature/value"][row][present]
    if row == 0 or f"{frames.group}/presence" in frames.file:  # later frames take over what does not change
        made.update(constants(frames, present))
    return made


def constants(frames, present):
    names = [name.encode() for name in frames.names]
    types = np.zeros((len(names), max(map(len, names)) + 1), np.int8)  # ends with 0
    for line, name in zip(types, names):
        line[:len(name)] = np.frombuffer(name, np.int8)
    made = {"configuration/dimensions": np.array([3], np.uint8), "particles/N": np.array([len(present)], np.uint32),
            "particles/types": types, "particles/typeid": frames.species[present].astype(np.uint32),
            "particles/mass": frames.mass[present].astype(np.float32)}
    if frames.radius is not None:
        made["particles/diameter"] = (2.0 * frames.radius[present]).astype(np.float32)
    bodies = frames.file[frames.group]
    if "inertia" in bodies and frames.radius is not None:
        made["particles/moment_inertia"] = _principal(bodies["inertia"][:][present]).astype(np.float32)
    return made


def _principal(inertia):
    """Three moments per particle: of a sphere the same about every axis."""
    return inertia if inertia.ndim == 2 else np.repeat(inertia[:, None], 3, axis=1)
