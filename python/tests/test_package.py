from __future__ import annotations

import inspect
import subprocess
import sys
import zipfile
from pathlib import Path

import stoa
from stoa import _generated

EXPORTS: list[str] = vars(stoa)["__all__"]
OWN = EXPORTS[: -len(_generated.__all__)]


def test_the_list_of_exports_is_complete_sorted_and_unambiguous() -> None:
    assert sorted(OWN) == OWN
    assert set(OWN).isdisjoint(_generated.__all__)
    public = {name for name, value in vars(stoa).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert set(EXPORTS) == public


def test_every_exported_error_is_in_the_tree_drawn_in_its_module() -> None:
    import stoa._errors as errors  # noqa: PLC0415  # the one private module that is documentation

    drawn = errors.__doc__ or ""
    for name, value in vars(stoa).items():
        if isinstance(value, type) and issubclass(value, stoa.StoaError):
            assert f"{name} " in f"{drawn} " or f"{name}\n" in drawn


def test_every_export_is_documented() -> None:
    classes: list[type] = [vars(stoa)[name] for name in OWN if inspect.isclass(vars(stoa)[name])]
    assert classes
    for each in classes:
        assert each.__doc__, each
        for name, member in vars(each).items():
            if inspect.isfunction(member) and not name.startswith("_"):
                assert member.__doc__, f"{each.__name__}.{name}"


def test_the_package_contains_py_typed() -> None:
    assert inspect.getfile(stoa).endswith("__init__.py")
    from importlib.resources import files  # noqa: PLC0415  # only here

    assert files("stoa").joinpath("py.typed").is_file()


def test_the_wheel_contains_the_package_and_py_typed(tmp_path: Path) -> None:
    source = Path(__file__).parents[1]
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    # The command is our own interpreter with our own package.
    subprocess.run([*pip, "--wheel-dir", str(tmp_path), str(source)], check=True)  # noqa: S603
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"stoa/__init__.py", "stoa/py.typed", "stoa/_generated/__init__.py"} <= set(names)
