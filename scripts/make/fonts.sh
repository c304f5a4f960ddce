#!/bin/sh
# Makes the basic fonts in ui/fonts, and the one that the server draws with in content/fonts, out of the packages' own: the characters that the pages are written in, and the
# weights and widths that the styles ask for. The results are committed; run it again when ui/fonts/fonts.css asks
# for more.
# Needs fonttools and brotli (pip install fonttools brotli).
set -eu
cd "$(dirname "$0")/../.."
characters="U+0020-007E,U+00A0,U+00A9,U+00B7,U+00D7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2022,U+2026,U+2212"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

make() { # package, file, name, axes...
  source="node_modules/@fontsource-variable/$1/files/$2"
  target="ui/fonts/$3.woff2"
  shift 3
  fonttools varLib.instancer -q "$source" "$@" -o "$work/font.ttf"
  pyftsubset "$work/font.ttf" --unicodes="$characters" --layout-features=kern --no-hinting --flavor=woff2 \
    --output-file="$target"
}

make archivo archivo-latin-wdth-normal.woff2 archivo-basic wght=400:900 wdth=62:122
make martian-mono martian-mono-latin-wght-normal.woff2 martian-mono-basic wght=450

# What the image of shared links is written with. It is no web font, and has a family of its own, so that none that is
# installed takes its place.
fonttools varLib.instancer -q node_modules/@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2 \
  wght=830 wdth=122 -o "$work/wide.ttf"
python3 - "$work/wide.ttf" <<'PYTHON'
import sys
from fontTools.ttLib import TTFont
font = TTFont(sys.argv[1])
for record in font["name"].names:
    if record.nameID in (1, 4): record.string = "Archivo Wide"
    if record.nameID == 6: record.string = "ArchivoWide-Regular"
font["OS/2"].usWeightClass = 400
font["OS/2"].usWidthClass = 5
font.flavor = None
font.save(sys.argv[1])
PYTHON
pyftsubset "$work/wide.ttf" --unicodes="U+0020-007E,U+00A0-00FF,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026" \
  --layout-features=kern --no-hinting --name-IDs='*' --output-file=content/fonts/archivo-wide.ttf
