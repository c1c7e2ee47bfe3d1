"""Files of modes from closed formulas: a uniform chain, a chain of alternating masses, and a square membrane of bodies."""
import h5py
import numpy as np


def write(path, datasets, attributes=(), drop=()):
    """`datasets`: {name: (values, unit)}; unit None: no attribute. `drop`: beginnings of names that are left out."""
    with h5py.File(path, "w", libver="latest") as file:
        file.attrs["format"] = "beadwave modes"
        for name, (values, unit) in datasets.items():
            if not name.startswith(tuple(drop)):
                file[name] = values
                if unit is not None:
                    file[name].attrs["unit"] = unit
        for place, name, value in attributes:
            if place in file:
                file[place].attrs[name] = value
    return path


def uniform_chain(stiffness, mass, spacing, count=40):
    """Bodies between fixed ends: f = sqrt(k/m)/pi sin(q/2), sine shapes, and the force at body s per force on body 0."""
    q = np.pi * np.arange(1, count + 1) / (count + 1)
    top = np.sqrt(stiffness / mass) / np.pi
    frequency = top * np.sin(0.5 * q)
    shape = np.sin(np.outer(q, np.arange(1, count + 1)))
    shape /= np.abs(shape).max(axis=1)[:, None]
    zone, drive, sensors = np.linspace(0.0, np.pi / spacing, 101), np.linspace(0.02, 1.5, 500) * top, np.array([3, 20, 33])
    omega, own = 2.0 * np.pi * drive[:, None], 2.0 * np.pi * frequency
    response = np.stack([((shape[:, 0] * shape[:, s]) / (shape**2).sum(axis=1) * own**2 / (own**2 - omega**2 + 0.02j * own * omega)).sum(axis=1)
                         for s in sensors], axis=1)
    return {"frequency": (frequency, "Hz"), "damping_ratio": (0.01 * frequency / top, "1"),
            "participation_ratio": ((shape**2).sum(axis=1)**2 / (count * (shape**4).sum(axis=1)), "1"), "shape": (shape[:, :, None], "1"),
            "position": (np.outer(np.arange(count), [spacing, 0.0, 0.0]), "m"), "bands/lower": ([0.0], "Hz"), "bands/upper": ([top], "Hz"),
            "dispersion/wave_number": (zone, "rad m-1"), "dispersion/frequency": (top * np.sin(0.5 * zone * spacing)[:, None], "Hz"),
            "transfer/frequency": (drive, "Hz"), "transfer/sensors": (sensors, None), "transfer/force_real": (response.real, "N N-1"),
            "transfer/force_imaginary": (response.imag, "N N-1"),
            "dispersion/lattice": (np.array([[spacing]]), "m")}, []


def two_masses(stiffness, light, heavy, cell):
    """Alternating masses: two branches, and the gap from sqrt(2k/M) to sqrt(2k/m)."""
    q = np.linspace(0.0, np.pi / cell, 81)
    total = 1.0 / light + 1.0 / heavy
    root = np.sqrt(total**2 - 4.0 * np.sin(0.5 * q * cell)**2 / (light * heavy))
    branches = np.sqrt(stiffness * np.stack([np.maximum(total - root, 0.0), total + root], axis=1)) / (2.0 * np.pi)
    return {"dispersion/wave_number": (q, "rad m-1"), "dispersion/frequency": (branches, "Hz"), "bands/lower": (branches.min(axis=0), "Hz"),
            "bands/upper": (branches.max(axis=0), "Hz"),
            "dispersion/lattice": (np.array([[cell]]), "m")}, []


def membrane(side=9, spacing=0.01, space=False):
    """Bodies in a square whose motion along x and y are sines; with `space`, in three layers."""
    x, y, z = (each.ravel() for each in np.meshgrid(np.arange(side), np.arange(side), np.arange(3 if space else 1), indexing="ij"))
    numbers = [(a, b) for a in range(1, side + 1) for b in range(1, side + 1)]
    numbers.sort(key=lambda ab: ab[0]**2 + ab[1]**2)
    sines = [np.sin(np.pi * a * (x + 1) / (side + 1)) * np.sin(np.pi * b * (y + 1) / (side + 1)) for a, b in numbers]
    shape = np.stack([np.stack([s, -0.5 * s, 0.0 * s][:3 if space else 2], axis=1) / np.abs(s).max() for s in sines])
    return {"frequency": (np.array([1e3 * np.hypot(a, b) for a, b in numbers]), "Hz"), "shape": (shape, "1"),
            "position": (spacing * np.stack([x, y, z], axis=1), "m"),
            "dispersion/wave_number": (np.outer(np.linspace(0.0, 1.0, 30), [300.0, 0.0, 0.0]), "rad m-1"),
            "dispersion/frequency": (np.outer(np.linspace(0.0, 1.0, 30), [1e4, 2e4]), "Hz")}, []
