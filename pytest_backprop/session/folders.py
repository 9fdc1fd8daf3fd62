"""pytest's view of the folders in which submissions are sought."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..classroom import MAX_DEPTH, listing, printable, shown_path


class Folder(pytest.Directory):
    """A folder in which submissions are sought. pytest's own would follow links, and stop the run for
    all where one folder cannot be read; it would import a package, too."""

    depth = 0
    """Folders between this one and that of the command line."""

    @classmethod
    def below(cls, parent: pytest.Collector, path: Path) -> Folder:
        """The collector of a folder."""
        shown = shown_path(path, parent.config.rootpath)
        made: Folder = cls.from_parent(
            parent, path=path, name=printable(path.name), nodeid=shown or "."
        )
        if isinstance(parent, Folder) and not parent.session.isinitpath(path, with_parents=True):
            made.depth = parent.depth + 1
        return made

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        look = listing(self.path)
        # the way to an argument may lead over a link: that one was asked for
        odd = [path for name, _ in look.odd if name and self._is_asked(path := self.path / name)]
        for path in sorted([*(Path(entry.path) for entry in look.entries), *odd]):
            is_folder = os.path.isdir(path)
            if not self._is_asked(path):
                if is_folder and self.depth >= MAX_DEPTH:
                    continue
                if self.ihook.pytest_ignore_collect(collection_path=path, config=self.config):
                    continue
            if is_folder:
                folder = self.ihook.pytest_collect_directory(path=path, parent=self)
                yield from () if folder is None else (folder,)
            else:
                yield from self.ihook.pytest_collect_file(file_path=path, parent=self)

    def _is_asked(self, path: Path) -> bool:
        return self.session.isinitpath(path, with_parents=True)
