"""Uses every public name of the package, for mypy --strict; test_typed.py checks that none is missing. It is not run."""
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import beadwave as bw
import beadwave.jax
import beadwave.torch

Floats = npt.NDArray[np.float64]
Steps = bw.Chain | bw.Packing


def version() -> str:
    return bw.__version__


def jobs(path: Path) -> list[bw.Job]:
    chain: bw.Chain = bw.Chain.load(path, overrides={"law.psi": 2.7})
    packing: bw.Packing = bw.Packing.load(str(path))
    mechanism: bw.Mechanism = bw.Mechanism([{"name": "ball", "mass": 1.0, "inertia": 1e-3, "centre": [0.0, 0.0]}], time={"end": 1.0})
    either: bw.Job = bw.load(path)
    numbers: tuple[list[str], float, list[int]] = either.warnings, either.time_step, either.sensors
    try:
        either.run(output="x.h5", threads=2, check=True, overwrite=True, progress=lambda done, steps, seconds: print(done, numbers))
        mechanism.state()
    except (bw.InputError, bw.RunError) as error:
        print(error)
    twin: bw.Mechanism = mechanism.copy()
    return [chain, packing, mechanism, either, twin]


def steps(system: Steps) -> dict[str, float]:
    system.run(10, threads=1)
    run: bw.Run = system.run()
    so_far: bw.StepRecording = system.recorded
    so_far.save("x.h5", overwrite=True)
    print(so_far.warnings, so_far.energy.kinetic, so_far.unit("velocity"))
    print(run, system.timestep + 1, system.time + system.time_step)
    columns: tuple[Floats, Floats] = system.radius, system.mass
    moving: tuple[Floats, Floats, Floats] = system.displacement, system.velocity, system.position

    @system.every(100)
    def action(given: Steps) -> None:
        print(given.energy()["kinetic"], columns, moving)
    system.remove(action)

    @system.observe("kinetic", unit="J", every="energy", description="of all bodies", shape=())
    def kinetic(sample: bw.Sample) -> float:
        print(sample.step + 1, sample.time + 1.0, list(sample))
        return float(sample["kinetic_energy"])
    system.unobserve("kinetic")
    system.save("state.h5", overwrite=True)
    system.reset()
    return system.energy()


def orbits(path: Path, chain: bw.Chain) -> list[str]:
    orbit: bw.Orbit = bw.orbit(path, {"law.name": "hertz"}, frequency=3e3, guess=0, which=1, steps=512, accuracy=1e-9,
                               output="orbit.h5", overwrite=True)
    wave: bw.Orbit = bw.orbit(chain, frequency=6e4, travelling=1)
    wave_speed: float | None = wave.speed
    near: bw.Orbit = bw.orbit(chain, frequency=3e3, guess=(orbit.displacement, orbit.velocity))
    state: tuple[Floats, Floats, list[int], float, float] = (near.displacement, near.newton, near.bead, near.frequency, near.energy)
    more: tuple[float, float, float, bool] = near.amplitude, near.least_overlap, near.periodicity_error, near.stable
    unstable: list[tuple[str, complex]] = near.instabilities
    multipliers: tuple[npt.NDArray[np.complex128], npt.NDArray[np.complex128]]
    branch: bw.Branch = bw.continuation(path, "frequency", (3e3, 4e3), guess=orbit, points=10, periods=2, switch=-1)
    multipliers = near.multipliers, branch.multipliers
    along: tuple[Floats, Floats, Floats, Floats] = branch.value, branch.frequency, branch.energy, branch.amplitude
    places: list[dict[str, Any]] = branch.bifurcations
    kept: npt.NDArray[np.bool_] = branch.stable
    lyapunov: bw.Lyapunov = bw.lyapunov({"time": {"end": 1.0}}, exponents=2, starts=3, periods=4, transient=0, seed=1, guess="run.h5")
    rates: tuple[Floats, Floats, Floats] = lyapunov.exponents, lyapunov.standard_errors, lyapunov.largest_of_starts
    stored: bw.Branch = bw.continuation(path, "frequency", (3e3, 4e3), output="branch.h5", overwrite=True, progress=False)
    stored = bw.Branch.load("branch.h5")
    tables: tuple[Floats, Floats, Floats, Floats] = stored.displacement, stored.velocity, stored.motion, stored.least_overlap
    basins: bw.Basins = bw.basins(path, displacement=(-1e-6, 1e-6), frequency=3e3, grid=(4, 3), bead=2, periods=100, transient=0)
    reached: tuple[npt.NDArray[np.int64], Floats, list[dict[str, Any]]] = basins.attractor, basins.amplitude, basins.attractors
    section: bw.Section = bw.poincare(chain, bead=1, section=2, starts=2, points=10, transient=5, seed=1, output="section.h5")
    points: tuple[Floats, Floats, Floats, int | None] = section.displacement, section.velocity, section.time, section.section
    print(stored.key, stored.resumed, stored.bead, tables, basins.axes, basins.along, reached, basins.periods, points)
    print(wave_speed, state, more, unstable, multipliers, along, places, kept, branch.ended, rates, branch.json, lyapunov.json, orbit.json,
          orbit.periods, branch.periods)
    return [*orbit.warnings, *branch.warnings, *lyapunov.warnings]


