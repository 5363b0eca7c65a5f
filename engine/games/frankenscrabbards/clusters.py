"""Clusters: groups of the nine boards that are joined (rules FS-14 to FS-18)."""

from __future__ import annotations

from kibitz.engine.table import BOARDS, SIDE, Grid, Square, corner_of

Groups = tuple[tuple[int, ...], ...]
"""Boards that are joined, each group sorted, in order."""


STARS = tuple(
    Square(top + SIDE // 2, left + SIDE // 2) for top, left in map(corner_of, range(1, BOARDS + 1))
)


def star_of(board: int) -> Square:
    """The centre star of board 1-9 (FS-3)."""
    return STARS[board - 1]


def star_groups(grid: Grid) -> Groups:
    """Groups of boards whose covered stars are connected by tiles, each sorted, in order."""
    tiles = grid.tiles
    # Plain tuples are looked up like squares and are quicker to make.
    group_at: dict[tuple[int, int], int] = {}
    groups: list[list[int]] = []
    for board in range(1, BOARDS + 1):
        star = star_of(board)
        if star not in tiles:
            continue
        if star in group_at:
            groups[group_at[star]].append(board)
            continue
        number = len(groups)
        groups.append([board])
        todo: list[tuple[int, int]] = [star]
        group_at[star] = number
        while todo:
            row, col = todo.pop()
            for near in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                if near in tiles and near not in group_at:
                    group_at[near] = number
                    todo.append(near)
    return tuple(sorted(tuple(sorted(g)) for g in groups))


def crossing_groups(grid: Grid) -> Groups:
    """Groups of boards with adjacent tiles across a seam (setting any_crossing)."""
    parent = {b: b for b in range(1, BOARDS + 1) if star_of(b) in grid}

    def root(b: int) -> int:
        while parent[b] != b:
            b = parent[b]
        return b

    for square in grid.tiles:
        a = square.panel
        for n in (square.step("across"), square.step("down")):
            b = n.panel if n in grid else a
            if a != b and a in parent and b in parent:
                parent[root(a)] = root(b)
    groups: dict[int, list[int]] = {}
    for b in parent:
        groups.setdefault(root(b), []).append(b)
    return tuple(sorted(tuple(sorted(g)) for g in groups.values()))


def groups_of(grid: Grid, connect: str) -> Groups:
    """Groups of joined boards under the setting `fs.connect`."""
    return crossing_groups(grid) if connect == "any_crossing" else star_groups(grid)


def main_of(groups: Groups, main: tuple[int, ...]) -> tuple[int, ...]:
    """The main cluster: the group that contains the old one, else the first of two or more.

    Two made at once: the larger, then the one with the lowest board (FS-A7).
    """
    if main:
        return next((g for g in groups if main[0] in g), main)
    joined = [g for g in groups if len(g) > 1]
    return min(joined, key=lambda g: (-len(g), g)) if joined else ()
