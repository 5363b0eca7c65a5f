"""Imports go one way: app > vision > models | calibration > engine; all begin with `kibitz`."""

import ast
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.fast

ROOT = Path(__file__).resolve().parents[1]
MAY_IMPORT = {
    "engine": {"engine"},
    "calibration": {"calibration", "engine"},
    "models": {"models", "engine"},
    "vision": {"vision", "models", "calibration", "engine"},
    "app": {"app", "vision", "models", "calibration", "engine"},
}
# Training draws with the geometry and the cutting that reading uses, so that both stay one;
# games to be photographed are made up with the values and rules of the engine.
TRAINING_MAY = {"models", "calibration", "vision", "engine"}
ENGINE_STDLIB = {
    "__future__", "codecs", "collections", "dataclasses", "enum", "functools", "itertools", "json", "math",
    "operator", "re", "statistics", "string", "struct", "types", "typing", "gzip", "io", "bisect", "heapq", "copy",
    "unicodedata",
}  # fmt: skip


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def modules_imported(path: Path) -> set[str]:
    """The full names of the modules that a file imports from."""
    names = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def imported(path: Path) -> set[str]:
    """What a file imports: a top-level folder of Kibitz, or another package."""
    return {
        parts[1] if parts[0] == "kibitz" and len(parts) > 1 else parts[0]
        for parts in (name.split(".") for name in modules_imported(path))
    }


def test_every_import_of_our_own_begins_with_kibitz():
    """An unrelated module named `app` or `models` beside a user's script is never taken."""
    bare = [
        (str(path.relative_to(ROOT)), name)
        for folder in (*MAY_IMPORT, "tests", "datasets")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in modules_imported(path)
        if name.split(".")[0] in MAY_IMPORT
    ]

    assert [] == bare


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_imports_go_one_way(package):
    """No file imports a package above its own."""
    wrong = []
    for path in sorted((ROOT / package).rglob("*.py")):
        allowed = TRAINING_MAY if "training" in path.parts else MAY_IMPORT[package]
        wrong += [
            (path.name, name) for name in imported(path) & set(MAY_IMPORT) if name not in allowed
        ]

    assert [] == wrong


def test_engine_is_pure():
    """The engine uses a few modules of the standard library and nothing else."""
    used = {
        (path.name, name)
        for path in (ROOT / "engine").rglob("*.py")
        for name in imported(path)
        if name not in ENGINE_STDLIB | {"engine"}
    }

    assert set() == used


def test_a_folder_is_one_idea():
    """Every folder says what it is for in the first line of its own file."""
    files = [path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py")]
    folders = {path.parent for path in files if path.name != "__init__.py"}
    silent = [
        str(folder.relative_to(ROOT))
        for folder in folders
        if folder / "__init__.py" not in files
        or not ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    ]

    assert [] == silent


ROOMS = {
    "engine": ("basics", "record", "tracking", "games", "scenarios"),
    "app": (
        *("languages", "common", "wire", "words", "reading"),
        *("observers", "tables", "cameras"),  # live: what a camera sees becomes steps of a table
        *("face", "client", "archive", "hall", "server", "cli", "__main__"),
    ),
}
"""The rooms of a package, each of which may import those before it; engine's files are basics."""


def room_of(package: str, module: str) -> str:
    """The room of its package that a module, named as it is imported, lies in."""
    parts = module.removeprefix(f"kibitz.{package}.").split(".")
    return parts[0] if parts[0] in ROOMS[package] else ROOMS[package][0]


@pytest.mark.parametrize("package", sorted(ROOMS))
def test_rooms_are_imported_one_way(package):
    """No room knows one that uses it."""
    rank = ROOMS[package].index
    wrong = []
    for path in sorted((ROOT / package).rglob("*.py")):
        own = room_of(package, ".".join(path.relative_to(ROOT / package).with_suffix("").parts))
        wrong += [
            (str(path.relative_to(ROOT)), name)
            for name in modules_imported(path)
            if name.startswith(f"kibitz.{package}.") and rank(room_of(package, name)) > rank(own)
        ]

    assert [] == wrong


def test_every_folder_of_the_app_is_a_room():
    folders = {path.parent.name for path in (ROOT / "app").glob("*/__init__.py")}

    assert set(ROOMS["app"]) == {*folders, "__main__"}


def test_shapes_of_json_stand_in_one_room():
    """Whatever the server answers or a client hands out is described in `app/wire`."""
    elsewhere = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "app").rglob("*.py"))
        if ROOT / "app" / "wire" not in path.parents
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and node.module == "pydantic"
        if "BaseModel" in {alias.name for alias in node.names}
    ]

    assert [] == elsewhere


SAYS_NAMES = {
    "models/training/sampling/by_kind.py": "labelled boards name their kind",
    "vision/boards/colours/ship_cards.py": "a ship has the name of its game",
}
"""Files outside `engine/games` in which a game's name may stand, and why."""


def test_no_game_is_asked_its_name():
    """What a game is like its facts tell; its name stands in no code but its own."""
    from kibitz.engine.games import INFOS

    names = {name for info in INFOS for name in (info.slug, *info.other_names)}
    said = {
        (str(path.relative_to(ROOT)), node.value)
        for package in MAY_IMPORT
        for path in sorted((ROOT / package).rglob("*.py"))
        if ROOT / "engine" / "games" not in path.parents
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and node.value in names
    }

    assert [] == sorted(x for x in said if x[0] not in SAYS_NAMES)


def test_the_page_asks_facts():
    """The page looks up texts and buttons of its own by a game's name, and compares it nowhere."""
    import re

    asked = re.compile(r"""\.game\s*[!=]=|\((state|table)\.game\)""")
    compares = [
        (path.name, line.strip())
        for path in sorted((ROOT / "app" / "web" / "js").glob("*.js"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if asked.search(line)
    ]

    assert [] == compares


def test_no_rules_of_a_single_game_are_imported_from_outside():
    """Outside `engine/games` a game is reached through the list of games alone."""
    wrong = [
        (str(path.relative_to(ROOT)), name)
        for package in MAY_IMPORT
        for path in sorted((ROOT / package).rglob("*.py"))
        if ROOT / "engine" / "games" not in path.parents
        for name in modules_imported(path)
        if name.startswith("kibitz.engine.games.")
    ]

    assert [] == wrong


def test_the_facts_of_games_load_no_rules():
    """Whoever reads one photograph of a game loads what it is like, not how it is played."""
    import subprocess
    import sys

    code = (
        "import sys, kibitz.engine.games; "
        "print(sorted(m for m in sys.modules if m.endswith(('.rules', '.state'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert "['kibitz.engine.rules']" == done.stdout.strip()


def test_training_is_never_imported_at_run_time():
    """Only training imports torch or the training package."""
    wrong = [
        path.name
        for package in MAY_IMPORT
        for path in (ROOT / package).rglob("*.py")
        if "training" not in path.parts
        and ("torch" in imported(path) or "models.training" in path.read_text(encoding="utf-8"))
    ]

    assert [] == wrong


def test_importing_models_is_free():
    """`import kibitz.models` does not load onnxruntime."""
    import subprocess
    import sys

    code = "import sys, kibitz.models.session; print('onnxruntime' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert "False" == done.stdout.strip()


def test_drawing_pictures_needs_no_torch():
    """Rendering a game's pictures works with the test extra alone, where torch is missing."""
    import subprocess
    import sys

    code = "import sys; sys.modules['torch'] = None; import tests.filming.pictures"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)

    assert (0, "") == (done.returncode, done.stderr)
