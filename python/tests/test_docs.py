"""What the pages say is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import stoa
import stoa._errors as errors
from stoa import _generated

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("page", [PAGE, README], ids=["tutorial", "readme"])
def test_the_first_script_of_a_page_is_the_example(page: str) -> None:
    script = re.search(r"```python\n(import asyncio.*?)```", page, re.DOTALL)
    assert script is not None
    example = (ROOT / "examples" / "hello.py").read_text("utf-8")
    without_docstrings = re.sub(r'^\s*""".*?"""\n\n?', "", example, flags=re.DOTALL | re.MULTILINE)
    assert script.group(1) == without_docstrings


def test_the_pages_tree_of_errors_is_the_modules() -> None:
    drawn = (errors.__doc__ or "").split("\n\n", 1)[1].rstrip()
    assert drawn in PAGE


def test_the_reference_names_every_export_of_our_own() -> None:
    exported: list[str] = vars(stoa)["__all__"]
    own = exported[: -len(_generated.__all__)]
    assert "Realm" in own
    assert [name for name in own if not re.search(rf"\b{name}\b", PAGE)] == []
