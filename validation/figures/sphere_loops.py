"""Skrinjar2018 Fig. 3: force over overlap of its sphere laws."""
from drawing import axes, legend_beside, legend_of_panels, line, panels, save

# The spring of anagnostopoulos is linear: its stiffness is that which stores as much at the largest overlap of a Hertz collision.
LAWS = ("hertz", "hunt-crossley", "herbert-mcwhannell", "lee-wang", "lankarani-nikravesh", "zhiying-qishao",
        "gonthier", "flores", "gharib-hurmuzlu", "hu-guo", "jankowski", "anagnostopoulos")
PRINTED = [0.1 * k for k in range(1, 10)]  # the c_r of Table 2 between 0 and 1


def loop(program, law, restitution):
    if law == "hertz":
        return program.loading("spheres", law_name=law)
    return program.trajectory("spheres", law_name=law, law_restitution=restitution)


def draw(program, folder):
    for restitution in (0.1, 0.3, 0.5):
        figure, panel = axes(f"Skrinjar2018 Fig. 3: two spheres at 0.3 m/s, c_r = {restitution}", "overlap [µm]",
                             "force [kN]")
        for i, law in enumerate(LAWS):
            overlap, force = loop(program, law, restitution)
            panel.plot([1e6 * x for x in overlap], [1e-3 * F for F in force], **line(i), label=law)
        legend_beside(panel, "law")
        save(figure, folder / f"skrinjar2018_spheres_{restitution}.png".replace("0.", "0_", 1))

    figure, each = panels("Skrinjar2018 Fig. 3: two spheres at 0.3 m/s, at every c_r of Table 2", "overlap [µm]", "force [kN]")
    for panel, restitution in zip(each, PRINTED):
        panel.set_title(f"c_r = {restitution:.1f}", fontsize=9)
        for i, law in enumerate(LAWS):
            overlap, force = loop(program, law, restitution)
            panel.plot([1e6 * x for x in overlap], [1e-3 * F for F in force], **line(i), label=law)
        panel.set_ylim(-4.0, 10.0)
    legend_of_panels(each, title="law")
    save(figure, folder / "skrinjar2018_spheres_all.png",
         "`anagnostopoulos` pulls before it parts, and its force jumps where contact begins: its dashpot does not vanish with the overlap. "
         "Forces of `jankowski` beyond 10 kN are cut off.")
