"""Packings beside other programs: packings.py PACKING_BENCH [--rounds N] [--particles N ...] [--threads N ...]

The fcc crystal of packing_bench, and of the inputs in bench/peers for LAMMPS, LIGGGHTS and YADE where these are
installed: twelve contacts per particle, no new neighbour list. All programs run in turn, and of each the fastest of
three loops counts; LIGGGHTS up to a million particles, YADE up to 100,000, as more take too long. Use a quiet machine with as many free processors as threads.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess

from spread import ratio, spread

PEERS = pathlib.Path(__file__).resolve().parent / "peers"
SIZES, THREADS = (32_000, 256_000, 2_048_000), (1, 2)
CRYSTALS = (("hertz", "none", ""), ("hertz", "mindlin", ""), ("hertz", "mindlin", "mixed"), ("ma-liu", "mindlin", ""))


def crystal_steps(particles):
    return max(12_000_000 // particles, 6)


def fastest_loop(command, particles, steps, **environment):
    """Particle-steps/s."""
    finished = subprocess.run(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    seconds = [float(word) for word in re.findall(r"Loop time of (\S+)", finished.stdout)]
    if finished.returncode != 0 or len(seconds) != 3:
        raise SystemExit(f"{' '.join(command)}: three loops expected\n{finished.stdout[-1000:]}{finished.stderr[-1000:]}")
    return particles * steps / min(seconds)


def run_peers(particles, threads):
    """Particle-steps/s of the other programs on the crystal, with fewer steps, as they take longer for one."""
    cells = round((particles / 4) ** (1 / 3))
    particles = 4 * cells**3
    launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(threads)] if threads > 1 else []

    def scripted(command, script, steps):
        words = ["-in", str(PEERS / script), "-log", "none", "-var", "n", str(cells), "-var", "steps", str(steps)]
        return fastest_loop([*launcher, command, *words], particles, steps)

    def yade(steps):
        return fastest_loop(["yade", f"-j{threads}", "-n", "-x", str(PEERS / "yade-fcc.py")], particles, steps, N=str(cells), STEPS=str(steps))

    steps = crystal_steps(particles)
    speeds = {}
    if shutil.which("lmp"):
        speeds["LAMMPS gran/hertz/history"] = scripted("lmp", "lammps-fcc.in", max(steps // 4, 3))
    if shutil.which("liggghts") and particles < 1_000_000:
        speeds["LIGGGHTS hertz, history"] = scripted("liggghts", "liggghts-fcc.in", max(steps // 8, 3))
    if shutil.which("yade") and particles < 100_000:
        speeds["YADE Hertz-Mindlin"] = yade(max(steps // 50, 3))
    return {f"{name}/{particles}/{threads}": speed for name, speed in speeds.items()}


def run_packings(program, sizes=SIZES, threads=THREADS):
    """Particle-steps/s of fcc crystals and a settling column, and of other programs on the same crystals."""
    speeds = {}
    words = re.compile(r"(\S+) +(\S+) +(\S+) +(\d+) particles (\d+) threads +(\S+) particle-steps/s")

    def ours(what, particles, law, friction, precision, count, steps):
        command = [program, str(particles), law, friction, str(count), str(steps), precision, what]
        found = words.match(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        name = ", ".join(filter(None, (what, law, friction, precision)))
        speeds[f"{name}/{found[4]}/{count}"] = float(found[6])

    for particles in sizes:
        for count in threads:
            for crystal in CRYSTALS:
                ours("fcc", particles, *crystal, count, crystal_steps(particles))
            speeds |= run_peers(particles, count)
    for count in threads:
        ours("column", 20000, "tsuji", "mindlin", "", count, 5000)
    return speeds


def packing_table(runs):
    lines = ["| program | particles | threads or ranks | particle-steps/s, 1e6 | ratio to LAMMPS |", "| --- | --- | --- | --- | --- |"]
    for name in runs[0]:
        program, particles, threads = name.rsplit("/", 2)
        peer = f"LAMMPS gran/hertz/history/{particles}/{threads}"
        lines.append(f"| {program} | {particles} | {threads} | {spread([r[name] / 1e6 for r in runs], '{:.2f}')} | {ratio(runs, name, peer)} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="packing_bench")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--particles", type=int, nargs="+", default=SIZES)
    parser.add_argument("--threads", type=int, nargs="+", default=THREADS)
    options = parser.parse_args()
    print("\n".join(packing_table([run_packings(options.program, options.particles, options.threads) for _ in range(options.rounds)])))


if __name__ == "__main__":
    main()
