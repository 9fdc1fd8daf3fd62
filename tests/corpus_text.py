"""The text of a case, of `tests/submissions` or `tests/attacks`, with the blocks it names written out:

    python tests/corpus_text.py release_by_dlpack_v902

Hundreds of cases share their class, their forward or half of their pass, so that a case has just the
lines that make it another, and names what stands around them:

    #: net, products
            y = a * b + x3  # the line that this case is about
    #: slopes, end

The line `#: net, products` is replaced by the texts of these blocks. They stand in
`tests/submissions/blocks`: in `every.py`, and, for cases of variant v902, in `v902.py`, each behind a
line `#= name`, character by character; a block may name others. `#: exercise 400` writes one 400
times, `{n}` being the number. A case without such a line (another encoding, broken syntax, a notebook)
is graded as it is; of the others the text that is graded stands in a temporary folder.
"""

from __future__ import annotations

import functools
import re
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent / "submissions"
BLOCKS = FOLDER / "blocks"
PLACES = (FOLDER / "right", FOLDER / "wrong", Path(__file__).parent / "attacks")
NAMES = re.compile(rb"^#: (.+)\n", re.MULTILINE)
HEADING = re.compile(rb"^#= (\w+)\n", re.MULTILINE)


class BadVerdict(Exception):
    """A case that cannot be understood: a mistake in the corpus."""


def variant_of(path: Path) -> str:
    """What the name of a case ends in. Raises BadVerdict."""
    if found := re.search(r"_(v\d+)$", path.stem):
        return found[1]
    raise BadVerdict(f"{path.name}: the name must end in the variant, as in case_v902.py")


def text_of(path: Path) -> bytes:
    """The text of a case, its blocks written out. Raises BadVerdict."""
    text = path.read_bytes()
    return _written_out(path, text, variant_of(path)) if NAMES.search(text) else text


def graded_file(path: Path) -> Path:
    """The file that has this text: the case's own, or one of the same name in a temporary folder.
    Raises BadVerdict."""
    text = text_of(path)
    if text == path.read_bytes():
        return path
    made = Path(_folder().name, path.parent.name, path.name)
    made.parent.mkdir(exist_ok=True)
    made.write_bytes(text)
    return made


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Of this process; it goes when the process ends."""
    return tempfile.TemporaryDirectory(prefix="backprop-corpus-")


@functools.cache
def _blocks(corpus: Path, variant: str) -> dict[str, bytes]:
    folder = corpus / "blocks"
    found: dict[str, bytes] = {}
    for name in ("every", variant):
        file = (folder if folder.exists() else BLOCKS) / f"{name}.py"
        _, *parts = HEADING.split(file.read_bytes()) if file.exists() else [b""]
        found |= {n.decode(): text for n, text in zip(parts[::2], parts[1::2], strict=True)}
    return found


def _written_out(path: Path, text: bytes, variant: str) -> bytes:
    def block(words: str) -> bytes:
        name, _, times = words.partition(" ")
        blocks = _blocks(path.parent.parent, variant)
        if name not in blocks:
            raise BadVerdict(f"{path.name}: there is no block {name} for {variant}")
        made = _written_out(path, blocks[name], variant)
        if times:
            return b"".join(made.replace(b"{n}", b"%d" % n) for n in range(int(times)))
        return made

    return NAMES.sub(lambda line: b"".join(map(block, line[1].decode().split(", "))), text)


def main() -> None:
    """Prints the cases that are named."""
    cases = [path for place in PLACES for path in place.iterdir() if path.suffix != ".toml"]
    for name in sys.argv[1:]:
        found = [
            path for path in cases if Path(name).stem in (path.stem, path.stem[: -len("_v902")])
        ]
        if not found:
            sys.exit(f"there is no case {name}")
        sys.stdout.buffer.write(b"".join(map(text_of, found)))


if __name__ == "__main__":
    main()
