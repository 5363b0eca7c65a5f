"""Game settings: completed, checked, with clear messages where one is wrong (rule 8)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kibitz.engine.phrases import phrase
from kibitz.engine.rules import GameInfo, JsonValue, Options, Setting


class BadOption(ValueError):
    """An unknown setting or an impossible value; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


CHALLENGES = ("double", "single", "5", "10", "void")


def common_settings(
    *, reject_invalid: bool = True, challenge: str = "double"
) -> tuple[Setting, ...]:
    """Settings about words that every game has, with this game's defaults."""
    # One setting a line reads best, whatever its length.
    return (
        Setting("lexicon", "default", phrase("Which list of words is good: default, none or a file."), rule="0.6"),  # noqa: E501 - see above
        Setting("lexicon_add", (), phrase("Extra valid words."), rule="0.6"),
        Setting("lexicon_remove", (), phrase("Words of the list that are not valid."), rule="0.6"),
        Setting("reject_invalid", reject_invalid, phrase("Refuse a play at once when a word is not in the list."), (True, False), "0.6"),  # noqa: E501 - see above
        Setting("challenge", challenge, phrase("What a wrong challenge costs."), CHALLENGES, "CL-14"),  # noqa: E501 - see above
    )  # fmt: skip


def clock_settings(*, overtime: bool = False) -> tuple[Setting, ...]:
    """The settings of a game's clock; `overtime`: points are lost when the time is up."""
    costs = (
        Setting("clock_overtime", 10, phrase("Points off for every minute begun when the time is up."), rule="CL (a)", minimum=0, maximum=100),  # noqa: E501 - as above
        Setting("clock_forfeit", 0, phrase("Minutes over time after which the game is lost, where overtime costs points; 0 for never."), rule="CL (a)", minimum=0, maximum=60, usual=10),  # noqa: E501 - as above
    )  # fmt: skip
    return (
        Setting("clock", "off", phrase("Each player's clock: none, counting down, or counting up."), ("off", "down", "up"), "CL (a)"),  # noqa: E501 - as above
        Setting("clock_seconds", 1500, phrase("Seconds on each player's clock, where it counts down."), rule="CL (a)", minimum=10, maximum=36000),  # noqa: E501 - as above
        Setting("clock_increment", 0, phrase("Seconds that each turn adds to the clock, where it counts down."), rule="CL (a)", minimum=0, maximum=600),  # noqa: E501 - as above
        Setting("clock_plays", False, phrase("The clocks pass on when a turn is seen or told, also without a press."), (True, False), "CL (a)", usual=True),  # noqa: E501 - as above
        *(costs if overtime else ()),
    )  # fmt: skip


def check_options(info: GameInfo, given: Mapping[str, JsonValue]) -> Options:
    """All settings of a game, checked and converted, with defaults filled in.

    Raises:
        BadOption: `unknown_setting` or `bad_setting`; the message says what was expected.
    """
    known = {s.name: s for s in info.settings}
    out = {s.name: s.default for s in info.settings}
    for name, value in given.items():
        if name not in known:
            near = [k for k in known if k.split(".")[-1] == name.split(".")[-1]]
            hint = (
                f"; did you mean {near[0]}?" if near else f"; known are {', '.join(sorted(known))}"
            )
            raise BadOption("unknown_setting", f"{info.title} has no setting {name!r}{hint}")
        out[name] = _checked(known[name], value)
    return MappingProxyType(out)


def usual_settings(info: GameInfo) -> dict[str, JsonValue]:
    """What is chosen for a new table where people say nothing, as far as it is no default."""
    return {s.name: s.usual for s in info.settings if s.usual is not None}


def _checked(setting: Setting, value: JsonValue) -> JsonValue:
    default = setting.default
    if setting.parse is not None:
        try:
            return setting.parse(value)
        except ValueError as error:
            raise BadOption("bad_setting", f"{setting.name}: {error}") from None
    if isinstance(default, tuple):
        return _several(setting, value)
    if setting.choices is not None:
        return _chosen(setting, value, setting.choices)
    if isinstance(default, bool):
        return _boolean(setting, value)
    if isinstance(default, int):
        return _number(setting, value)
    if setting.minimum is not None and value != default:  # a word, or a number instead
        return _number(setting, value, f"{default} or ")
    if not isinstance(value, (str, *setting.also)):
        raise BadOption("bad_setting", f"{setting.name}: expected a text, got {value!r}")
    return value


def _chosen(setting: Setting, value: JsonValue, choices: tuple[JsonValue, ...]) -> JsonValue:
    for choice in choices:
        if value == choice and isinstance(value, bool) == isinstance(choice, bool):
            return choice
        if not isinstance(value, bool) and str(value).lower() == str(choice).lower():
            return choice
    allowed = ", ".join(_shown(c) for c in choices)
    raise BadOption("bad_setting", f"{setting.name}: expected {allowed}, got {value!r}")


def _several(setting: Setting, value: JsonValue) -> JsonValue:
    """Parse a list of words, each among the setting's choices."""
    if isinstance(value, str):
        value = [w for w in value.replace(" ", ",").split(",") if w]
    if not isinstance(value, (list, tuple)) or not all(isinstance(w, str) for w in value):
        raise BadOption("bad_setting", f"{setting.name}: expected a list of words, got {value!r}")
    if setting.each:
        return tuple(_chosen(setting, w, setting.each) for w in value)
    return tuple(w.upper() if setting.name.startswith("lexicon") else w for w in value)


def _boolean(setting: Setting, value: JsonValue) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).lower()
    if text in ("true", "yes", "on", "1"):
        return True
    if text in ("false", "no", "off", "0"):
        return False
    raise BadOption("bad_setting", f"{setting.name}: expected true or false, got {value!r}")


def _number(setting: Setting, value: JsonValue, instead: str = "") -> int:
    low, high = setting.minimum, setting.maximum
    try:
        number = int(str(value))  # a boolean's text is no number either
    except ValueError:
        raise BadOption(
            "bad_setting", f"{setting.name}: expected {instead}a whole number, got {value!r}"
        ) from None
    if (low is not None and number < low) or (high is not None and number > high):
        span = f"{low:g} or more" if high is None else f"{low or 0:g} to {high:g}"
        raise BadOption("bad_setting", f"{setting.name}: expected {instead}{span}, got {number}")
    return number


def _shown(value: JsonValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def rules_at_once(options: Options) -> bool:
    """True if an invalid word is refused when it is laid (0.6, CL-14 `void`)."""
    return bool(options["reject_invalid"]) or options["challenge"] == "void"


def lexicon_changes(options: Options) -> tuple[frozenset[str], frozenset[str]]:
    """Words added and words removed by the settings."""
    return frozenset(options.get("lexicon_add", ())), frozenset(options.get("lexicon_remove", ()))
