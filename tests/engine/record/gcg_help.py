"""The tile sets that game records are replayed with, and the records beside the project."""

from kibitz.app.common.materials.named import TILE_SETS, load_tile_set
from tests.helpers.shared_data import SHARED

FILES = sorted((SHARED / "gcg").glob("*.gcg")) if (SHARED / "gcg").exists() else []


SETS = [load_tile_set(name) for name in TILE_SETS]
