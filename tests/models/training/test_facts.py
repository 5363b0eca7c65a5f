"""The facts that training keeps beside a network's file."""

import hashlib
import json
import shutil

import pytest

from kibitz.models.session import (
    MODEL_NAMES,
    WEIGHTS,
    ModelFileInvalid,
    load_model,
    read_facts,
)
from kibitz.models.training.facts import keep_blend, keep_facts, kept_facts, main


def test_a_network_that_was_changed_loads_with_its_facts_kept_again(tmp_path):
    """The checksum is that of the file as it is now; what else is known stays."""
    network = tmp_path / "sign.onnx"
    shutil.copy(WEIGHTS / "sign.onnx", network)
    facts = {**kept_facts(WEIGHTS / "sign.onnx"), "sha256": "of an older file"}

    keep_facts(network, facts)

    assert hashlib.sha256(network.read_bytes()).hexdigest() == kept_facts(network)["sha256"]
    assert read_facts("sign") == load_model("sign", tmp_path).facts


def test_facts_are_written_as_they_are_published(tmp_path):
    """Keeping what is known of a published network changes no byte of it."""
    for network in sorted(WEIGHTS.glob("*.onnx")):
        shutil.copy(network, tmp_path)
        copy = tmp_path / network.name

        keep_facts(copy, kept_facts(network))

        expected = network.with_suffix(".json").read_text(encoding="utf-8")
        assert expected == copy.with_suffix(".json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MODEL_NAMES)
def test_facts_that_were_changed_are_refused(tmp_path, name):
    """Two labels that change places, another temperature or blend: the network would say nonsense."""
    shutil.copy(WEIGHTS / f"{name}.onnx", tmp_path)
    facts = json.loads((WEIGHTS / f"{name}.json").read_text(encoding="utf-8"))
    said = []
    for changed in (
        {"labels": [*facts["labels"][1::-1], *facts["labels"][2:]]},
        {"temperature": 0.5 + facts.get("temperature", 1.0)},
        {"blend": {"kind": [0.5, 0.5]}},
    ):
        text = json.dumps({**facts, **changed}, ensure_ascii=False)
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
        with pytest.raises(ModelFileInvalid) as refused:
            load_model(name, tmp_path)
        said.append("facts" in str(refused.value) and "install Kibitz again" in str(refused.value))

    assert [True] * 3 == said


def test_a_command_keeps_facts_anew(tmp_path):
    """After a change by hand that is meant."""
    network = tmp_path / "sign.onnx"
    shutil.copy(WEIGHTS / "sign.onnx", tmp_path)
    facts = kept_facts(WEIGHTS / "sign.onnx")
    text = json.dumps({**facts, "temperature": 2.5})
    network.with_suffix(".json").write_text(text, encoding="utf-8")

    main([str(network)])

    assert 2.5 == load_model("sign", tmp_path).facts.temperature


def test_how_much_the_looks_count_is_read_again(tmp_path):
    """A fit takes the place of the one before; checksum and labels stay."""
    network = tmp_path / "sign.onnx"
    shutil.copy(WEIGHTS / "sign.json", tmp_path)

    keep_blend(network, {"signs": [0.5, 0.25, 0.75, 1.5]})

    facts = read_facts("sign", tmp_path)
    assert (0.5, 0.25, 0.75, 1.5) == facts.sign_blend
    assert read_facts("sign").sha256 == facts.sha256
