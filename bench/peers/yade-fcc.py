# The crystal of lammps-fcc.in for YADE: the same spheres, overlap and step; Hertz-Mindlin, friction angle
# atan 0.3, no damping. Three runs, of which the fastest counts.
#   N=20 STEPS=100 yade -j1 -n -x yade-fcc.py          4 N^3 particles
import math
import os
import random
import time

from yade import O
from yade.utils import sphere
from yade.wrapper import (Bo1_Sphere_Aabb, ForceResetter, FrictMat, Ig2_Sphere_Sphere_ScGeom, InsertionSortCollider, InteractionLoop,
                          Ip2_FrictMat_FrictMat_MindlinPhys, Law2_ScGeom_MindlinPhys_Mindlin, NewtonIntegrator)

n, steps = int(os.environ.get("N", "20")), int(os.environ.get("STEPS", "100"))
diameter = 4.76e-3
cell = math.sqrt(2) * (diameter - 2e-7)
O.periodic = True
O.cell.setBox(n * cell, n * cell, n * cell)
O.materials.append(FrictMat(young=193e9, poisson=0.3, density=7970, frictionAngle=math.atan(0.3), label="steel"))
random.seed(1)
for i in range(n):
    for j in range(n):
        for k in range(n):
            for x, y, z in (0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5):
                body = sphere(((i + x) * cell, (j + y) * cell, (k + z) * cell), diameter / 2, material="steel")
                body.state.vel = tuple(1e-3 * random.gauss(0, 1) for _ in range(3))
                O.bodies.append(body)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=1e-4, allowBiggerThanPeriod=True),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_MindlinPhys()], [Law2_ScGeom_MindlinPhys_Mindlin()]),
    NewtonIntegrator(damping=0.0, gravity=(0, 0, 0)),
]
O.dt = 1e-8
O.run(2, wait=True)
for _ in range(3):
    began = time.time()
    O.run(steps, wait=True)
    seconds = time.time() - began
    print("Loop time of %.6g for %d steps with %d particles, %d contacts" % (seconds, steps, len(O.bodies), O.interactions.countReal()))
