"""Selects the examples of arena-py's repository that need no further hardware or packages, by rules on their source."""

import ast
import sys
from pathlib import Path

# Folders that the repository's README calls outdated.
OLD = {"legacy": "for arena-py before 0.1.0, says examples/README.md"}


# Packages of arena-py's virtual environment besides the standard library.
AT_HAND = {"arena", "paho"}


def examples(checkout: Path, offered: set[str]) -> tuple[list[Path], list[tuple[Path, str]]]:
    """Returns the runnable examples, and the others with reasons.

    `offered` lists the package's methods and attributes as `Class.method`.
    """
    runnable: list[Path] = []
    left_out: list[tuple[Path, str]] = []
    for path in sorted((checkout / "examples").rglob("*.py")):
        reason = why_not(path, checkout, offered)
        if reason is None:
            runnable.append(path)
        else:
            left_out.append((path, reason))
    return runnable, left_out


def why_not(path: Path, checkout: Path, offered: set[str]) -> str | None:
    """Returns the reason to leave an example out, or None."""
    folder = path.relative_to(checkout / "examples").parts[0]
    if folder in OLD:
        return OLD[folder]
    try:
        tree = ast.parse(path.read_text())
    except SyntaxError as error:
        return f"is not Python 3: {error.msg}"
    if foreign := sorted(imports_in_all(path, set()) - set(sys.stdlib_module_names) - AT_HAND):
        return f"needs packages: {', '.join(foreign)}"
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    if "run_tasks" not in names:
        return "never runs its tasks, so it never connects"
    if "socket" in imports(tree):
        return "needs a peer on a socket of its own"
    if "upload_store_file" in names:
        return "needs a sign-in by Google's pages"
    names_offered = {name.partition(".")[2] for name in offered}
    newer = (called_on(tree, "scene") | read_of(tree, {"evt", "event"})) - names_offered
    if newer:
        return f"uses what this arena-py lacks: {', '.join(sorted(newer))}"
    if calls(tree, "input"):
        return "asks a person at the terminal"
    if "required" in arguments_of(tree):
        return "wants arguments of its own"
    return None


def imports(tree: ast.AST) -> set[str]:
    """Returns the top-level names of the imported modules."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def imports_in_all(path: Path, seen: set[Path]) -> set[str]:
    """Returns imported names, following modules of the same folder instead of listing them."""
    seen.add(path)
    found: set[str] = set()
    for name in imports(ast.parse(path.read_text())):
        beside = path.parent / f"{name}.py"
        if not beside.exists():
            found.add(name)
        elif beside not in seen:
            found |= imports_in_all(beside, seen)
    return found


def called_on(tree: ast.AST, variable: str) -> set[str]:
    """Returns the methods called on a variable of this name."""
    functions = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    return {function.attr for function in functions if isinstance(function.value, ast.Name) and function.value.id == variable}


def read_of(tree: ast.AST, variables: set[str]) -> set[str]:
    """Returns the attributes read of variables of these names."""
    read = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
    return {node.attr for node in read if node.value.id in variables}


def calls(tree: ast.AST, name: str) -> bool:
    """Whether a function of this name is called."""
    return any(isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name for node in ast.walk(tree))


def arguments_of(tree: ast.AST) -> set[str]:
    """Returns the keywords that are true in declarations of argparse's arguments."""
    declared = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    return {
        keyword.arg
        for node in declared
        if node.func.attr == "add_argument"
        for keyword in node.keywords
        if isinstance(keyword.value, ast.Constant) and keyword.value.value is True and keyword.arg
    }
