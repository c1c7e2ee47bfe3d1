"""Skrinjar2018 Fig. 3: force over overlap of its sphere laws."""
from drawing import axes, legend_beside, line, save

# Without anagnostopoulos: the stiffness of its linear spring has another unit.
LAWS = ("hertz", "hunt-crossley", "herbert-mcwhannell", "lee-wang", "lankarani-nikravesh", "zhiying-qishao",
        "gonthier", "flores", "gharib-hurmuzlu", "hu-guo", "jankowski")


def draw(program, folder):
    for restitution in (0.1, 0.3, 0.5):
        figure, panel = axes(f"Skrinjar2018 Fig. 3: two spheres at 0.3 m/s, c_r = {restitution}", "overlap [µm]",
                             "force [kN]")
        for i, law in enumerate(LAWS):
            given = {} if law == "hertz" else {"law_restitution": restitution}
            collide = program.trajectory if given else program.loading
            overlap, force = collide("spheres", law_name=law, **given)
            panel.plot([1e6 * x for x in overlap], [1e-3 * F for F in force], **line(i), label=law)
        legend_beside(panel, "law")
        save(figure, folder / f"skrinjar2018_spheres_{restitution}.png".replace("0.", "0_", 1))
