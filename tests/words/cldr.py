"""`make cldr`: writes `src/tengen/words/cldr.json` and the licence beside it, from Unicode's packages."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import tengen

WORDS = Path(tengen.__file__).parent / "words"


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def plurals(core: Path) -> dict[str, dict[str, str]]:
    """The rules of each language by category, without the examples that follow them and without `other`."""
    rules = read(core / "supplemental" / "plurals.json")["supplemental"]["plurals-type-cardinal"]
    return {
        language: {
            name.removeprefix("pluralRule-count-"): rule.partition("@")[0].strip()
            for name, rule in found.items()
            if not name.endswith("-other")
        }
        for language, found in rules.items()
    }


def signs(numbers: Path, language: str) -> list[Any] | None:
    """How a language writes numbers; None where that is not known.

    The decimal sign, the group sign, the sizes of groups from the right, the fewest digits that the first
    group has, and the minus sign.
    """
    path = numbers / "main" / language / "numbers.json"
    if not path.exists():
        return None
    found = read(path)["main"][language]["numbers"]
    symbols = found["symbols-numberSystem-latn"]
    pattern = found["decimalFormats-numberSystem-latn"]["standard"].partition(";")[0].partition(".")[0]
    groups = [len(group) for group in re.split(",", pattern)[1:]][::-1]
    least = int(found["minimumGroupingDigits"])
    return [symbols["decimal"], symbols["group"], groups, least, symbols["minusSign"]]


def grouped(values: dict[str, Any]) -> list[list[Any]]:
    """Pairs of the languages that share a value, and the value."""
    sharing: dict[str, list[str]] = defaultdict(list)
    for language, value in values.items():
        sharing[json.dumps(value, ensure_ascii=False)].append(language)
    return [
        [" ".join(sorted(languages)), json.loads(value)] for value, languages in sorted(sharing.items())
    ]


def main(modules: Path) -> None:
    core, numbers = modules / "cldr-core", modules / "cldr-numbers-full"
    version = read(core / "package.json")["cldrVersion"]
    rules = plurals(core)
    known = {language: found for language in rules if (found := signs(numbers, language))}
    table = {"plurals": grouped(rules), "numbers": grouped(known)}
    lines = [
        f'  "source": "Unicode CLDR {version}, by make cldr; licence Unicode-3.0, in cldr-licence.txt"',
        *(
            f'  "{name}": [\n'
            + ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
            + "\n  ]"
            for name, rows in table.items()
        ),
    ]
    (WORDS / "cldr.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    shutil.copyfile(core / "LICENSE", WORDS / "cldr-licence.txt")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
