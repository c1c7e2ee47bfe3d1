"""The packing in motion: particles coloured by a quantity, contacts as lines whose width grows with the force. In the still figure: moments
where something happens."""
from . import moments
from . import packing_picture
from . import still_moments
from . import style
from .panels import Place

NAME = "packing"
TITLE = "Packing"
PLACES = {"packing": Place(1, row=0, height=1.5)}
MISSING = "The history holds no snapshots, so there is no picture. Add [snapshots] interval = ... (in s) to the scenario."
def _with_snapshots(runs):
    return next((run for run in runs if len(run.snapshot_time)), None)


def _kept(settings, run):
    """What the page leaves out of the history."""
    text = ""
    if "clump_spheres" in run:
        text += "\nThere are clumps among the particles; the spheres drawn here are those around them."
    elif "semi_axes" in run:
        kind = "There are superellipsoids among the particles;" if "exponents" in run else "The particles are ellipsoids;"
        size = "" if "exponents" in run else ", of their largest semi-axis"
        text += f"\n{kind} the spheres drawn here are those around them{size}."
    if settings["shown"] < settings["count"]:
        text += (f"\nThe history is too large for a page: one particle in {settings['every']} is shown, {settings['shown']} of "
                 f"{settings['count']}, without force lines.")
    if len(settings["time"]) < settings["snapshots"]:
        text += f"\n{len(settings['time'])} of the {settings['snapshots']} snapshots are shown."
    if settings["contacts"] and settings["contacts"]["share"] < 1.0:
        text += (f"\nOf each snapshot the {100 * settings['contacts']['share']:.2g} % strongest contacts are on the page; the force and the "
                 "contact number of a particle count all of them.")
    if len(run.radius) and run.radius.max() > 200.0 * run.radius.min():
        text += "\nThe smallest particles are drawn smaller than a pixel."
    return text


def interactive(runs):
    run = _with_snapshots(runs)
    if run is None:
        return MISSING, None
    shown = packing_picture.picture(run)
    settings = shown.settings
    caption = (f"{run.beads} particles at {len(settings['time'])} snapshots. The slider and Play choose the time. Colour: speed, the largest "
               "contact force on a particle, the number of its contacts, or its angular velocity; the square root of the value sets the "
               "colour, except for the contact number. ")
    if settings["contacts"]:
        caption += (f"Force lines join the centres of particles in contact and grow with the force; the largest in the run is "
                    f"{style.with_prefix(run.largest_force, 'N')}. Their slider hides the weak ones. ")
    caption += ("Drag to move, + and - to zoom." if run.planar else "Drag to rotate, + and - to zoom.") + \
        f" Places are exact to {style.with_prefix(0.5 * settings['step'], 'm')}, colours to 1/64 of their scale."
    if len(runs) > 1:
        caption += f" This is {run.label}."
    shown.summary = (f"{run.title}: {run.beads} particles {'in the plane' if run.planar else 'in space'} at {len(settings['time'])} snapshots, "
                     f"from 0 to {style.with_prefix(run.snapshot_time[-1], 's')}.")
    return caption + _kept(settings, run), shown


def has_data(runs):
    return _with_snapshots(runs) is not None


def static(figure, runs):
    """The rendered packing at the moments where something happens, or at those of --at."""
    run = _with_snapshots(runs)
    chosen = moments.shown(run)
    scene = still_moments.draw(figure, run, chosen, run.options)
    still_moments.colour_bar(figure, scene)
