"""Every link between the documents leads somewhere."""

import re
from pathlib import Path


ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def documents():
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_every_relative_link_leads_somewhere():
    broken = [
        f"{document.relative_to(ROOT)}: {target}"
        for document in documents()
        for target in LINK.findall(document.read_text())
        if "://" not in target and not (document.parent / target).exists()
    ]
    assert broken == []


def test_every_decision_is_in_the_index():
    folder = ROOT / "docs" / "adr"
    index = (folder / "README.md").read_text()
    assert [p.name for p in sorted(folder.glob("0*.md")) if p.name not in index] == []
