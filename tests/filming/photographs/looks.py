"""Looks that a game is photographed in: table, board, tiles, light, camera, what lies around.

A game file names its look.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.filming.photographs.prints import BoardDesign, Colour


@dataclass(frozen=True)
class Light:
    """Where the window is (degrees counter-clockwise from the right), how bright things are."""

    window_deg: float = 150.0
    window: float = 3.3
    window_colour: tuple[float, float, float] = (0.93, 0.97, 1.0)
    lamp: float = 0.42
    lamp_colour: tuple[float, float, float] = (1.0, 0.78, 0.55)
    room: float = 0.3
    room_colour: tuple[float, float, float] = (1.0, 0.95, 0.88)


@dataclass(frozen=True)
class Aim:
    """How the camera stands: leaning from straight down, turned, and how wide it sees.

    `extent` is how many squares the picture's height shows at the table; `middle` the point in
    the middle of the picture.
    """

    tilt_deg: float
    roll_deg: float
    extent: float
    middle: tuple[float, float] = (0.0, 0.0)
    height_deg: float = 38.0
    f_stop: float = 3.4


@dataclass(frozen=True)
class TileLook:
    """A tile set: its colours, whether it is of wood (whose colour is its own), its typeface."""

    body: Colour
    ink: Colour
    wooden: bool = False
    family: str = "archivo-700"


@dataclass(frozen=True)
class Reach:
    """Where a hand's forefinger points, where its arm comes from, and what it looks like."""

    tip: tuple[float, float] = (0.0, 0.0)
    heading_deg: float = 90.0
    """The way the fingers point, counter-clockwise from the picture's right."""
    skin: Colour = (216, 164, 134)
    sleeve: Colour = (70, 84, 108)
    height: float = 0.75
    """How high over the table's top the fingertip is."""


MAPLE = TileLook((222, 190, 146), (38, 30, 26), wooden=True)
IVORY = TileLook((240, 232, 208), (30, 32, 40), family="libre-franklin-700")
GREEN = TileLook((24, 74, 62), (240, 236, 220), family="archivo-700")
OAK = ((205, 160, 108), (128, 82, 44))
WALNUT = ((134, 92, 62), (62, 38, 24))
PINE = ((226, 186, 134), (172, 122, 72))


@dataclass(frozen=True)
class Look:
    """How a game's table looks; `table` is light and dark wood, or a cloth's two colours."""

    aim: Aim
    table: tuple[Colour, Colour]
    cloth: bool = False
    table_squares: float = 72.0
    plank: float = 7.0
    grain_deg: float = 0.0
    boards: tuple[BoardDesign, ...] = ()
    rims: tuple[float, float, float, float] = (0.9, 0.9, 0.9, 0.9)
    board_turn_deg: float = 0.0
    tiles: TileLook = MAPLE
    second_tiles: TileLook = GREEN
    light: Light = field(default_factory=Light)
    reach: Reach = field(default_factory=Reach)
    """The hand in those photographs that have one."""
    props: tuple[tuple[str, float, float, float], ...] = ()
    """Thing, x, y, turned by degrees."""


CLASSIC = BoardDesign(
    (214, 205, 178), (246, 242, 228),
    ((190, 52, 44), (226, 150, 148), (44, 102, 160), (150, 192, 214)),
    (58, 84, 74), (240, 236, 220),
)  # fmt: skip
SLATE = BoardDesign(
    (196, 204, 202), (236, 240, 238),
    ((172, 44, 62), (222, 146, 150), (38, 84, 140), (134, 176, 206)),
    (40, 58, 86), (232, 232, 224), family="work-sans-700",
)  # fmt: skip
SAND = BoardDesign(
    (226, 212, 184), (196, 178, 144),
    ((206, 74, 42), (236, 164, 128), (44, 122, 128), (146, 200, 196)),
    (122, 56, 44), (246, 232, 206), family="bitter-700",
)  # fmt: skip
LEAF = BoardDesign(
    (178, 196, 160), (226, 234, 214),
    ((184, 48, 50), (230, 158, 140), (46, 84, 150), (144, 178, 220)),
    (86, 62, 44), (244, 236, 214), family="cabin-700",
)  # fmt: skip
LINEN = BoardDesign(
    (232, 226, 210), (206, 198, 178),
    ((196, 62, 70), (238, 172, 168), (58, 110, 168), (168, 204, 224)),
    (92, 92, 96), (244, 240, 230), family="lato-700",
)  # fmt: skip
NO_RIMS = (0.0, 0.0, 0.0, 0.0)
"""Of boards that are joined."""

