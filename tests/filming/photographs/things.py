"""Things on a photographed table as meshes and materials of Blender (`bpy`).

Lengths are sides of a square (19 mm); the middle of the board is the origin, row A at positive y,
the table's top at z 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from tests.filming.photographs.looks import TileLook
from tests.filming.photographs.prints import face_at

Colour = tuple[int, int, int]
Picture = NDArray[np.uint8]
TILE_SIDE, TILE_HEIGHT = 0.93, 0.22


def linear(colour: Colour) -> tuple[float, float, float, float]:
    """A printed colour as light: red, green, blue, 1."""
    v = np.array(colour) / 255.0
    r, g, b = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    return float(r), float(g), float(b), 1.0


def image_of(name: str, picture: Picture, *, data: bool = False) -> bpy.types.Image:
    """A picture that materials can show; `data` where it is no colour."""
    h, w = picture.shape[:2]
    rgba = np.ones((h, w, 4), np.float32)
    rgba[..., :3] = (picture if picture.ndim == 3 else picture[..., None]) / 255.0
    image = bpy.data.images.new(name, w, h, alpha=False, is_data=data)
    image.pixels.foreach_set(rgba[::-1].ravel())
    image.pack()
    return image


class Material:
    """A material with one principled surface whose inputs may be joined to other nodes."""

    def __init__(self, name: str, **inputs: object) -> None:
        self.made = bpy.data.materials.new(name)
        self.made.use_nodes = True
        self.tree = self.made.node_tree
        self.surface = self.tree.nodes["Principled BSDF"]
        for key, value in inputs.items():
            self.surface.inputs[key.replace("_", " ")].default_value = value

    def node(self, kind: str, **settings: object) -> bpy.types.Node:
        """A new node with its settings."""
        made = self.tree.nodes.new(kind)
        for key, value in settings.items():
            setattr(made, key, value)
        return made

    def join(self, output: bpy.types.NodeSocket, to: bpy.types.NodeSocket | str) -> None:
        """Lead one node's output into another's input, or into one of the surface's by name."""
        self.tree.links.new(output, self.surface.inputs[to] if isinstance(to, str) else to)

    def picture(self, image: bpy.types.Image, uv: str = "UVMap") -> bpy.types.Node:
        """A node that shows a picture by the mesh's coordinates."""
        shown = self.node("ShaderNodeTexImage", image=image, interpolation="Cubic")
        self.join(self.node("ShaderNodeUVMap", uv_map=uv).outputs[0], shown.inputs[0])
        return shown

    def bumps(
        self,
        height: bpy.types.NodeSocket,
        strength: float,
        distance: float,
        *,
        invert: bool = False,
    ) -> None:
        """Let the surface follow a height."""
        bump = self.node("ShaderNodeBump", invert=invert)
        bump.inputs["Strength"].default_value = strength
        bump.inputs["Distance"].default_value = distance
        self.join(height, bump.inputs["Height"])
        self.join(bump.outputs[0], "Normal")

    def noise(self, scale: float, detail: float = 3.0) -> bpy.types.NodeSocket:
        """Noise in the object's own space."""
        place = self.node("ShaderNodeTexCoord")
        made = self.node("ShaderNodeTexNoise")
        made.inputs["Scale"].default_value = scale
        made.inputs["Detail"].default_value = detail
        self.join(place.outputs["Object"], made.inputs["Vector"])
        return made.outputs["Fac"]


def printed(name: str, picture: Picture, roughness: float, *, relief: float = 0.0) -> Material:
    """A surface that shows a picture; `relief` lets it stand out where the picture is bright."""
    material = Material(name, Roughness=roughness)
    shown = material.picture(image_of(name, picture))
    material.join(shown.outputs[0], "Base Color")
    if relief:
        material.bumps(shown.outputs[0], relief, 0.05)
    return material


def plain(name: str, colour: Colour, roughness: float, **inputs: object) -> Material:
    """A surface of one colour."""
    return Material(name, Base_Color=linear(colour), Roughness=roughness, **inputs)