def gradients(path: Path) -> dict[str, Floats]:
    def last_speed(time: Floats, traces: dict[str, Floats]) -> tuple[float, dict[str, Floats]]:
        slope = np.zeros_like(traces["velocity"])
        slope[-1] = 1.0
        return float(traces["velocity"][-1].sum()), {"velocity": slope}

    peak: bw.Gradient = bw.gradient(path, {"law.name": "hertz"}, objective=[{"kind": "peak", "sensor": 5}], inputs=["mass"], check=True)
    numbers: tuple[float, list[float], list[str]] = peak.value, peak.objectives, peak.warnings
    print(numbers, peak.json)
    return bw.gradient({"time": {"end": 1.0}}, objective=last_speed, inputs=["gap"], states=40).gradient


def traces(path: Path, job: bw.Job) -> tuple[Any, Any]:
    trained: beadwave.torch.Traces = beadwave.torch.run(path, {"law.name": "hertz"}, inputs={"mass": [1.0]}, threads=2)
    same: beadwave.jax.Traces = beadwave.jax.run(job, inputs={"mass": np.ones(3)})
    return trained.force + trained.velocity, same.time


def designs(path: Path) -> bw.Chain:
    found: bw.Design = bw.design(path, {"design.evaluations": 9}, output="d.h5", overwrite=True, progress=lambda done, most, seconds: None)
    again: bw.Design = bw.design({"design": {"scenario": path}, "variable": [{"input": "mass"}]}, progress=False)
    numbers: tuple[float, float, Floats] = found.value, found.start, found.runs
    more: list[dict[str, Any]] = [*found.variables, again.history]
    print(numbers, more, found.json, found.stopped, found.scenario, found.warnings)
    return found.best


def chains() -> bw.Chain:
    chain = bw.Chain(radius=np.full(3, 0.01), mass=0.03, velocity=[1.0, 0.0, 0.0], gap=[np.inf, 0.0, 0.0, np.inf],
                     material={"youngs_modulus": 2e11, "poisson_ratio": 0.3}, law={"name": "hertz"}, time={"end": 1e-4})

    turned = bw.Chain(mass=np.full(2, 0.03), semi_axes=np.full((2, 3), 0.01), orientation=[1.0, 0.0, 0.0, 0.0], angle=0.1,
                      material={"youngs_modulus": 2e11, "poisson_ratio": 0.3}, law="hertz", time={"end": 1e-4})
    print(turned.radius)

    @chain.external_force(beads=[0])
    def drive(time: float, displacement: Floats, velocity: Floats) -> float:
        return 3.0 * time + float(displacement[0]) - float(velocity[0])
    state: bw.ChainState
    with chain.state() as state:
        state.velocity[0] = state.displacement[0] + state.contact_force[0]
    forces: tuple[Floats, Floats] = chain.contact_force, chain.gap
    run: bw.Run = chain.run_with_law(lambda overlap, speed, memory: (1e9 * overlap, memory), memory=1)
    print(drive(0.0, *forces), run)
    twin: bw.Chain = chain.copy()
    bw.law_function("spring", 1234, arguments=1)
    table: dict[str, Any] = bw.tabulate_law("law.csv", lambda overlap: 1e9 * overlap, 1e-4)
    return twin if table else chain


def packings() -> Floats:
    packing = bw.Packing(position=[[0.0, 0.0, 0.0]], radius=0.01, law="hertz", time={"end": 1e-4},
                         material={"youngs_modulus": 2e11, "poisson_ratio": 0.3, "density": 7800.0})

    @packing.external_force(particles=0)
    def lift(time: float, displacement: Floats, velocity: Floats) -> list[float]:
        return [0.0, 0.0, time + float(displacement[0, 0]) + float(velocity[0, 0])]
    packing.remove(lift)
    state: bw.PackingState
    with packing.state() as state:
        state.velocity[0] = state.position[0] + state.displacement[0]
        state.angular_velocity = np.zeros((1, 3))
    contacts: bw.Contacts = packing.contacts()
    pairs: npt.NDArray[np.int64] = contacts.pair
    each: list[Floats] = [contacts.overlap, contacts.point, contacts.branch, contacts.normal_force, contacts.tangential_force]
    region: bw.Region = packing.region()
    edges: Floats = packing.box
    corners: tuple[Floats, Floats, float] = region.lower, region.upper, region.volume
    bounds: tuple[tuple[str, str], ...] = region.bounds
    counts: npt.NDArray[np.int64] = packing.coordination()
    print(pairs, each, edges, corners, bounds, counts, packing.inertia, packing.angular_velocity, packing.drive_force, packing.drive_torque,
          packing.presence, packing.orientation, packing.temperature, packing.semi_axes)
    return packing.stress(kinetic=True, volume=1e-3)


