"""The ground truths: their programs as jobs, and what each expects."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

#: Where everything that is fetched lies: outside the tree, because none of it may be published with it.
CACHE = Path.home() / ".cache" / "pathcheck" / "peers"
ARCHIVES = {"pycg": "pycg-0.0.8", "jarviscg": "jarviscg-0.1.0rc7"}
#: Source root and package of each application, below its project's folder.
APPLICATIONS = {
    "sqlparse": ("", "sqlparse"),
    "furl": ("", "furl"),
    "bpytop": ("", "bpytop.py"),
    "TextRank4ZH": ("", "textrank4zh"),
    "rich-cli": ("src", "rich_cli"),
    "sshtunnel": ("", "sshtunnel.py"),
}
#: What runs an application under the tracer: folder below the project, then what Python is given.
RUNS = {
    "sqlparse": (".", ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]),
    "furl": (".", ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]),
    "bpytop": (".", ["-m", "unittest", "tests.test_classes", "tests.test_functions"]),
    "TextRank4ZH": ("example", ["example01.py"]),
    "rich-cli": ("src", ["-m", "rich_cli", "../README.md"]),
    "sshtunnel": (".", ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]),
}
Edges = dict[str, list[str]]


@dataclass(frozen=True)
class Case:
    """One program and its truth."""

    name: str
    root: Path
    files: tuple[Path, ...]
    #: modules that are imported first
    entry: tuple[str, ...]
    truth: Edges
    #: whether the truth takes every function for a possible start
    library: bool = False
    #: where the program runs under the tracer, and what Python is given
    folder: Path = Path()
    run: tuple[str, ...] = ()

    def job(self, limit: int) -> dict[str, object]:
        """What ``driver.py`` wants to know."""
        return {
            "name": self.name,
            "root": str(self.root),
            "files": [str(file) for file in self.files],
            "entry": list(self.entry),
            "library": self.library,
            "limit": limit,
        }


def fetch() -> None:
    """Download and unpack the two source archives from the package index, once."""
    for name, archive in ARCHIVES.items():
        if (CACHE / "src" / archive / "PKG-INFO").exists():
            continue
        version = archive.removeprefix(name + "-")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--pre", "--no-deps"]
        command += ["--no-binary", ":all:", "--dest", str(CACHE / "sdist"), f"{name}=={version}"]
        subprocess.run(command, check=True)
        with tarfile.open(CACHE / "sdist" / f"{archive}.tar.gz") as tar:
            tar.extractall(CACHE / "src", filter="data")


def sets() -> dict[str, list[Case]]:
    """The sets by name, in the order in which they are reported."""
    found = {"PyCG micro": _pycg(), "Jarvis micro": _jarvis()}
    found.update({name: [_application(name)] for name in APPLICATIONS})
    return found


def _pycg() -> list[Case]:
    snippets = CACHE / "src" / ARCHIVES["pycg"] / "micro-benchmark" / "snippets"
    return [
        _micro(path.parent, path, str(path.parent.relative_to(snippets)))
        for path in sorted(snippets.glob("*/*/callgraph.json"))
    ]


def _jarvis() -> list[Case]:
    evaluation = CACHE / "src" / ARCHIVES["jarviscg"] / "evaluation"
    truths = evaluation / "ground_truth" / "micro_benchmark"
    found = []
    for path in sorted(truths.glob("*/*/callgraph.json")):
        name = str(path.parent.relative_to(truths))
        # One folder is spelt with a space on the side of the programs only.
        folder = evaluation / "dataset" / "micro_benchmark" / name.replace("direct_calls", "direct calls")
        if not folder.exists():
            folder = evaluation / "dataset" / "micro_benchmark" / name
        if (folder / "main.py").exists():
            found.append(_micro(folder, path, name))
    return found


def _micro(folder: Path, truth: Path, name: str) -> Case:
    expected = json.loads(truth.read_text())
    return Case(name, folder, (folder / "main.py",), ("main",), expected, folder=folder, run=("main.py",))


def _application(name: str) -> Case:
    evaluation = CACHE / "src" / ARCHIVES["jarviscg"] / "evaluation"
    below, package = APPLICATIONS[name]
    project = evaluation / "dataset" / "macro_benchmark" / "pj" / name
    root = project / below
    truth = json.loads((evaluation / "ground_truth" / "macro_benchmark" / name / "EA.json").read_text())
    files = sorted((root / package).rglob("*.py")) if (root / package).is_dir() else [root / package]
    modules = [".".join(file.relative_to(root).with_suffix("").parts) for file in files]
    entry = tuple(module.removesuffix(".__init__") for module in modules)
    folder, run = RUNS[name]
    return Case(name, root, tuple(files), entry, truth, True, project / folder, tuple(run))
