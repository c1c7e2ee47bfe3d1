"""The options of pictures: size, rate, length, camera, colour, walls, moments, panels. Wrong values raise InputError, one sentence each."""
import math
import shutil
from dataclasses import dataclass

from .history import InputError, printable
from .panels import applies, panels_of

SIZE = (1280, 720)
LEAST_SIDE, LARGEST_SIDE = 120, 4096
MOST_RATE = {"gif": 50.0, "mp4": 120.0}
MOST_SECONDS = 600.0
MOST_ZOOM = 500.0
FILMS = ("gif", "mp4")


@dataclass(frozen=True)
class Options:
    """What the command line says; None where it says nothing."""
    size: tuple | None = None  # pixels
    fps: float | None = None
    seconds: float | None = None
    camera: tuple | None = None  # view, azimuth, elevation [degrees], zoom
    colour: str | None = None
    colour_range: tuple | None = None
    walls: str | None = None
    at: tuple | None = None  # times [s] or names of moments
    panels: tuple | None = None


def _number(option, text, low, high, what):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise InputError(f"--{option} {text}: expected {what} from {low:g} to {high:g}")
    return value


def _size(text):
    sides = text.lower().replace("×", "x").split("x")
    if len(sides) != 2 or not all(side.isdecimal() and LEAST_SIDE <= int(side) <= LARGEST_SIDE for side in sides):
        raise InputError(f"--size {text}: expected width x height in pixels, each from {LEAST_SIDE} to {LARGEST_SIDE}, for example 1920x1080")
    return tuple(int(side) for side in sides)


def _camera(text):
    from .render.camera import VIEWS
    words = text.split(",")
    zoom = "1"
    if words[0] in (*VIEWS, "plane") and len(words) <= 2:
        view, zoom = words[0], (words[1:] or ["1"])[0]
        angles = VIEWS.get(view, (0.0, 0.0))
    else:
        view = ""
        try:
            angles = tuple(float(word) for word in words[:2])
        except ValueError:
            angles = ()
        zoom = (words[2:] or ["1"])[0]
        if len(angles) != 2 or len(words) > 3 or not all(map(math.isfinite, angles)) or abs(angles[1]) > 90.0:
            raise InputError(f"--camera {text}: expected a view, {', '.join(VIEWS)} or plane, or azimuth,elevation in degrees (elevation from "
                             "-90 to 90), either with ,zoom behind it: top,1.5 or -30,20,2")
    return (view, *angles, _number("camera", zoom, 0.2, MOST_ZOOM, "a zoom"))


def _range(text):
    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError:
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"--colour-range {text}: expected the values at the ends of the colour bar, LOW:HIGH in SI units, for example 0:1.5")
    return low, high


def _names(option, text):
    words = tuple(word.strip() for word in text.split(","))
    if not all(words):
        raise InputError(f"--{option} {text}: expected a list without empty places, for example a,b,c")
    return words


def _option(name):
    return "--" + name.replace("_", "-")


def parse(given):
    """Options of the texts in `given`, by name; None: not given."""
    readers = {"size": _size, "camera": _camera, "colour_range": _range, "at": lambda text: _names("at", text),
               "panels": lambda text: _names("panels", text),
               "fps": lambda text: _number("fps", text, 0.5, max(MOST_RATE.values()), "frames per second"),
               "seconds": lambda text: _number("seconds", text, 0.1, MOST_SECONDS, "the length of the film in s"),
               "colour": lambda text: text.strip().replace(" ", "-").replace("_", "-"), "walls": str}
    return Options(**{name: readers[name](text) for name, text in given.items() if text is not None})


def check_panels(options, shown):
    """The panels of --panels, or all that apply, in the order of the page."""
    system = shown[0].system
    all_ = [panel for _, panel in panels_of(system)]
    here = [panel for panel in all_ if applies(panel, shown)]
    modes = getattr(shown[0], "modes", None)
    linear = [] if modes is None else [panel for _, panel in panels_of("modes") if applies(panel, [modes])]
    names = [panel.NAME for panel in here + linear]
    for name in options.panels or ():
        if name not in names:
            why = "this history has nothing for it" if name in [panel.NAME for panel in all_] else "no such panel"
            raise InputError(f"--panels {name}: {why}; expected some of {', '.join(names)}")
    return here if options.panels is None else [panel for panel in here if panel.NAME in options.panels]