def recorded(run: bw.Run, history: bw.History) -> None:
    either: bw.Recorded
    for either in (run, history):
        each: Mapping[str, Any] = either
        print(either.names(), either.unit("sensor_force"), either.time, either.sensors, either.sensor_force, either.sensor_velocity,
              either.net_contact_force, either.energy.kinetic, either.snapshots.velocity, either.impacts["start"], dict(each))
        print(either.to_xarray(), either.to_pandas("energy"), either.plot(contacts=[3]), either.get("x"), either.keys(), either.items(),
              either.values())
    result: dict[str, Any] = run.result
    where: Path | None = run.history
    seconds: float = run.wall_seconds
    run.save("run.h5", overwrite=True)
    texts: list[str] = [*run.warnings, *history.warnings, history.scenario, history.law, history.system]
    print(result, where, seconds, texts, history.time_step, history.path, history.file)
    history.close()


def tasks(path: Path) -> None:
    swept: bw.Sweep = bw.sweep(path, {"law.psi": [2.0, 3.0]}, threads=1)
    print(swept.names(), swept["steps"], swept.grid("steps"), swept.unit("steps"), swept.sensors, swept.status, swept.errors,
          swept.warnings, swept.failure, swept.result, swept.to_pandas(), swept.to_xarray())
    many: bw.Sweep = bw.sweep(path, members=5, disturb={"segment.0.velocity": "1%"}, seed=2, over_time=["kinetic_energy"])
    many.derive("loss", lambda table: table["dissipated_energy"] / table["initial_energy"], "1")
    print(many.times, many.over_time("kinetic_energy"), many.statistics("loss"))
    opened: tuple[bw.Sweep, bw.Fit, bw.Modes] = bw.Sweep("t.sweep.h5"), bw.Fit(path), bw.Modes("m.h5")
    text: str = bw.Chain.load(path).to_toml()
    print(opened, text)
    fitted: bw.Fit = bw.fit(path, "measured.csv", {"law.psi": (2.0, 3.0)})
    print(fitted.best, fitted.failed, fitted.warnings, fitted.time, fitted.measured, fitted.sensors, fitted.plot(), fitted.to_pandas(),
          fitted.to_xarray())
    fitted.save("fit.h5")
    law: bw.LawFit = fitted.best
    print(law.parameters, law.keys, law.x, law.correlation, law.cov, law.residuals, law.jac, law.redchi, law.p_value, law.aic,
          law.success, law.message, law.scenario, law.computed, law.to_pandas())
    hit: bw.Collision = bw.collide({"speed": 1.0}, trajectory=True)
    print(hit["restitution"], hit.warnings, hit.trajectory)
    print(bw.compare(path, ["hertz", "ma-liu"]), bw.keys("chain"), bw.laws("hertz"), bw.watch("x.h5"), bw.report("x.h5"),
          bw.report("x.h5", gif="x.gif", size=(640, 480), fps=10, seconds=2.5, camera="top,2", colour="force", colour_range=(0, 1), at=[0.1, "end"],
                    panels=["packing"], picture="x.png", walls="solid"),
          bw.resume("x.h5.checkpoint.h5"), bw.wave_spectrum("x.h5"), bw.sensor_spectrum("x.h5", "velocity"), bw.fit_pulse("x.h5"), bw.fit_pulse(bw.load(path).run()),
          bw.sweep(bw.load(path), {"law.psi": [2.0]}), bw.compare({"law": {"name": "hertz"}}, ["hertz"]))
    modes: bw.Modes = bw.modes(path, lowest=3)
    print(modes.frequency, modes.damping_ratio, modes.participation_ratio, modes.shape, modes.body, modes.position,
          modes.zero_frequencies, modes.bands, modes.dispersion, modes.transfer, modes.warnings, modes.json, modes.matrices(), modes.density_of_states)
    linear: bw.LinearSystem = bw.linearise(path)
    print(linear.body, linear.position, linear.warnings, linear.matrices())


def files(history: Path) -> Path:
    citations: bw.Citations = bw.cite("ma-liu", "hertz")
    print(citations["papers"], citations.bibtex)
    return bw.export(history, "history.vtkhdf", snapshot=-1, copy=False, overwrite=True)


def on_processes(path: Path) -> None:
    shared: bw.SharedJob = bw.load_shared(path, {"time.end": 1e-4})
    run: bw.Run = shared.run("x.h5", each_snapshot=lambda part: print(part.step, part.time, part.numbers, part.position, part.velocity,
                                                                      part.angular_velocity), threads=1)
    print(shared.process, shared.processes, shared.warnings, shared.time_step, run, bw.resume_shared("x.h5.checkpoint.h5").run())