def place(name: str, mesh: bpy.types.Mesh, *materials: Material) -> bpy.types.Object:
    """Put a mesh on the table."""
    thing = bpy.data.objects.new(name, mesh)
    if not mesh.materials:
        for material in materials:
            mesh.materials.append(material.made)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def _filled(
    name: str, fill: Callable[[bmesh.types.BMesh], None], *, smooth: bool
) -> bpy.types.Mesh:
    mesh, form = bpy.data.meshes.new(name), bmesh.new()
    fill(form)
    for face in form.faces:
        face.smooth = smooth
    form.to_mesh(mesh)
    form.free()
    return mesh


def rounded_outline(
    w: float, h: float, radius: float, steps: int = 6
) -> list[tuple[float, float]]:
    """Corners of a rectangle about the origin with round corners, counter-clockwise."""
    out = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for a in np.linspace(0, np.pi / 2, steps) + k * np.pi / 2:
            x = sx * (w / 2 - radius) + radius * np.cos(a)
            y = sy * (h / 2 - radius) + radius * np.sin(a)
            out.append((float(x), float(y)))
    return out


def slab(
    name: str,
    size: tuple[float, float, float],
    radius: float,
    bevel: float,
    uv: tuple[float, float, float, float] = (0, 0, 1, 1),
) -> bpy.types.Mesh:
    """A flat block with round corners and soft upper edges; its top takes `uv` of a picture.

    Args:
        name: of the mesh.
        size: width, depth, height; it stands on z 0.
        radius: of its four corners.
        bevel: of its upper edges.
        uv: x0, y0, x1, y1 of the picture. The top has the first material, the sides the second.
    """
    w, d, high = size
    rings = [(0.0, 0.0)]
    rings += [
        (high - bevel + bevel * float(np.sin(a)), bevel * (1 - float(np.cos(a))))
        for a in np.linspace(0, np.pi / 2, 5)
    ]

    def fill(form: bmesh.types.BMesh) -> None:
        layer = form.loops.layers.uv.new("UVMap")
        loops = []
        for z, inset in rings:
            outline = rounded_outline(w - 2 * inset, d - 2 * inset, max(radius - inset, 0.01))
            loops.append([form.verts.new((x, y, z)) for x, y in outline])
        n = len(loops[0])
        for low, up in pairwise(loops):
            for k in range(n):
                face = form.faces.new((low[k], low[(k + 1) % n], up[(k + 1) % n], up[k]))
                face.material_index = 1
        form.faces.new(loops[-1])
        for face in form.faces:
            for loop in face.loops:
                x, y, _ = loop.vert.co
                loop[layer].uv = (
                    uv[0] + (uv[2] - uv[0]) * (x / w + 0.5),
                    uv[1] + (uv[3] - uv[1]) * (y / d + 0.5),
                )

    mesh = _filled(name, fill, smooth=True)
    top = len(mesh.polygons) - 1
    mesh.polygons[top].use_smooth = False
    return mesh


