"""WangLiu2022 Fig. 3: ma-liu's restitution over xi and over psi."""
from drawing import axes, legend_beside, line, save


def draw(program, folder):
    xi = list(range(13, 21))
    psi = [2.6, 2.7, 2.8, 2.9, 3.0]
    restitution = {(p, x): program.collide("ball_in_socket", law_psi=p, law_xi=x)["restitution"]
                   for p in psi for x in xi}

    figure, panel = axes("WangLiu2022 Fig. 3 (a): ball in a socket at 4 m/s, ma-liu", "ξ [-]",
                         "coefficient of restitution [-]")
    for i, p in enumerate(reversed(psi)):
        panel.plot(xi, [restitution[p, x] for x in xi], marker="o", markersize=3, **line(i),
                   label=f"ψ = {p}")
    legend_beside(panel)
    save(figure, folder / "wangliu2022_restitution_over_xi.png")

    figure, panel = axes("WangLiu2022 Fig. 3 (b): ball in a socket at 4 m/s, ma-liu", "ψ [-]",
                         "coefficient of restitution [-]")
    for i, x in enumerate(xi):
        panel.plot(psi, [restitution[p, x] for p in psi], marker="o", markersize=3, **line(i),
                   label=f"ξ = {x}")
    legend_beside(panel)
    save(figure, folder / "wangliu2022_restitution_over_psi.png")
