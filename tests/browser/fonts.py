"""The letters of screenshots: the same on every machine, from a package that is there anyway."""

from importlib import import_module


FONTS = ("NotoSans_Regular", "NotoSans_Bold")
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <cachedir>{folder}/cache</cachedir>
  <alias binding="same">
    <family>system-ui</family><prefer><family>Noto Sans</family></prefer>
  </alias>
  <alias binding="same">
    <family>sans-serif</family><prefer><family>Noto Sans</family></prefer>
  </alias>
</fontconfig>
"""


def configured(folder):
    """The variables that make a program use these letters alone."""
    for name in FONTS:
        (folder / f"{name}.ttf").write_bytes(import_module(f"pymupdf_fonts.{name}").fontbuffer)
    path = folder / "fonts.conf"
    path.write_text(CONFIGURATION.format(folder=folder))
    return {"FONTCONFIG_FILE": str(path)}
