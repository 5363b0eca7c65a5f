"""A hand with its forearm and sleeve over a photographed table (Blender's `bpy`, scikit-image).

In its own space the wrist is the origin, the fingers point to positive y, the palm faces down.
Lengths are sides of a square (19 mm).
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray
from skimage.measure import marching_cubes

from kibitz.models.training.drawing.textures import noise
from tests.filming.photographs import things
from tests.filming.photographs.looks import Reach

Colour = tuple[int, int, int]
Field = NDArray[np.float32]
Point = NDArray[np.float64]
CELL = 0.085
"""Length of a cell of the grid that the surface is taken from."""


@dataclass(frozen=True)
class _Bone:
    start: Point
    end: Point
    thick: tuple[float, float]


KNUCKLES = ((-1.5, 4.55, 0.0), (-0.5, 4.85, 0.12), (0.5, 4.65, 0.08), (1.4, 4.15, -0.08))
LENGTHS = ((2.15, 1.3, 1.0), (2.35, 1.5, 1.05), (2.15, 1.4, 1.0), (1.7, 1.0, 0.9))
CURLS = ((24, 34, 22), (38, 44, 26), (46, 48, 28), (50, 46, 26))
"""How far (degrees) each joint of a finger bends down, after the one before."""
SPREAD = (9.0, 2.0, -5.0, -13.0)
THICK = ((0.52, 0.45, 0.41, 0.35), (0.53, 0.46, 0.42, 0.36), (0.5, 0.44, 0.4, 0.34), (0.43, 0.38, 0.35, 0.3))  # fmt: skip
THUMB = ((-0.9, 1.0, -0.2), (-2.2, 2.7, -0.75), (-2.55, 4.3, -1.35), (-2.2, 5.5, -1.85))
THUMB_THICK = (0.85, 0.62, 0.52, 0.42)


def _fingers() -> list[list[_Bone]]:
    out = []
    for k, knuckle in enumerate(KNUCKLES):
        at, pitch = np.array(knuckle), 0.0
        aside = np.deg2rad(SPREAD[k])
        bones = []
        for j in range(3):
            pitch += np.deg2rad(CURLS[k][j])
            along = np.array(
                [-np.sin(aside) * np.cos(pitch), np.cos(aside) * np.cos(pitch), -np.sin(pitch)]
            )
            end = at + along * LENGTHS[k][j]
            bones.append(_Bone(at, end, (THICK[k][j], THICK[k][j + 1])))
            at = end
        out.append(bones)
    points = [np.array(p) for p in THUMB]
    out.append(
        [_Bone(points[j], points[j + 1], (THUMB_THICK[j], THUMB_THICK[j + 1])) for j in range(3)]
    )
    return out


def _palm() -> list[_Bone]:
    wrist = [(-0.75, 0.0, 0.0), (-0.25, 0.0, 0.08), (0.3, 0.0, 0.08), (0.75, 0.0, 0.0)]
    bones = [
        _Bone(np.array(a), np.array(b) - (0, 0, 0.16), (0.82, 0.62))
        for a, b in zip(wrist, KNUCKLES, strict=True)
    ]
    arm = [
        ((-0.55, 0.3, 0), (-0.95, -9, 0.5), (0.85, 1.5)),
        ((0.55, 0.3, 0), (0.95, -9, 0.5), (0.85, 1.5)),
    ]
    return bones + [_Bone(np.array(a), np.array(b, float), r) for a, b, r in arm]


def _distance(grid: tuple[Field, Field, Field], bone: _Bone) -> Field:
    along = bone.end - bone.start
    span = float(along @ along)
    x, y, z = (axis - s for axis, s in zip(grid, bone.start, strict=True))
    share = np.clip((x * along[0] + y * along[1] + z * along[2]) / span, 0, 1)
    away = np.sqrt(
        (x - share * along[0]) ** 2 + (y - share * along[1]) ** 2 + (z - share * along[2]) ** 2
    )
    return np.asarray(away - (bone.thick[0] + (bone.thick[1] - bone.thick[0]) * share), np.float32)


def _joined(a: Field, b: Field, soft: float) -> Field:
    share = np.clip(0.5 + 0.5 * (b - a) / soft, 0, 1)
    return np.asarray(b + (a - b) * share - soft * share * (1 - share), np.float32)


def _surface(low: Point, high: Point, groups: list[tuple[list[_Bone], float]]) -> bpy.types.Mesh:
    axes = [np.arange(a, b, CELL, dtype=np.float32) for a, b in zip(low, high, strict=True)]
    grid = tuple(np.meshgrid(*axes, indexing="ij", sparse=True))
    whole: Field | None = None
    for bones, soft in groups:
        part = _distance(grid, bones[0])
        for bone in bones[1:]:
            part = _joined(part, _distance(grid, bone), 0.28 if soft < 0.4 else 0.5)
        whole = part if whole is None else _joined(whole, part, soft)
    assert whole is not None
    points, faces, _, _ = marching_cubes(whole, 0.0, spacing=(CELL,) * 3)
    mesh = bpy.data.meshes.new("hand")
    mesh.from_pydata((points + low).tolist(), [], faces[:, ::-1].tolist())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    mesh.update()
    return mesh


def _skin(colour: Colour) -> things.Material:
    base = things.linear(colour)
    skin = things.Material(
        "skin", Roughness=0.5, Subsurface_Weight=0.35, Subsurface_Scale=0.25,
        Subsurface_Radius=(1.0, 0.35, 0.2), Specular_IOR_Level=0.4,
    )  # fmt: skip
    skin.surface.subsurface_method = "BURLEY"
    ramp = skin.node("ShaderNodeValToRGB")
    red = (base[0] * 0.86, base[1] * 0.66, base[2] * 0.6, 1)
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[0].position = red, 0.3
    ramp.color_ramp.elements[1].color, ramp.color_ramp.elements[1].position = base, 0.62
    skin.join(skin.noise(1.1, 5.0), ramp.inputs[0])
    skin.join(ramp.outputs[0], "Base Color")
    skin.bumps(skin.noise(14.0, 4.0), 0.16, 0.06)
    return skin


def _nails(fingers: list[list[_Bone]], colour: Colour, parent: bpy.types.Object) -> None:
    pale = tuple(min(255, int(v * 0.6 + 96)) for v in colour)
    surface = things.plain("nail", (pale[0], pale[1], pale[2]), 0.25)
    profile = [(0.0, -0.5), (0.6, -0.4), (1.0, 0.0), (0.6, 0.4), (0.0, 0.5)]
    for k, bones in enumerate(fingers):
        bone = bones[-1]
        along = Vector(bone.end - bone.start).normalized()
        side = along.cross(Vector((0.75, 0, 0.65) if k == 4 else (0, 0, 1))).normalized()
        up = side.cross(along)
        r = bone.thick[1]
        at = Vector(bone.end) + along * r * 0.12 + up * r * 0.8
        form = Matrix((side * r * 0.7, along * r * 0.95, up * r * 0.34)).transposed().to_4x4()
        nail = things.place("nail", things.turned("nail", profile, 24), surface)
        nail.matrix_world = Matrix.Translation(at) @ form
        nail.parent = parent


def _sleeve(colour: Colour, seed: int) -> bpy.types.Object:
    rng = np.random.default_rng(seed)
    rows, steps = 90, 96
    creases = noise(rng, rows, steps, 5, 26) * 0.075 + noise(rng, rows, steps, 12, 40) * 0.1
    creases[:, -8:] = creases[:, :8][:, ::-1]
    profile, points = np.linspace(-2.6, -20, rows), []
    for j, y in enumerate(profile):
        cuff = 0.12 if j < 5 else 0.0
        radius = 1.75 + 0.05 * (-y - 2.6) + cuff * 0.6
        for i, a in enumerate(np.linspace(0, 2 * np.pi, steps, endpoint=False)):
            r = radius + (creases[j, i] if j > 4 else 0.03)
            points.append((1.12 * r * np.cos(a), y, 0.92 * r * np.sin(a) - 0.055 * y))
    inner = [(x * 0.86, y, z * 0.86 + 0.02) for x, y, z in points[:steps]]
    faces = []
    for j in range(rows - 1):
        for i in range(steps):
            k, m = j * steps + i, j * steps + (i + 1) % steps
            faces.append((k, k + steps, m + steps, m))
    low = len(points)
    faces += [(i, (i + 1) % steps, low + (i + 1) % steps, low + i) for i in range(steps)]
    mesh = bpy.data.meshes.new("sleeve")
    mesh.from_pydata(points + inner, [], faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    mesh.update()
    cloth = things.plain("sleeve", colour, 0.92)
    cloth.bumps(cloth.noise(22.0, 2.0), 0.5, 0.06)
    return things.place("sleeve", mesh, cloth)


def reach_over(reach: Reach, top: float, seed: int) -> list[bpy.types.Object]:
    """A hand over the table whose top is so high; its parts, to be hidden afterwards."""
    fingers = _fingers()
    groups = [(_palm(), 0.6), *((bones, 0.3) for bones in fingers)]
    mesh = _surface(np.array((-4.2, -6.5, -4.6)), np.array((4.2, 9.5, 2.6)), groups)
    hand = things.place("hand", mesh, _skin(reach.skin))
    smooth = hand.modifiers.new("smooth", "SMOOTH")
    smooth.iterations = 3
    _nails(fingers, reach.skin, hand)
    sleeve = _sleeve(reach.sleeve, seed)
    sleeve.parent = hand
    tip = Vector(fingers[0][-1].end)
    form = Matrix.Rotation(np.deg2rad(reach.heading_deg - 90), 4, "Z")
    at = Vector((*reach.tip, top + reach.height)) - form @ tip
    hand.matrix_world = Matrix.Translation(at) @ form
    return [hand, *hand.children]
