"""Damage to files: single bits, cuts, the structure of HDF5, and lines and values of texts."""
import re

import h5py
import numpy as np

HEADER_BYTES = 512


def flipped(data, dice):
    data = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 8))):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return bytes(data)


# Of what HDF5 stores about the data: headers of objects, indices of chunks, lists of members, heaps.
SIGNATURES = re.compile(b"OHDR|OCHK|EAHD|EAIB|EASB|EADB|FAHD|FADB|BTHD|BTIN|BTLF|FRHP|FHIB|FHDB|GCOL")


def metadata(data, dice):
    """The bytes of a file with bits flipped behind a signature of HDF5's metadata."""
    data = bytearray(data)
    places = [match.end() for match in SIGNATURES.finditer(data)]
    at = dice.choice(places)
    for _ in range(dice.choice((1, 1, 2, 5))):
        data[min(at + dice.randrange(dice.choice((8, 60))), len(data) - 1)] ^= 1 << dice.randrange(8)
    return bytes(data)


def cut(data, dice):
    at = dice.choice((dice.randrange(len(data)), dice.randrange(min(len(data), 1024)), len(data) - 1))
    return dice.choice((data[:at], data[:at] + bytes(len(data) - at), data + bytes(dice.randrange(1, 5000)),
                        data[:at // 2] + data[at:]))


def _checksum(words):
    total, mask = 14695981039346656037, (1 << 64) - 1
    for word in words:
        total = (total ^ word) * 1099511628211 & mask
        total ^= total >> 32
    return total


def write_checksum_header(path):
    """Corrects the checksum header of an altered checkpoint. The header is no signature: everybody can do this."""
    data = bytearray(path.read_bytes())
    line = bytes(data[:data.index(b"\n") + 1]).decode()
    body, block = bytes(data[HEADER_BYTES:]), 16 << 20
    blocks = [body[at:at + block] for at in range(0, len(body), block)]
    total = _checksum([_checksum(np.frombuffer(each + bytes(-len(each) % 8), "<u8").tolist()) for each in blocks])
    line = re.sub(r"\d+ bytes, checksum [0-9a-f]+", f"{len(data)} bytes, checksum {total:016x}", line)
    data[:HEADER_BYTES] = line.encode().ljust(HEADER_BYTES, b"\0")
    path.write_bytes(data)


def _names(file):
    names = []
    file.visit(names.append)
    return names


def _elsewhere(file, name, dice):
    """Adds content that must not be read. Returns True: the program must refuse such a file."""
    shape = (4,)
    kind = dice.randrange(7)
    if kind < 5:
        del file[name]
    if kind == 0:
        file.create_dataset(name, shape=(64,), dtype="S1", external=[("secret.txt", 0, 64)])
    elif kind == 1:
        file[name] = h5py.ExternalLink("other.h5", "/x")
    elif kind == 2:
        file[name] = h5py.SoftLink("/parameters")
    elif kind == 3:
        layout = h5py.VirtualLayout(shape=shape, dtype="f8")
        layout[:] = h5py.VirtualSource("other.h5", "x", shape=shape)
        file.create_virtual_dataset(name, layout)
    elif kind == 4:
        file.create_dataset(name, shape=(1 << 40,), dtype="f8", chunks=(1 << 16,))
    elif kind == 5:
        file["parameters/more"] = h5py.ExternalLink("other.h5", "/x")
    else:
        file.create_dataset("parameters/packed", data=np.zeros(100000), compression="gzip")
    return True


def _otherwise(file, name, dice):
    kind = dice.randrange(12)
    content = [np.zeros((5, 0)), np.zeros((0, 3)), np.zeros(0), 1.0, np.full(4, np.nan), np.int8(3), "text", b"\xff\xfe",
               np.arange(6).reshape(1, 2, 3), np.array([b"a", b"bc"]), np.float64("inf"), -1][kind]
    if dice.random() < 0.2:
        del file[name]
        return False
    if dice.random() < 0.1:
        del file[name]
        file.create_group(name)
        return False
    if dice.random() < 0.1 and isinstance(file[name], h5py.Dataset) and file[name].attrs:
        file[name].attrs[dice.choice(list(file[name].attrs))] = content
        return False
    if dice.random() < 0.3 and isinstance(file[name], h5py.Dataset) and file[name].dtype.kind in "fi" and file[name].size:
        numbers = file[name][()]
        spot = np.asarray(numbers).reshape(-1)
        spot[dice.randrange(spot.size)] = dice.choice((0, -1, 1e9)) if numbers.dtype.kind == "i" else dice.choice(
            (0.0, -1.0, 1e300, np.nan, np.inf))
        file[name][()] = spot.reshape(np.shape(numbers))
        return False
    del file[name]
    file[name] = content
    return False


def restructured(path, dice):
    """Alters the structure of an HDF5 file in place. Returns whether the program must refuse it."""
    with h5py.File(path, "r+") as file:
        for _ in range(dice.choice((1, 1, 2))):
            names = [name for name in _names(file) if name not in ("parameters", "observables", "particles")]
            name = dice.choice(names)
            if dice.random() < 0.3 and isinstance(file[name], h5py.Dataset):
                return _elsewhere(file, name, dice)
            _otherwise(file, name, dice)
    return False


VALUES = ("0", "-1", "1e300", "-1e300", "1e-308", "nan", "inf", "-inf", "1e6", "1e-12", "1000", "9223372036854775807",
          '"text"', "[]", "[1, 2, 3]", "true", "{}", '""', "1e-30", "3.5", "[[]]", '"\\u0000"', "2024-01-01")


def mutated_toml(text, dice):
    lines = text.split("\n")
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        at = dice.randrange(len(lines))
        kind = dice.random()
        if kind < 0.6:
            with_value = [i for i, line in enumerate(lines) if re.search(r"= *\S", line)]
            if with_value:
                at = dice.choice(with_value)
                lines[at] = lines[at].split("=", 1)[0] + "= " + dice.choice(VALUES)
        elif kind < 0.7:
            del lines[at]
        elif kind < 0.8:
            lines.insert(at, dice.choice(lines))
        elif kind < 0.9 and lines[at]:
            place = dice.randrange(len(lines[at]))
            lines[at] = lines[at][:place] + chr(dice.choice((9, 27, 34, 39, 91, 93, 61, 955, 127))) + lines[at][place + 1:]
        else:
            other = dice.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        if not lines:
            lines = [""]
    data = "\n".join(lines).encode()
    return flipped(data, dice) if data and dice.random() < 0.1 else data


def mutated_csv(text, dice):
    rows = [line.split(",") for line in text.split("\n")]
    for _ in range(dice.choice((1, 1, 2, 4))):
        row = dice.choice(rows)
        kind = dice.random()
        if kind < 0.6:
            row[dice.randrange(len(row))] = dice.choice(("", "nan", "1e300", "-1e300", "x", "-1", "0", "1e-308", '"', "1,2",
                                                         "\0", "é", " 1 ", "1e", "0x10", "=1+1"))
        elif kind < 0.7:
            row.append("7")
        elif kind < 0.8:
            rows.insert(dice.randrange(len(rows)), list(row))
        elif kind < 0.9 and len(rows) > 1:
            rows.remove(row)
        else:
            dice.shuffle(rows)
    data = "\n".join(",".join(row) for row in rows).encode()
    return flipped(data, dice) if data and dice.random() < 0.2 else data
