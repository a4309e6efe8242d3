"""House rules that no linter knows: short files and functions, a pure domain, no dead command."""

import ast
import re
from pathlib import Path


ROOT = Path(__file__).resolve().parents[2]
CODE = (
    *("kernel", "aggregates", "commands", "projections", "wire", "read_api", "write_api"),
    *("pages", "subscribers", "replay", "adapters", "app"),
)
TEXTS = {
    path.relative_to(ROOT): path.read_text()
    for folder in CODE
    for path in sorted((ROOT / folder).rglob("*.py"))
}
TREES = {path: ast.parse(text) for path, text in TEXTS.items()}
TESTS = "\n".join(path.read_text() for path in sorted((ROOT / "tests").rglob("*.py")))

LONGEST_FUNCTION = 50
LONGEST_FILE = 300
SUPPRESSIONS_PER_THOUSAND_LINES = 5
UNWANTED_NAMES = {"utils", "helpers", "common", "services", "models", "misc"}
UNWANTED_CALLS = {"float", "today", "utcnow", "uuid4", "uuid1", "random", "token_bytes"}


def test_files_are_short():
    assert {p: n for p, t in TEXTS.items() if (n := t.count("\n")) > LONGEST_FILE} == {}


def test_functions_are_short():
    lengths = {
        f"{path}:{node.lineno} {node.name}": node.end_lineno - node.lineno + 1
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {where: n for where, n in lengths.items() if n > LONGEST_FUNCTION} == {}


def test_every_module_says_what_it_is():
    said = {path: ast.get_docstring(tree) for path, tree in TREES.items()}
    assert [path for path, docstring in said.items() if not docstring] == []


def test_every_module_is_named_for_what_it_holds():
    assert [path for path in TEXTS if UNWANTED_NAMES & {path.stem, *path.parts}] == []


def test_the_domain_asks_no_clock_no_chance_and_no_float():
    """Commands may ask the clock port, nobody else in the domain."""
    found = []
    for path, tree in TREES.items():
        if path.parts[0] in {"kernel", "aggregates", "commands"}:
            unwanted = UNWANTED_CALLS | (set() if path.parts[0] == "commands" else {"now"})
            for node in ast.walk(tree):
                called = getattr(node, "func", None)
                word = getattr(called, "attr", getattr(called, "id", None))
                if word in unwanted:
                    found.append(f"{path}:{node.lineno} {word}")
    assert found == []


def test_every_command_is_tested_or_dispatched_by_what_is():
    """A command that neither a test nor a door of the system names is dead."""
    doors = ("write_api", "subscribers", "app", "pages")
    named = TESTS + "\n".join(text for path, text in TEXTS.items() if path.parts[0] in doors)
    commands = {
        command: path
        for path, text in TEXTS.items()
        if path.parts[0] == "commands"
        for command in re.findall(r"@handles\((\w+)\)", text)
    }
    dead = {c: p for c, p in commands.items() if not re.search(rf"\b{c}\b", named)}
    assert dead == {}


def test_no_error_is_swallowed():
    silent = [
        f"{path}:{node.lineno}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and [type(statement) for statement in node.body] == [ast.Pass]
        and (node.type is None or getattr(node.type, "id", "").endswith("Exception"))
    ]
    assert silent == []


def test_suppressions_are_few():
    lines = sum(text.count("\n") for text in TEXTS.values())
    marks = sum(len(re.findall(r"# noqa|# type: ignore", text)) for text in TEXTS.values())
    assert marks * 1000 <= SUPPRESSIONS_PER_THOUSAND_LINES * lines