def check(options, shown, outputs):
    """Refuses what this history has not. `outputs`: the options that name files, such as "gif"."""
    pictured = [name for name in ("gif", "mp4", "picture") if name in outputs]
    still = [name for name in ("png", "svg") if name in outputs]
    films = [name for name in FILMS if name in outputs]
    needs = {"fps": (films, "--gif or --mp4"), "seconds": (films, "--gif or --mp4"), "size": (pictured + still, "--gif, --mp4, --picture, --png or --svg"),
             "at": ([*still, *(["picture"] if "picture" in outputs else [])], "--picture, --png or --svg")}
    needs.update({name: (pictured + still, "--gif, --mp4, --picture, --png or --svg") for name in ("camera", "colour", "colour_range", "walls")})
    for name, (has, wanted) in needs.items():
        if getattr(options, name) is not None and not has:
            raise InputError(f"{_option(name)}: nothing here takes it; add {wanted}")
    for name in pictured:
        _check_moving(shown, f"--{name}")
    run = shown[0]
    scenic = run.system in ("packing", "mechanism") and len(run.snapshot_time) > 0
    for name in ("camera", "colour", "colour_range", "walls", "at"):
        if getattr(options, name) is not None and not scenic:
            raise InputError(f"{_option(name)}: is for packings and mechanisms with snapshots")
    if "mp4" in outputs and options.size and (options.size[0] % 2 or options.size[1] % 2):
        raise InputError(f"--size {options.size[0]}x{options.size[1]}: a film for --mp4 has even numbers of pixels")
    if "gif" in outputs and options.fps and options.fps > MOST_RATE["gif"]:
        raise InputError(f"--fps {options.fps:g}: a film for --gif has at most {MOST_RATE['gif']:g} frames per second")
    if scenic:
        _check_view(options, run)
        _check_drawn(options, run, bool(pictured))
        if options.at is not None:
            from . import moments
            chosen = moments.at(run, options.at)
            if "picture" in outputs and len(chosen) > 1:
                raise InputError(f"--at {','.join(options.at)}: --picture shows one moment; --png shows several")
    check_panels(options, shown)


def _check_moving(shown, option):
    """Raises InputError unless there is a moving picture and a program that writes it."""
    run = shown[0]
    if run.system not in ("packing", "mechanism"):
        kind = {"modes": "a file of modes", "fit": "a fit", "sweep": "a sweep", "basins": "a file of basins",
                "poincare": "a Poincare section"}.get(run.system, "a " + run.system)
        raise InputError(f"{option}: is for packings and mechanisms; this is {kind}")
    if len(shown) > 1:
        raise InputError(f"{option}: takes one history, not several")
    if not len(run.snapshot_time):
        raise InputError(f"{option}: {printable(run.path)} holds no snapshots; add [snapshots] interval = ... (in s) to the scenario")
    if option == "--mp4" and shutil.which("ffmpeg") is None:
        raise InputError("--mp4: needs ffmpeg, which is not here (on Debian or Ubuntu: apt-get install ffmpeg); --gif needs no other program")


def _check_drawn(options, run, pictured):
    """Refuses options of pictures where the chosen panels of a still figure draw none."""
    if pictured or options.panels is None or run.system in options.panels:  # the panel of the picture has the name of the system
        return
    for name in ("camera", "colour", "colour_range", "walls", "at"):
        if getattr(options, name) is not None:
            raise InputError(f"{_option(name)}: the chosen panels, {', '.join(options.panels)}, draw no picture; add {run.system} to --panels")


def _check_view(options, run):
    flat = run.system == "mechanism" or run.planar
    what = "a mechanism" if run.system == "mechanism" else "a packing in the plane"
    if options.camera and flat and options.camera[0] != "plane":
        raise InputError(f"--camera: {what} has the view plane alone; expected plane or plane,zoom")
    if options.camera and not flat and options.camera[0] == "plane":
        from .render.camera import VIEWS
        raise InputError(f"--camera plane: this packing is in space; expected {', '.join(VIEWS)}, or azimuth,elevation")
    if run.system == "mechanism":
        for name in ("colour", "colour_range", "walls"):
            if getattr(options, name) is not None:
                raise InputError(f"{_option(name)}: is for packings; the bodies of a mechanism have one colour each")
        return
    from .render.quantities import available
    from .render.scene import WALL_STYLES
    if options.colour is not None and options.colour not in available(run):
        raise InputError(f"--colour {options.colour}: this history has {', '.join(available(run))}")
    if options.walls is not None and options.walls not in WALL_STYLES:
        raise InputError(f"--walls {options.walls}: expected {', '.join(WALL_STYLES[:-1])} or {WALL_STYLES[-1]}")


def scene_of(run, rows, options, size=None, labelled=True):
    """The scene of a packing or a mechanism: image(row) draws it."""
    size = size or options.size or SIZE
    zoom = options.camera[3] if options.camera else 1.0
    if run.system == "mechanism":
        from .render.mechanism import MechanismScene
        return MechanismScene(run, rows, size, zoom, labelled)
    from .render.scene import PackingScene
    return PackingScene(run, rows, size, options.camera[1:] if options.camera else None, options.colour, options.walls or "faint", options.colour_range, labelled)
