#!/usr/bin/python3
"""repair_wheel.py IN.whl FOLDER: makes a wheel that runs on any Linux with the same glibc or a later one, in FOLDER.

Copies the libraries that manylinux does not promise into beadwave.libs, under names of their own, so that no other copy in the process
is taken for them; lets the modules find them there ($ORIGIN); and checks every library: what it needs is in the wheel or promised, and
no symbol is newer than the tag says. This is what auditwheel does, which Debian does not have. Needs patchelf and readelf.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# PEP 600: what every distribution with this glibc has.
PROMISED = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libutil.so.1", "libresolv.so.2", "libnsl.so.1",
            "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# Debian's choice of BLAS and LAPACK depends on what else is installed; the reference has no special instructions.
REFERENCE = {"libblas.so.3": "blas/libblas.so.3", "liblapack.so.3": "lapack/liblapack.so.3"}
LIBS = "beadwave.libs"
OLDEST_GLIBC, LATEST_GLIBCXX = (2, 35), (3, 4, 30)  # a distribution with this glibc has the libstdc++ of GCC 12


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def needed(library):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", library))


def search(name, near):
    """The path of a library that `near` needs."""
    found = {words[0]: words[2] for line in run("ldd", near).splitlines() if len(words := line.split()) > 3 and words[1] == "=>"}
    path = Path(os.path.realpath(found[name]))
    if name in REFERENCE:
        folder = Path(run("gcc", "-print-file-name=libm.so").strip()).parent
        reference = folder.resolve() / REFERENCE[name]
        path = reference.resolve() if reference.exists() else path
    return path


def bundle(root):
    """Copies what is needed and not promised, and what the copies need; returns the names of the copies."""
    libs, renamed = root / LIBS, {}
    todo = sorted(root.rglob("*.so"))
    while todo:
        library = todo.pop()
        for name in needed(library):
            if name in PROMISED or name in renamed.values():
                continue
            if name not in renamed:
                original = search(name, library)
                digest = hashlib.sha256(original.read_bytes()).hexdigest()[:8]
                stem, ending = name.split(".so", 1)
                renamed[name] = f"{stem}-{digest}.so{ending}"
                libs.mkdir(exist_ok=True)
                copy = libs / renamed[name]
                shutil.copyfile(original, copy)
                copy.chmod(0o755)
                run("patchelf", "--set-soname", renamed[name], copy)
                todo.append(copy)
            run("patchelf", "--replace-needed", name, renamed[name], library)
        inside = library.parent == libs
        run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN" if inside else f"$ORIGIN/../{LIBS}", library)
    return sorted(renamed.values())


def libraries(root):
    return sorted(path for path in root.rglob("*") if ".so" in path.name and path.is_file())


def numbers(version):
    return tuple(map(int, version.split(".")))


def check(root):
    """Fails unless everything is in the wheel or promised; returns the latest glibc that is needed, (2, 36)."""
    inside, latest = {path.name for path in libraries(root)}, OLDEST_GLIBC
    for library in libraries(root):
        missing = [name for name in needed(library) if name not in PROMISED | inside]
        if missing:
            sys.exit(f"repair_wheel: {library.name} needs {', '.join(missing)}, which is neither in the wheel nor promised")
        versions = run("readelf", "-VW", library)
        for version in re.findall(r"GLIBC_(2\.\d+)", versions):
            latest = max(latest, numbers(version))
        newest = max(map(numbers, re.findall(r"GLIBCXX_([\d.]+)", versions)), default=(3, 4))
        if newest > LATEST_GLIBCXX:
            sys.exit(f"repair_wheel: {library.name} needs GLIBCXX_{'.'.join(map(str, newest))}, which is not promised")
    return latest


def write_record(root):
    (info,) = root.glob("*.dist-info")
    lines = []
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.name != "RECORD":
            digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
            lines.append(f"{path.relative_to(root)},sha256={digest},{path.stat().st_size}\n")
    lines.append(f"{info.name}/RECORD,,\n")
    (info / "RECORD").write_text("".join(lines), encoding="utf-8")


def set_tag(root, tag):
    (info,) = root.glob("*.dist-info")
    wheel = info / "WHEEL"
    text = wheel.read_text(encoding="utf-8")
    wheel.write_text(re.sub(r"^(Tag: [^-]*-[^-]*)-.*$", rf"\1-{tag}", text, flags=re.MULTILINE), encoding="utf-8")


def main():
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        with zipfile.ZipFile(source) as wheel:
            wheel.extractall(root)
        for library in libraries(root):
            run("strip", "--strip-unneeded", library)
        copies = bundle(root)
        major, minor = check(root)
        tag = f"manylinux_{major}_{minor}_{os.uname().machine}"
        set_tag(root, tag)
        write_record(root)
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"{source.name.rsplit('-', 1)[0]}-{tag}.whl"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
            for path in sorted(root.rglob("*")):
                if path.is_file():
                    wheel.write(path, path.relative_to(root))
        print(f"{target}: {target.stat().st_size / 1e6:.1f} MB; contains {', '.join(copies) or 'no other library'}")


if __name__ == "__main__":
    main()