LOOKS = {
    "oak": Look(
        aim=Aim(15.0, -2.0, 22.5, (0.4, 0.1)),
        table=OAK,
        boards=(CLASSIC,),
        board_turn_deg=1.2,
        reach=Reach((1.0, -3.7), 114.0),
        props=(
            ("rack", 0.6, -10.3, 2.0),
            ("rack", -0.9, 10.6, 183.0),
            ("mug", 13.6, 6.2, -40.0),
            ("sheet", -13.0, -1.0, 9.0),
            ("pencil", -13.6, -6.4, 62.0),
            ("plate", 14.4, -6.4, 0.0),
        ),
    ),
    "walnut": Look(
        aim=Aim(17.0, 2.5, 23.0, (0.0, 0.0)),
        table=WALNUT,
        boards=(SAND,),
        board_turn_deg=-4.0,
        tiles=IVORY,
        reach=Reach((2.6, -0.6), 122.0, skin=(150, 100, 74), sleeve=(150, 60, 52)),
        light=Light(window_deg=35.0, lamp=0.75),
        props=(
            ("rack", -0.4, -10.6, -3.0),
            ("rack", 0.9, 10.8, 178.0),
            ("pegs", -12.4, 1.0, 97.0),
            ("mug", -13.6, 9.0, 200.0),
            ("sheet", 13.2, 2.0, -8.0),
            ("pencil", 12.4, -6.4, 100.0),
        ),
    ),
    "checked cloth": Look(
        aim=Aim(14.0, -3.0, 22.5, (-0.3, 0.0)),
        table=((226, 218, 202), (120, 146, 166)),
        cloth=True,
        grain_deg=4.0,
        boards=(LEAF,),
        board_turn_deg=2.5,
        reach=Reach((1.6, 1.3), 102.0, skin=(226, 178, 150), sleeve=(96, 116, 84)),
        light=Light(window_deg=200.0),
        props=(
            ("rack", 1.0, -10.5, 1.0),
            ("rack", -1.1, 10.7, 181.0),
            ("mug", -13.4, -5.4, 150.0),
            ("plate", -14.8, 6.2, 20.0),
            ("sheet", 13.4, 1.0, -12.0),
        ),
    ),
    "pine": Look(
        aim=Aim(15.0, 1.8, 22.5, (0.2, 0.1)),
        table=PINE,
        plank=9.0,
        grain_deg=91.0,
        boards=(SLATE,),
        board_turn_deg=-1.6,
        tiles=IVORY,
        reach=Reach((2.6, -3.2), 118.0, skin=(196, 142, 112), sleeve=(52, 66, 92)),
        light=Light(window_deg=120.0),
        props=(
            ("rack", -0.7, -10.4, -2.0),
            ("rack", 1.0, 10.7, 179.0),
            ("sheet", 13.0, 3.4, -6.0),
            ("pencil", 10.8, -5.2, 52.0),
            ("mug", -13.2, 7.0, 220.0),
            ("plate", -14.8, -6.0, 70.0),
        ),
    ),
    "bare walnut": Look(
        aim=Aim(13.0, 0.0, 21.4, (0.0, -0.1)),
        table=WALNUT,
        plank=8.0,
        tiles=IVORY,
        reach=Reach((1.3, 4.4), 88.0, skin=(214, 162, 130), sleeve=(124, 50, 60)),
        light=Light(window_deg=115.0),
        props=(
            ("mug", 12.4, 7.6, 20.0),
            ("sheet", 12.6, -9.0, 24.0),
            ("pencil", -13.4, 7.4, 14.0),
        ),
    ),
    "nine boards": Look(
        aim=Aim(12.0, 1.2, 51.5, (0.0, -0.2)),
        table=WALNUT,
        table_squares=104.0,
        plank=9.0,
        boards=(CLASSIC, SAND, SLATE, LINEN, LEAF, CLASSIC, SLATE, LEAF, SAND),
        rims=NO_RIMS,
        board_turn_deg=0.6,
        light=Light(window_deg=140.0, window=3.3),
        props=(("mug", 27.0, 17.0, -40.0), ("pencil", -27.0, -12.0, 80.0)),
    ),
}
