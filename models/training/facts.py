"""What is known of a network, kept as JSON beside its file: its labels, checksum, how it was made.

`kibitz.models.session.read_facts` reads it at run time. Facts that were changed by hand are kept
anew, with their checksums:

    python -m kibitz.models.training.facts models/weights/glyph.onnx
"""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.models.session import facts_checksum


def kept_facts(network: Path) -> dict[str, Any]:
    """The facts beside a network's file.

    Raises:
        OSError: there are none.
    """
    facts: dict[str, Any] = json.loads(_beside(network).read_text(encoding="utf-8"))
    return facts


def keep_facts(network: Path, facts: Mapping[str, object]) -> None:
    """Write the facts beside a network's file, with the checksums that loading it asks for."""
    code = hashlib.sha256(network.read_bytes()).hexdigest()
    _write(network, {**facts, "sha256": code})


def keep_blend(network: Path, blend: Mapping[str, Sequence[float]]) -> None:
    """Write into a network's facts how much each look counts."""
    _write(network, {**kept_facts(network), "blend": blend})


def how_made(network: str) -> dict[str, str]:
    """How a network is made from nothing, and which command made this one."""
    spec = sys.modules["__main__"].__spec__
    made = ["python", "-m", spec.name if spec else sys.argv[0], *sys.argv[1:]]
    return {
        "command": f"python -m kibitz.models.training.all {network}",
        "made": shlex.join(made),
    }


def _write(network: Path, facts: Mapping[str, object]) -> None:
    plain = {name: value for name, value in facts.items() if name != "facts_sha256"}
    told = {**plain, "facts_sha256": facts_checksum(plain)}
    text = json.dumps(told, ensure_ascii=False, indent=1)
    _beside(network).write_text(text + "\n", encoding="utf-8")


def _beside(network: Path) -> Path:
    return network.with_suffix(".json")


def main(networks: Sequence[str]) -> None:
    """Keep the facts of some networks anew."""
    for network in map(Path, networks):
        keep_facts(network, kept_facts(network))


if __name__ == "__main__":
    main(sys.argv[1:])