def sheet(name: str, size: tuple[float, float], curl: float, seed: int) -> bpy.types.Mesh:
    """A thin sheet whose corners rise a little."""
    rng = np.random.default_rng(seed)
    lift = rng.uniform(0.2, 1.0, 4) * curl
    n = 16

    def fill(form: bmesh.types.BMesh) -> None:
        layer = form.loops.layers.uv.new("UVMap")
        verts = []
        for j in range(n + 1):
            for i in range(n + 1):
                u, v = i / n, j / n
                z = sum(
                    share * (1 - min(1.0, float(np.hypot(u - a, v - b)) * 1.3)) ** 2
                    for share, (a, b) in zip(lift, ((0, 0), (1, 0), (0, 1), (1, 1)), strict=True)
                )
                verts.append(form.verts.new(((u - 0.5) * size[0], (v - 0.5) * size[1], 0.02 + z)))
        for j in range(n):
            for i in range(n):
                k = j * (n + 1) + i
                face = form.faces.new((verts[k], verts[k + 1], verts[k + n + 2], verts[k + n + 1]))
                for loop, (a, b) in zip(face.loops, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
                    loop[layer].uv = ((i + a) / n, (j + b) / n)

    return _filled(name, fill, smooth=True)


def turned(name: str, profile: Sequence[tuple[float, float]], steps: int = 64) -> bpy.types.Mesh:
    """What a lathe makes of a profile of (radius, height)."""

    def fill(form: bmesh.types.BMesh) -> None:
        rings = []
        for radius, z in profile:
            angles = np.linspace(0, 2 * np.pi, steps, endpoint=False)
            rings.append(
                [form.verts.new((radius * np.cos(a), radius * np.sin(a), z)) for a in angles]
            )
        for low, up in pairwise(rings):
            for k in range(steps):
                form.faces.new((low[k], low[(k + 1) % steps], up[(k + 1) % steps], up[k]))
        form.faces.new(rings[-1])

    return _filled(name, fill, smooth=True)


def tube(
    name: str, path: Sequence[Sequence[float]], radius: float, steps: int = 16
) -> bpy.types.Mesh:
    """A round rod along a path."""
    points = [Vector(p) for p in path]

    def fill(form: bmesh.types.BMesh) -> None:
        rings = []
        for k, point in enumerate(points):
            along = points[min(k + 1, len(points) - 1)] - points[max(k - 1, 0)]
            turn = along.to_track_quat("Z", "Y").to_matrix()
            ring = []
            for a in np.linspace(0, 2 * np.pi, steps, endpoint=False):
                ring.append(
                    form.verts.new(point + turn @ Vector((np.cos(a), np.sin(a), 0)) * radius)
                )
            rings.append(ring)
        for low, up in pairwise(rings):
            for k in range(steps):
                form.faces.new((low[k], low[(k + 1) % steps], up[(k + 1) % steps], up[k]))
        form.faces.new(rings[-1])
        form.faces.new(rings[0][::-1])

    return _filled(name, fill, smooth=True)


class TileSet:
    """Tiles of one look; every face is one mesh."""

    def __init__(self, name: str, look: TileLook, faces: Picture, grain: Picture | None) -> None:
        self.name = name
        self._meshes: dict[str, bpy.types.Mesh] = {}
        self._top = _tile_top(name, look, faces, grain)
        self._side = _tile_body(f"{name} side", look, grain)

    def lay(self, char: str, at: tuple[float, float, float], turn_deg: float) -> bpy.types.Object:
        """A tile at a place, turned clockwise."""
        if char not in self._meshes:
            size = (TILE_SIDE, TILE_SIDE, TILE_HEIGHT)
            mesh = slab(f"{self.name} {char}", size, 0.1, 0.055, face_at(char))
            mesh.materials.append(self._top.made)
            mesh.materials.append(self._side.made)
            self._meshes[char] = mesh
        tile = place(f"{self.name} {char}", self._meshes[char])
        tile.location, tile.rotation_euler = at, (0, 0, -np.deg2rad(turn_deg))
        return tile


def _tile_body(name: str, look: TileLook, grain: Picture | None) -> Material:
    if grain is None:
        return plain(name, look.body, 0.32)
    material = Material(name, Roughness=0.42)
    _own_grain(material, grain, "Base Color")
    return material


def _own_grain(material: Material, grain: Picture, to: bpy.types.NodeSocket | str) -> None:
    """Wood whose grain is another one for every tile."""
    image = bpy.data.images.get("tile wood") or image_of("tile wood", grain)
    shown = material.node("ShaderNodeTexImage", image=image, extension="MIRROR")
    where = material.node("ShaderNodeTexCoord")
    own = material.node("ShaderNodeObjectInfo")
    spread = material.node("ShaderNodeVectorMath", operation="MULTIPLY_ADD")
    spread.inputs[1].default_value = (0.12, 0.12, 0.12)
    wide = material.node("ShaderNodeMath", operation="MULTIPLY")
    wide.inputs[1].default_value = 7.31
    material.join(own.outputs["Random"], wide.inputs[0])
    material.join(where.outputs["Object"], spread.inputs[0])
    material.join(wide.outputs[0], spread.inputs[2])
    material.join(spread.outputs[0], shown.inputs[0])
    shade = material.node("ShaderNodeHueSaturation")
    vary = material.node("ShaderNodeMapRange")
    vary.inputs["To Min"].default_value, vary.inputs["To Max"].default_value = 0.9, 1.06
    material.join(own.outputs["Random"], vary.inputs["Value"])
    material.join(vary.outputs[0], shade.inputs["Value"])
    material.join(shown.outputs[0], shade.inputs["Color"])
    material.join(shade.outputs[0], to)


def _tile_top(name: str, look: TileLook, faces: Picture, grain: Picture | None) -> Material:
    material = _tile_body(f"{name} top", look, None)
    ink = material.picture(image_of(f"{name} faces", faces, data=True))
    mix = material.node("ShaderNodeMix", data_type="RGBA")
    mix.inputs[7].default_value = linear(look.ink)
    if grain is None:
        mix.inputs[6].default_value = linear(look.body)
    else:
        material.surface.inputs["Roughness"].default_value = 0.42
        _own_grain(material, grain, mix.inputs[6])
    material.join(ink.outputs[0], mix.inputs[0])
    material.join(mix.outputs[2], "Base Color")
    material.bumps(ink.outputs[0], 0.35, 0.03, invert=True)
    return material


def mug(glaze: Colour, drink: Colour) -> bpy.types.Object:
    """A mug with a drink in it."""
    outer = [(0.0, 0.02), (1.7, 0.0), (1.95, 0.15), (2.05, 0.6), (2.1, 4.6), (2.04, 4.72)]
    inner = [(1.93, 4.68), (1.88, 4.4), (1.82, 0.6), (1.5, 0.3), (0.0, 0.3)]
    body = place("mug", turned("mug", outer + inner), plain("glaze", glaze, 0.16))
    ring = [
        (2.0 + 1.25 * np.sin(a), 0.0, 2.45 + 1.35 * np.cos(a)) for a in np.linspace(0.15, 3.0, 24)
    ]
    handle = place("mug handle", tube("mug handle", ring, 0.27), plain("glaze 2", glaze, 0.16))
    full = turned("drink", [(1.86, 3.55), (0.0, 3.55)])
    liquid = place("drink", full, plain("drink", drink, 0.05))
    handle.parent = liquid.parent = body
    return body


def plate(glaze: Colour, biscuits: Sequence[tuple[float, float]], seed: int) -> bpy.types.Object:
    """A small plate with biscuits at places on it."""
    outline = [
        (0.0, 0.02), (2.4, 0.0), (4.2, 0.5), (4.4, 0.62), (4.35, 0.68), (3.2, 0.33), (2.6, 0.2),
        (0.0, 0.2),
    ]  # fmt: skip
    body = place("plate", turned("plate", outline, 96), plain("plate", glaze, 0.18))
    rng = np.random.default_rng(seed)
    baked = plain("biscuit", (196, 142, 84), 0.8)
    baked.bumps(baked.noise(9.0, 6.0), 0.5, 0.12)
    chips = plain("chocolate", (58, 34, 24), 0.4)
    for k, (x, y) in enumerate(biscuits):
        round_ = [(1.3, 0.0), (1.42, 0.14), (1.3, 0.34), (0.8, 0.44), (0.0, 0.47)]
        biscuit = place(f"biscuit {k}", turned("biscuit", round_, 40), baked)
        biscuit.location = (x, y, 0.22 + 0.18 * k)
        biscuit.rotation_euler = (*(rng.normal(0, 0.06, 2)), rng.uniform(0, 6))
        biscuit.parent = body
        for _ in range(7):
            a, r = rng.uniform(0, 2 * np.pi), 1.1 * np.sqrt(rng.random())
            drop = place(
                "chip", turned("chip", [(0.14, 0.0), (0.11, 0.09), (0.0, 0.11)], 10), chips
            )
            drop.location = (r * np.cos(a), r * np.sin(a), 0.36 + 0.08 * (1.1 - r))
            drop.parent = biscuit
    return body


def pencil(paint: Colour) -> bpy.types.Object:
    """A sharpened hexagonal pencil lying along x."""
    body = tube("pencil", [(0, 0, 0), (7.4, 0, 0)], 0.19, 6)
    for face in body.polygons:
        face.use_smooth = False
    whole = place("pencil", body, plain("paint", paint, 0.3))
    cone = turned("pencil wood", [(0.185, 0), (0.05, 0.85)], 24)
    wooden = place("pencil wood", cone, plain("pencil wood", (214, 172, 120), 0.7))
    lead = turned("lead", [(0.05, 0.85), (0.012, 1.06)], 12)
    tip = place("lead", lead, plain("lead", (40, 40, 42), 0.4))
    metal = tube("ferrule", [(-0.75, 0, 0), (0.05, 0, 0)], 0.2, 24)
    ring = place("ferrule", metal, plain("ferrule", (190, 170, 110), 0.3, Metallic=1.0))
    rubber = tube("rubber", [(-1.25, 0, 0), (-0.7, 0, 0)], 0.18, 24)
    end = place("rubber", rubber, plain("rubber", (206, 120, 116), 0.85))
    for part in (wooden, tip):
        part.location, part.rotation_euler = (7.4, 0, 0), (0, np.pi / 2, 0)
    for part in (wooden, tip, ring, end):
        part.parent = whole
    return whole


def rack(material: Material, tiles: TileSet, letters: str) -> bpy.types.Object:
    """A tile rack along x whose tiles face whoever sits at negative y."""
    profile = [
        (-0.62, 0),
        (0.62, 0),
        (0.62, 0.2),
        (0.42, 0.92),
        (0.22, 0.98),
        (-0.26, 0.3),
        (-0.62, 0.42),
    ]
    width = 9.6

    def fill(form: bmesh.types.BMesh) -> None:
        ends = [[form.verts.new((x, y, z)) for y, z in profile] for x in (-width / 2, width / 2)]
        n = len(profile)
        for k in range(n):
            form.faces.new((ends[0][k], ends[1][k], ends[1][(k + 1) % n], ends[0][(k + 1) % n]))
        form.faces.new(ends[0][::-1])
        form.faces.new(ends[1])
        bmesh.ops.recalc_face_normals(form, faces=form.faces)
        bmesh.ops.bevel(form, geom=form.edges[:], offset=0.05, segments=3, affect="EDGES")

    body = place("rack", _filled("rack", fill, smooth=False), material)
    lean = np.deg2rad(56)
    for k, char in enumerate(letters):
        tile = tiles.lay(char, (0, 0, 0), 0)
        x = (k - (len(letters) - 1) / 2) * 0.98
        turn = Matrix.Rotation(lean, 4, "X")
        tile.matrix_world = Matrix.Translation((x, -0.06, 0.78)) @ turn
        tile.parent = body
    return body


def peg_board(material: Material, seed: int) -> bpy.types.Object:
    """A cribbage board along x: two tracks of holes, a peg or two in each."""
    rng = np.random.default_rng(seed)
    size = (13.0, 2.6, 0.55)
    body = place("peg board", slab("peg board", size, 0.3, 0.12), material, material)
    dark = plain("hole", (30, 22, 18), 0.9)
    hole = turned("hole", [(0.1, 0.0), (0.1, 0.004), (0.0, 0.004)], 16)
    rows = (-0.75, -0.4, 0.4, 0.75)
    places = [(-5.75 + 0.36 * k + 0.24 * (k // 5), y) for k in range(25) for y in rows]
    for x, y in places:
        made = place("hole", hole, dark)
        made.location, made.parent = (x, y, size[2]), body
    for k, paint in enumerate(((176, 40, 40), (176, 40, 40), (40, 84, 160), (40, 84, 160))):
        x, _ = places[4 * int(rng.integers(2, 14))]
        stick = tube("peg", [(0, 0, 0), (0.05, 0.03, 1.15)], 0.09, 12)
        peg = place("peg", stick, plain("peg", paint, 0.35))
        peg.location, peg.parent = (x, rows[k], size[2]), body
    return body
