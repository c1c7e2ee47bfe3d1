"""WangReview2022: hysteresis loops of its families of laws, for the bodies of its Table 5."""
from drawing import line, panels, save

SPEED, RESTITUTION = 4.0, 0.7  # [m/s], [-]
# Adhesion is left out: its necks tear off at speeds far below these.
FAMILIES = ("elastic", "hysteresis", "viscous", "elastoplastic", "elastoplastic dashpot")
# Their own numbers, or numbers that no family shares.
LEFT_OUT = ("expression", "tabulated", "power-law", "flat-on-flat", "choi", "capillary")


def loops(program, laws):
    """Of each law overlap [m] and force [N]; what the bodies or the law refuse is left out."""
    drawn, refused = {}, []
    for law in laws:
        needs = {each["name"] for each in law["parameters"] if "default" not in each}
        if law["name"] in LEFT_OUT or "not_offered" in law or needs - {"restitution"}:
            refused.append(law["name"])
            continue
        given = {"law_restitution": RESTITUTION} if "restitution" in needs else {}
        try:
            drawn[law["name"]] = program.trajectory("ball_in_socket", speed=SPEED, law_name=law["name"], **given)
        except SystemExit:
            refused.append(law["name"])
    return drawn, refused


def draw(program, folder):
    catalogue = program.laws()
    figure, each = panels(f"WangReview2022: hysteresis loops of its families, bodies of Table 5, {SPEED:g} m/s, e = {RESTITUTION}",
                          "overlap [µm]", "force [kN]", rows=3, columns=2)
    missing = []
    for panel, family in zip(each, FAMILIES):
        drawn, refused = loops(program, [law for law in catalogue if law["family"] == family])
        missing += refused
        for i, (law, (overlap, force)) in enumerate(drawn.items()):
            panel.plot([1e6 * x for x in overlap], [1e-3 * F for F in force], **{**line(i), "linewidth": 1.1}, label=law)
        panel.set_title(family, fontsize=9, loc="left")
        panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.05), fontsize=6.5, labelspacing=0.15, ncol=1 + len(drawn) // 14)
    each[-1].set_axis_off()
    each[3].tick_params(labelbottom=True)
    save(figure, folder / "wangreview2022_loops.png",
         "The paper prints no numbers for its loops. Laws that need numbers of their own, or do not take these bodies: "
         + ", ".join(f"`{name}`" for name in sorted(missing)) + ". Its Table 6 compares a law that it does not print with a measurement "
         "whose traces it does not give: nothing of it can be drawn.")
