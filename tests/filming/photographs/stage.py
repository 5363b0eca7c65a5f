"""Daylight, room, camera and path tracing of a photographed table (Blender's `bpy`)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import bpy
import cv2
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from numpy.typing import NDArray

from tests.filming.photographs.looks import Aim, Light

Picture = NDArray[np.uint8]
Box = tuple[int, int, int, int]
CAST = 0.9
"""So far (squares) round a thing its shadow and its light reach, for what is traced again."""
FEATHER_PX = 9


class Stage:
    """A scene with light and a camera; things are put in by `things`."""

    def __init__(self, width: int, height: int, aim: Aim, light: Light, samples: int) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = bpy.context.scene
        self.size = (width, height)
        self._camera(aim)
        self._light(light)
        r, c = self.scene.render, self.scene.cycles
        r.engine = "CYCLES"
        r.resolution_x, r.resolution_y, r.resolution_percentage = width, height, 100
        r.threads_mode, r.threads = "FIXED", 1
        r.use_persistent_data = True
        r.image_settings.file_format = "PNG"
        c.device, c.samples, c.seed = "CPU", samples, 7
        c.use_adaptive_sampling, c.use_light_tree = False, False
        c.use_denoising, c.denoiser = True, "OPENIMAGEDENOISE"
        c.denoising_prefilter = "FAST"
        c.max_bounces, c.diffuse_bounces, c.glossy_bounces = 3, 2, 2
        c.transmission_bounces, c.volume_bounces = 2, 0
        c.sample_clamp_indirect = 4.0
        c.caustics_reflective = c.caustics_refractive = False
        self.scene.view_settings.view_transform = "AgX"
        self.scene.view_settings.look = "AgX - Medium High Contrast"

    def _camera(self, aim: Aim) -> None:
        made = bpy.data.cameras.new("camera")
        made.sensor_fit, made.sensor_height = "VERTICAL", 24.0
        made.angle_y = float(np.deg2rad(aim.height_deg))
        away = aim.extent / 2 / float(np.tan(np.deg2rad(aim.height_deg) / 2))
        tilt = float(np.deg2rad(aim.tilt_deg))
        eye = bpy.data.objects.new("camera", made)
        eye.location = (
            aim.middle[0], aim.middle[1] - away * np.sin(tilt), away * np.cos(tilt)
        )  # fmt: skip
        eye.rotation_mode = "XYZ"
        eye.rotation_euler = (tilt, 0, 0)
        self.scene.collection.objects.link(eye)
        eye.rotation_euler.rotate_axis("Z", float(np.deg2rad(aim.roll_deg)))
        made.dof.use_dof = True
        made.dof.focus_distance = away
        made.dof.aperture_fstop = aim.f_stop
        made.clip_end = 1000
        self.scene.camera = eye
        self.eye = eye

    def _light(self, light: Light) -> None:
        world = bpy.data.worlds.new("room")
        world.use_nodes = True
        back = world.node_tree.nodes["Background"]
        back.inputs[0].default_value = (*light.room_colour, 1)
        back.inputs[1].default_value = light.room
        self.scene.world = world
        a = np.deg2rad(light.window_deg)
        out = Vector((np.cos(a), np.sin(a), 0))
        along = Vector((-np.sin(a), np.cos(a), 0))
        middle = out * 62 + Vector((0, 0, 52))
        for i in (-1, 1):
            for j in (-1, 1):
                pane = middle + along * (13.0 * i) + Vector((0, 0, 15.0 * j))
                power = light.window * np.pi * (62**2 + 52**2) / 4 * 1.6
                self._area("pane", pane, (23, 27), power, light.window_colour)
        lamp = Vector((18, 12, 95))
        self._area("lamp", lamp, (14, 14), light.lamp * np.pi * 95**2, light.lamp_colour)

    def _area(
        self,
        name: str,
        at: Vector,
        size: tuple[float, float],
        power: float,
        colour: tuple[float, float, float],
    ) -> None:
        made = bpy.data.lights.new(name, "AREA")
        made.shape, made.size, made.size_y = "RECTANGLE", *size
        made.energy, made.color = float(power), colour
        lamp = bpy.data.objects.new(name, made)
        lamp.location = at
        lamp.rotation_euler = (-at).to_track_quat("-Z", "Y").to_euler()
        self.scene.collection.objects.link(lamp)

    def seen_at(self, points: Iterable[Sequence[float]]) -> NDArray[np.float64]:
        """Where points of the table are in the picture: (n, 2) pixels."""
        bpy.context.view_layer.update()
        w, h = self.size
        out = []
        for point in points:
            v = world_to_camera_view(self.scene, self.eye, Vector(point))
            out.append((v.x * w, (1 - v.y) * h))
        return np.array(out)

    def box_of(self, things: Iterable[bpy.types.Object]) -> Box | None:
        """The part of the picture that things and their shadows change: x0, y0, x1, y1."""
        bpy.context.view_layer.update()
        points: list[Sequence[float]] = []
        for thing in things:
            corners = [thing.matrix_world @ Vector(c) for c in thing.bound_box]
            top = max(c.z for c in corners)
            reach = CAST + 0.8 * max(0.0, top - 0.6)
            for c in corners:
                for dx in (-reach, reach):
                    points += [(c.x + dx, c.y + dy, c.z) for dy in (-reach, reach)]
        if not points:
            return None
        seen, (w, h) = self.seen_at(points), self.size
        x0, y0 = np.floor(seen.min(0)).astype(int)
        x1, y1 = np.ceil(seen.max(0)).astype(int)
        return max(0, int(x0)), max(0, int(y0)), min(w, int(x1)), min(h, int(y1))

    def trace(self, box: Box | None = None) -> Picture:
        """Trace the scene, or a part of the picture; what is outside the part is black."""
        r, (w, h) = self.scene.render, self.size
        r.use_border = box is not None
        if box is not None:
            r.border_min_x, r.border_max_x = box[0] / w, box[2] / w
            r.border_min_y, r.border_max_y = 1 - box[3] / h, 1 - box[1] / h
        with tempfile.TemporaryDirectory() as folder:
            r.filepath = str(Path(folder) / "traced.png")
            bpy.ops.render.render(write_still=True)
            picture = cv2.imread(r.filepath, cv2.IMREAD_COLOR)
        assert picture is not None
        return np.asarray(picture, np.uint8)

    def retrace(self, before: Picture, changed: Iterable[bpy.types.Object]) -> Picture:
        """The picture after things came or went, tracing anew only what they change."""
        box = self.box_of(changed)
        if box is None or box[0] >= box[2] or box[1] >= box[3]:
            return before
        fresh = self.trace(box)
        mask = np.zeros(before.shape[:2], np.float32)
        x0, y0, x1, y1 = box
        h, w = mask.shape
        edge = FEATHER_PX
        left, top = (0 if x0 == 0 else x0 + edge), (0 if y0 == 0 else y0 + edge)
        right, low = (w if x1 == w else x1 - edge), (h if y1 == h else y1 - edge)
        mask[top:low, left:right] = 1
        mask = cv2.GaussianBlur(mask, (0, 0), edge / 3)
        inside = np.zeros_like(mask)
        inside[y0:y1, x0:x1] = 1
        share = (mask * inside)[..., None]
        return (before * (1 - share) + fresh * share + 0.5).astype(np.uint8)


def developed(picture: Picture, seed: int) -> Picture:
    """What a webcam's lens and chip make of a traced picture: soft edges, noise, sharpening."""
    h, w = picture.shape[:2]
    rng = np.random.default_rng(seed)
    out = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.55)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    off = ((x / w - 0.5) ** 2 + (y / h - 0.5) ** 2)[..., None]
    out *= 1.02 - 0.22 * off
    spread = 0.9 + 0.012 * out
    grain = rng.standard_normal((h, w, 1)) * 0.55 + rng.standard_normal((h, w, 3)) * 0.3
    out += spread * cv2.GaussianBlur(grain.astype(np.float32), (0, 0), 0.6)
    out += 0.35 * (out - cv2.GaussianBlur(out, (0, 0), 1.4))
    return np.clip(out + 0.5, 0, 255).astype(np.uint8)
