"""WangLiu2022 Figs 5 (a) and 7 (a): force over overlap of ma-liu and the dashpots."""
from drawing import axes, legend_beside, line, save

DASHPOTS = ("hunt-crossley", "lankarani-nikravesh", "flores", "wang-liu")


def draw(program, folder):
    for figure_number, speed in ((5, 4), (7, 8)):
        figure, panel = axes(f"WangLiu2022 Fig. {figure_number} (a): ball in a socket at {speed} m/s",
                             "overlap [µm]", "force [kN]")
        restitution = program.collide("ball_in_socket", speed=speed)["restitution"]
        settings = {"ma-liu": {}}
        settings.update((law, {"law_restitution": restitution}) for law in DASHPOTS)
        for i, (law, more) in enumerate(settings.items()):
            overlap, force = program.trajectory("ball_in_socket", speed=speed, law_name=law, **more)
            panel.plot([1e6 * x for x in overlap], [1e-3 * F for F in force], **line(i), label=law)
        legend_beside(panel, f"law, e = {restitution:.4f}")
        save(figure, folder / f"wangliu2022_loops_{speed}_m_per_s.png")
