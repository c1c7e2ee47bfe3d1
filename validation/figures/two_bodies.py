"""WangLiu2022 Figs 4 to 7: loops of ma-liu and the dashpots, and the approach speed over time."""
from drawing import axes, legend_beside, line, save

DASHPOTS = ("hunt-crossley", "lankarani-nikravesh", "flores", "wang-liu")
PRINTED = {4: 0.6909, 8: 0.6309}  # restitution of ma-liu at these speeds [m/s]


def draw(program, folder):
    for (first, second), speed in (((4, 5), 4), ((6, 7), 8)):
        restitution = program.collide("ball_in_socket", speed=speed)["restitution"]
        settings = {"ma-liu": {}}
        settings.update((law, {"law_restitution": restitution}) for law in DASHPOTS)
        moments = {law: program.moments("ball_in_socket", speed=speed, law_name=law, **more) for law, more in settings.items()}
        title = f"ball in a socket at {speed} m/s"

        figure, panel = axes(f"WangLiu2022 Figs {first} and {second} (a): {title}", "overlap [µm]", "force [kN]")
        for i, (law, (_, overlap, _, force)) in enumerate(moments.items()):
            panel.plot([0.0, *(1e6 * x for x in overlap)], [0.0, *(1e-3 * F for F in force)], **line(i), label=law)
        legend_beside(panel, f"law, e = {restitution:.4f}")
        save(figure, folder / f"wangliu2022_loops_{speed}_m_per_s.png",
             f"The restitution of `ma-liu` is {restitution:.4f}, printed {PRINTED[speed]}; the dashpots are given ours.")

        figure, panel = axes(f"WangLiu2022 Fig. {second} (b): {title}", "time [µs]", "approach speed [m/s]")
        for i, (law, (time, _, approach, _)) in enumerate(moments.items()):
            panel.plot([0.0, *(1e6 * t for t in time)], [speed, *approach], **line(i), label=law)
        legend_beside(panel, "law")
        save(figure, folder / f"wangliu2022_speeds_{speed}_m_per_s.png")
