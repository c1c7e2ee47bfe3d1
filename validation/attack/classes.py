"""The classes of attack. Each is a function of target, seeds, dice and an empty folder; it runs one case and raises Fault."""
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys

import damage
from seeds import CASES, STUDIES, SYSTEMS, TABLES
from held import stands
from patience import ended
from target import Fault, Kept
from waiting import until

COMPARE = pathlib.Path(__file__).resolve().parents[1] / "cli" / "compare_histories.py"


def user_files(folder):
    """Makes other files of the user. No case may change them."""
    (folder / "notes.txt").write_text("notes of the user\n")
    (folder / "secret.txt").write_text("the secret token\n" * 8)
    damage.h5py.File(folder / "other.h5", "w")["x"] = range(9)


def read_back(target, folder, file, dice, system_known=True):
    """Runs a command that reads histories on this one."""
    command = dice.choice([["watch", file, "--once"], ["watch", file, "--json"]] * 3 + [["report", file, "-o", "page.html"]])
    kept = Kept(folder, {"page.html"})
    status, message = target.run(command, folder)
    if status != 0 and not message:
        raise Fault("fails without a message")
    kept.check()
    return status, command


def same(folder, one, other):
    done = subprocess.run([sys.executable, str(COMPARE), one, other, "--but", "/parameters/threads"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Fault(f"{one} and {other} differ: {(done.stdout + done.stderr)[-500:]}")


def flips(target, seeds, dice, folder, harm=damage.flipped):
    """Bits of a written file are flipped. Damage to a checkpoint is always found."""
    if dice.random() < 0.4:
        source = dice.choice(seeds.checkpoints())
        system = source.name.split("-")[0]
        seeds.lay_out(folder, source.name, *seeds.history_of(source), f"{system}.h5")
        path = folder / source.name
        path.write_bytes(harm(path.read_bytes(), dice))
        damaged = path.read_bytes()[damage.HEADER_BYTES:] != source.read_bytes()[damage.HEADER_BYTES:]
        kept = Kept(folder)
        resume = ["resume", path.name, "-o", "on.h5", "--quiet"]
        longer = path.stat().st_size > source.stat().st_size
        if longer and path.read_bytes().startswith(source.read_bytes()):  # an incomplete page, and what is behind it
            target.run_or_end(resume, folder, 3)  # resumes as before and changes nothing else
            kept.check()
            return
        status, message = target.run(resume, folder) if damaged else (2, b"-")
        if status == 0:
            raise Fault("continues from a damaged checkpoint")
        if not message:
            raise Fault("fails without a message")
        kept.check()
        return
    source = dice.choice(seeds.histories())
    shutil.copy(source, folder)
    path = folder / source.name
    path.write_bytes(harm(path.read_bytes(), dice))
    read_back(target, folder, path.name, dice)


def truncation(target, seeds, dice, folder):
    """The same with files that are cut off, have holes or are too long."""
    flips(target, seeds, dice, folder, damage.cut)


def resume_damaged(target, folder, name):
    """Resumes a checkpoint whose checksum is right again; its exit status. A refusal has a reason, and other files stay as they are."""
    kept = Kept(folder)
    status, message = target.run_or_end(["resume", name, "-o", "on.h5", "--quiet"], folder, 3)
    if status != 0 and not message:
        raise Fault("fails without a message")
    kept.check()
    return status


def structure(target, seeds, dice, folder):
    """Valid HDF5 of wrong structure; the checksum headers of checkpoints are corrected."""
    resumes = dice.random() < 0.4
    closed_ones = [path for path in seeds.histories() if not path.name.endswith(".running.h5")]
    source = dice.choice(seeds.checkpoints() if resumes else closed_ones)
    seeds.lay_out(folder, source.name, *seeds.history_of(source))
    user_files(folder)
    path = folder / source.name
    try:
        forbidden = damage.restructured(path, dice)
    except (OSError, RuntimeError, ValueError, TypeError, KeyError):
        return  # HDF5 refuses this change
    if not resumes:
        status, _ = read_back(target, folder, path.name, dice)
    else:
        damage.write_checksum_header(path)
        status = resume_damaged(target, folder, path.name)
    if forbidden and status == 0:
        raise Fault("accepts a file with links, compressed data or external files")
    for made in folder.glob("*"):
        if made.name not in ("secret.txt", path.name) and made.is_file() and b"the secret token" in made.read_bytes():
            raise Fault(f"{made.name} holds another file's content")


def metadata(target, seeds, dice, folder):
    """Bits of HDF5's metadata are flipped, of a history, of a checkpoint, or of the pages of its history that a checkpoint holds;
    the checksum headers of checkpoints are corrected."""
    if dice.random() < 0.4:
        source = dice.choice(seeds.histories())
        (folder / source.name).write_bytes(damage.metadata(source.read_bytes(), dice))
        read_back(target, folder, source.name, dice)
        return
    source = dice.choice(seeds.checkpoints())
    seeds.lay_out(folder, source.name, *seeds.history_of(source))
    user_files(folder)
    damaged = folder / dice.choice((source.name, source.name, *seeds.history_of(source)))
    damaged.write_bytes(damage.metadata(damaged.read_bytes(), dice))
    if damaged.name == source.name:
        damage.write_checksum_header(damaged)
    resume_damaged(target, folder, source.name)


def inside_its_folder(target, seeds, dice, folder):
    """Checkpoints whose history has another name, also in other folders."""
    source = dice.choice(seeds.checkpoints())
    inner = folder / "inner"
    inner.mkdir()
    user_files(folder)
    path = inner / source.name
    for each in (source.name, *seeds.history_of(source)):
        shutil.copy(seeds.folder / each, inner)
    name = dice.choice(("../other.h5", str(folder / "other.h5"), "..", ".", "", "sub/x.h5", "../" * 30 + "tmp/x.h5", "a\nb.h5",
                        "x" * 300, "-o", "\x1b[2Jx.h5"))
    with damage.h5py.File(path, "r+") as file:
        del file["checkpoint/history/name"]
        file["checkpoint/history"].create_dataset("name", data=damage.np.bytes_(name.encode() or b"\0"))
    damage.write_checksum_header(path)
    kept = Kept(folder)
    target.run_or_end(["resume", f"inner/{path.name}", "--quiet"], folder, 1)
    kept.check()
    outside = {made for made in folder.iterdir() if made != inner} - kept.names
    if outside:
        raise Fault(f"writes outside of the checkpoint's folder: {outside}")


def ends_well(target, words, folder, seconds, **how):
    """The command fails with a message or writes a complete history, and nothing else changes."""
    kept = Kept(folder)
    status, message = target.run_or_end(words, folder, seconds, **how)
    if status != 0 and not message:
        raise Fault(f"{words} fails without a message")
    kept.check(most_bytes=float("inf"))  # a scenario may produce much output
    if status == 0 and words[0] in ("run", "resume"):
        whole(folder / "out.h5")


def fit(scenario, measured="measured.csv"):
    return ["fit", scenario, "--measured", measured, "--bounds", "law.restitution=0.4:0.9", "--bounds", "clock.shift=-1e-5:1e-5"]


DESIGN = ["design", "design.toml", "-o", "best.h5", "--quiet"]


def gradient(scenario):
    return ["gradient", scenario, "--objective", "objective.toml", "--inputs", "radius,velocity", "--json"]


def toml(target, seeds, dice, folder):
    """Scenarios and collision cases with random changes."""
    seeds.lay_out(folder)
    user_files(folder)
    if dice.random() < 0.35:
        case = dice.choice(list(CASES))
        (folder / case).write_bytes(damage.mutated_toml((folder / case).read_text(), dice))
        words = ["collide", case, *dice.choice(([], ["--json"], ["--trajectory", "trajectory.csv"]))]
    elif dice.random() < 0.25:
        study = dice.choice(list(STUDIES))
        (folder / study).write_bytes(damage.mutated_toml((folder / study).read_text(), dice))
        words = dice.choice((DESIGN, gradient("loose.toml")))
    else:
        scenario = dice.choice(SYSTEMS) + ".toml"
        (folder / scenario).write_bytes(damage.mutated_toml((folder / scenario).read_text(), dice))
        words = dice.choice((["run", scenario, "-o", "out.h5"], ["run", scenario, "-o", "out.h5", "--json", "--quiet"],
                             ["compare", scenario, "--laws", "hertz,flores"], fit(scenario), ["modes", scenario, "--json"],
                             ["orbit", scenario, "--frequency", "4000", "--guess", "zero"], gradient(scenario),
                             ["sweep", scenario, "--vary", "time.end=1e-5,2e-5", "-o", "swept.h5"]))
    ends_well(target, words, folder, 3)


def csv(target, seeds, dice, folder):
    """Tables with random changes: motion, particles, radii, a force, triangles, indentation, measurement."""
    seeds.lay_out(folder)
    table = dice.choice(list(TABLES))
    (folder / table).write_bytes(damage.mutated_csv(TABLES[table], dice))
    words = {"drive.csv": ["run", "chain.toml", "-o", "out.h5", "--quiet"],
             "particles.csv": ["run", "packing.toml", "-o", "out.h5", "--quiet"],
             "sieves.csv": ["run", "flow.toml", "-o", "out.h5", "--quiet"],
             "baffle.stl": ["run", "flow.toml", "-o", "out.h5", "--quiet"],
             "jolt.csv": ["run", "block.toml", "-o", "out.h5", "--quiet"],
             "indentation.csv": ["collide", "contact.toml"],
             "measured.csv": dice.choice((["compare", "chain.toml", "--laws", "hertz", "--measured", "measured.csv"],
                                          fit("chain.toml")))}[table]
    ends_well(target, words, folder, 3)


def whole(path):
    """Checks that the history of a run with status 0 can be opened and read completely."""
    try:
        with damage.h5py.File(path, "r") as file:
            file.visititems(lambda name, item: item[()] if isinstance(item, damage.h5py.Dataset) else None)
    except OSError as error:
        raise Fault(f"status 0 with a damaged history: {error}") from error


def commands(dice, seeds, folder, system):
    """One of all commands for a system."""
    seeds.lay_out(folder, f"{system}.h5")
    checkpoint = f"{system}-SIGTERM.h5.checkpoint.h5"
    choices = [["run", f"{system}.toml", "-o", "out.h5", "--quiet"], ["watch", f"{system}.h5", "--once"],
               ["report", f"{system}.h5", "-o", "page.html", "--png", "page.png"],
               ["compare", f"{system}.toml", "--laws", "hertz,flores"], fit(f"{system}.toml"),
               ["collide", dice.choice(list(CASES))], ["modes", f"{system}.toml"], ["laws", "ma-liu", "--for", "lammps"],
               ["orbit", f"{system}.toml", "--frequency", "4000", "--guess", "zero"], gradient(f"{system}.toml"), DESIGN,
               ["sweep", f"{system}.toml", "--vary", "time.end=1e-5,2e-5", "-o", "sweep.h5", "--quiet"]]
    if (seeds.folder / checkpoint).exists():
        for each in (checkpoint, *seeds.history_of(checkpoint)):
            shutil.copy(seeds.folder / each, folder)
        choices.append(["resume", checkpoint, "-o", "out.h5", "--quiet"])
    return dice.choice(choices)


def limited(target, seeds, dice, folder, limits):
    words = commands(dice, seeds, folder, dice.choice(SYSTEMS))
    ends_well(target, words, folder, 2, limits=limits)


def memory(target, seeds, dice, folder):
    """A limit on memory."""
    limited(target, seeds, dice, folder, [(resource.RLIMIT_AS, dice.randrange(150, 700) << 20)])


def file_sizes(target, seeds, dice, folder):
    """A limit on file sizes, like a full disk."""
    limited(target, seeds, dice, folder, [(resource.RLIMIT_FSIZE, dice.randrange(1, 200) << dice.choice((0, 10, 12)))])


def descriptors(target, seeds, dice, folder):
    """A limit on open files."""
    limited(target, seeds, dice, folder, [(resource.RLIMIT_NOFILE, dice.randrange(4, 24))])


def closed(target, seeds, dice, folder):
    """Standard input, output and error closed, full, or a broken pipe."""
    words = commands(dice, seeds, folder, dice.choice(SYSTEMS))
    user_files(folder)
    if dice.random() < 0.5:
        words[-1:] = [words[-1], "--no-such-option"] if dice.random() < 0.5 else ["absent"]
    kept = Kept(folder)
    how = dice.choice(("closed", "full", "broken"))
    streams = dice.choice(((1,), (2,), (1, 2), (0, 1, 2), (0,)))
    read, write = os.pipe()
    os.close(read)
    with open("/dev/full", "wb") as full:
        into = full if how == "full" else write
        given = {} if how == "closed" else {{0: "stdin", 1: "stdout", 2: "stderr"}[s]: into for s in streams if s > 0}
        try:
            status, _ = target.run_or_end(words, folder, 3, closed=streams if how == "closed" else (), **given)
        finally:
            os.close(write)
    kept.check()
    if status == 0 and words[0] == "run":
        whole(folder / "out.h5")


def odd_files(target, seeds, dice, folder):
    """Pipes, devices, folders, sockets, links in a circle and odd names where a file should be."""
    seeds.lay_out(folder, "chain.h5", *(path.name for path in seeds.checkpoints()),
                  *(name for path in seeds.checkpoints() for name in seeds.history_of(path)))
    os.mkfifo(folder / "pipe.h5")
    os.mkfifo(folder / "pipe.running.h5")
    os.symlink("circle.h5", folder / "circle.h5")
    with socket.socket(socket.AF_UNIX) as unix:
        here = os.getcwd()
        os.chdir(folder)
        unix.bind("socket.h5")
        os.chdir(here)
    (folder / "folder.h5").mkdir()
    odd = dice.choice(("pipe.h5", "circle.h5", "socket.h5", "folder.h5", "/dev/zero", "/dev/null", "/dev/full", "/dev/tty",
                       "/proc/self/mem", "pipe.running.h5", "", ".", "..", "a" * 255 + ".h5", b"\xff\xfe.h5", "new\nline.h5",
                       "-", "--", "\x1b[31m.h5", "/", "absent/x.h5", "chain.h5/x.h5"))
    checkpoint = dice.choice(seeds.checkpoints()).name
    words = dice.choice((["watch", odd], ["watch", odd, "--json"], ["report", odd], ["resume", odd],
                         ["report", "chain.h5", "-o", odd], ["run", "chain.toml", "-o", odd], ["resume", checkpoint, "-o", odd],
                         ["compare", "chain.toml", "--laws", "hertz", "--measured", odd],
                         fit("chain.toml", measured=odd), [*fit("chain.toml"), "-o", odd],
                         ["collide", "spheres.toml", "--trajectory", odd],
                         ["sweep", "chain.toml", "--vary", "law.restitution=0.5,0.6", "-o", odd]))
    # Without a name the history is named after the scenario or the resumed run, which then removes its checkpoint.
    kept = Kept(folder, {"chain.h5", checkpoint, *seeds.history_of(checkpoint)} if odd == "" else ())
    status, message = target.run_or_end(words, folder, 3)
    if status != 0 and not message:
        raise Fault("fails without a message")
    kept.check()


def kills(target, seeds, dice, folder):
    """Runs are killed or terminated at random steps and resumed; the result is bitwise the same."""
    system = dice.choice(SYSTEMS)
    seeds.lay_out(folder, f"{system}.h5")
    user_files(folder)
    kept = Kept(folder)
    step = {"chain": "time.step=5e-10", "packing": "time.step=2e-9", "flow": "time.step=1e-6"}.get(system, "integrator.accuracy=1e-9")
    interval = {"chain": 1.5e-5, "packing": 8e-6, "flow": 4e-4, "mechanism": 3e-4, "block": 0.1}[system]
    run = ["run", f"{system}.toml", "--quiet", "--threads", "1", "--set", step, "--set", f"checkpoint.interval={interval}"]
    how = dice.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
    process = target.start([*run, "--json", "-o", "whole.h5"], folder)
    out, err = ended(process, target.patience)
    if target.judged(process.returncode, out, err) != 0:
        raise Fault(f"does not run: {err.decode(errors='replace')}")
    steps = json.loads(out)["steps"]
    for turn in range(3):
        checkpoint = folder / "cut.h5.checkpoint.h5"
        words = ["resume", checkpoint.name, "--quiet"] if checkpoint.exists() else [*run, "-o", "cut.h5"]
        at = {"BEADWAVE_PAUSE_AT_STEP": str(dice.randrange(1, steps))} if turn < 2 else {}
        process = target.start(words, folder, env={**target.environment, **at})
        if turn < 2 and stands(process):  # otherwise it has passed this step before, and ends
            process.send_signal(how)
            process.send_signal(signal.SIGCONT)
        try:
            out, err = ended(process, target.patience)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Fault(f"does not end {target.patience:g} s after {how.name}") from None
        if process.returncode not in (-how, 0) or (turn == 2 and process.returncode != 0):
            status = target.judged(process.returncode, out, err)
            if turn == 2 or not err:
                raise Fault(f"{words[0]}: status {status} after {how.name}: {err.decode(errors='replace')}")
    for left in folder.glob(".*.partial-*"):
        left.unlink()  # a file of a killed process
    kept.check()
    same(folder, "whole.h5", "cut.h5")


def interrupted_report(target, seeds, dice, folder):
    """Ctrl-C and SIGTERM while a page is drawn leave no files and show no Python errors."""
    system = dice.choice(SYSTEMS)
    seeds.lay_out(folder, f"{system}.h5")
    kept = Kept(folder)
    process = target.start(["report", f"{system}.h5", "-o", "page.html", "--png", "page.png"], folder)
    moments = {"the start": lambda: True, "the first file": lambda: any(folder.glob(".*.partial-*")),
               "the drawing": lambda: drawing(process.pid)}
    has_come = moments[dice.choice(list(moments))]
    until(has_come, process)
    how = dice.choice((signal.SIGINT, signal.SIGTERM))
    if process.poll() is None:
        os.kill(process.pid, how)
    out, err = ended(process, target.patience)
    if process.returncode != -how:  # before anything started
        target.judged(process.returncode, out, err)
    kept.check()


def drawing(process):
    """Whether the process has started the one that draws, and this has loaded a library for it."""
    try:
        for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
            if "numpy" in pathlib.Path(f"/proc/{child}/maps").read_text():
                return True
    except OSError:
        pass
    return False


CLASSES = (kills, flips, truncation, structure, metadata, inside_its_folder, toml, csv, memory, file_sizes, descriptors, closed,
           odd_files, interrupted_report)
