"""Updates the catalogues: `python -m kibitz.app.languages.update`.

New texts are added without a translation, texts that are gone are dropped, translations are kept.
A text that was changed is a new text: its translation is made anew.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from kibitz.app.languages.catalogues import (
    ENGLISH,
    LANGUAGES,
    catalogue_file,
    forms_of,
    read_catalogue,
)
from kibitz.app.languages.extract import texts

ROOT = Path(__file__).resolve().parents[2]
Key = tuple[str, str | None]


def keys_with_places(root: Path = ROOT) -> dict[Key, list[str]]:
    """Every text with the files that contain it."""
    out: dict[Key, list[str]] = {}
    for found in texts(root):
        places = out.setdefault((found.one, found.many), [])
        if found.place not in places:
            places.append(found.place)
    return out


def updated(code: str, known: dict[Key, list[str]]) -> Catalog:
    """A language's catalogue with exactly these texts."""
    old = read_catalogue(code) if catalogue_file(code).exists() else Catalog(locale=code)
    new = Catalog(locale=code, fuzzy=False, project="Kibitz", version="", charset="utf-8")
    for (one, many), places in sorted(known.items(), key=lambda x: (x[0][0], x[0][1] or "")):
        before = old.get((one, many) if many is not None else one)
        string = before.string if before is not None else ""
        if many is not None and not isinstance(string, (tuple, list)):
            string = ("",) * len(forms_of(code))
        locations = [(place, 0) for place in places]
        new.add((one, many) if many is not None else one, string, locations=locations)
    return new


def written(catalogue: Catalog) -> bytes:
    """A catalogue's file, without dates and line numbers, which change often."""
    out = io.BytesIO()
    write_po(out, catalogue, width=99, include_lineno=False, omit_header=False)
    unwanted = ("POT-", "PO-", "Generated-", "Last-", "Report-", "Language-Team", "Project-")
    lines = out.getvalue().decode("utf-8").splitlines(keepends=True)
    header = [x for x in lines if not x.startswith(tuple(f'"{name}' for name in unwanted))]
    return "".join(x for x in header if not x.startswith("#") or x.startswith("#:")).encode()


def missing(catalogue: Catalog) -> list[str]:
    """Texts without a translation."""
    return [
        str(message.id[0] if isinstance(message.id, (tuple, list)) else message.id)
        for message in catalogue
        if message.id
        and not (
            all(message.string)
            if isinstance(message.string, (tuple, list)) and message.string
            else message.string
        )
    ]


def main() -> None:
    """Update every catalogue, and print how many texts need a translation."""
    known = keys_with_places()
    for code in LANGUAGES:
        if code == ENGLISH:
            continue
        catalogue = updated(code, known)
        path = catalogue_file(code)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalogue))
        sys.stdout.write(f"{code}: {len(known)} texts, {len(missing(catalogue))} not translated\n")


if __name__ == "__main__":
    main()
