# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stranger or a user may have put into a folder of results, and disks without room, for every verb.

Entries of the folder become links to something outside, FIFOs, sockets, folders, files or numbers without end. A case
is right when the verb ends in time with a code of the contract, what lies outside is untouched, the message of a
refusal names the entry, and without that entry the tables are those of the undisturbed experiment."""

import json
import os
import resource
import shutil
import socket
import subprocess

LIMIT = 60  # seconds; the verbs take less than two on a machine that does nothing else
MEMORY = 4 << 30  # bytes of address space
LARGEST = 2**63 - 1
# Verbs by name: which folder they work in, their words, the code that they end with when nothing is wrong. `made` is a
# folder of `flotsam run`, `shared` one of `flotsam cluster init` with half of its runs done; {out} lies beside both.
VERBS = {
    "run": ("made", ["run", "less.yaml", "-o", "{dir}", "-j", "2", "--quiet"], 0),
    "run that grows": ("made", ["run", "more.yaml", "-o", "{dir}", "-j", "2", "--quiet"], 0),
    "status": ("made", ["run", "--status", "{dir}"], 0),
    "compare": ("made", ["compare", "{dir}"], 0),
    "replay": ("made", ["repeat", "{dir}#0"], 0),
    "why": ("made", ["why", "{dir}#0"], 0),
    "why between policies": ("made", ["why", "{dir}", "--policy", "lru+opportunistic",
                                      "--against", "jetsam+opportunistic"], 0),
    "verify": ("made", ["repeat", "{dir}", "--sample", "50 %"], 0),
    "gate": ("made", ["gate", "{dir}", "relaunches_per_day(lru+opportunistic) <= 1000"], 2),
    "trace": ("made", ["report", "--trace", "{dir}#0"], 0),
    "weigh": ("made", ["why", "--sensitivity", "{dir}", "--only", "device.prewarm.main_share", "--replications", "2"], 0),
    "validate": ("made", ["validate", "{dir}", "-o", "{out}"], 0),
    "init": ("made", ["cluster", "init", "less.yaml", "-o", "{dir}"], 0),
    "report": ("made", ["report", "{dir}", "--again", "1"], 0),
    "reproduce": ("made", ["repeat", "{dir}/report.html", "-o", "{out}", "--replications", "1", "-q"], 0),
    "exec": ("shared", ["cluster", "exec", "{dir}", "-q"], 0),
    "merge": ("shared", ["cluster", "merge", "{dir}", "-q"], 3),
}
FEW = ("run that grows", "merge", "status")  # of the small form
READ_ONLY = ("status", "compare", "replay", "why", "verify", "gate", "weigh")
# Entries of a folder of results by what they are; `{seg}` is one of its segments.
FOLDERS = ("unfinished", "segments", "earlier", "bundle")
FILES = ("manifest.json", "manifest.json.partial", "runs.csv", "plan.jsonl", "failures.jsonl", "report.html",
         "run-0.pftrace", "{seg}", "segments/strange.seg", "columns.csv", ".checksums", ".lock")
NUMBERS = (f"segments/{LARGEST}.seg", "segments/000500.seg", f"segments/{LARGEST + 1}.seg", f"earlier/{LARGEST}")
COUNTS = (10**9, 10**12, LARGEST, LARGEST + 1, -1, -LARGEST - 1, 0, 1.5, "many", None, [], {"a": 1})


class Strangers:
    """The cases, for a `Damage` that runs them."""

    def __init__(self, damage, wrong):
        self.damage, self.wrong, self.folder = damage, wrong, damage.folder
        self.small = damage.options.small
        text = (self.folder / "small.yaml").read_text()
        for name, replications in (("less", 2), ("more", 3)):
            (self.folder / f"{name}.yaml").write_text(
                text.replace("replications: 3", f"replications: {replications}").replace("damage", "strangers"))
        damage.must_run("less", "made")
        damage.must_run("more", "grown")
        self.program(["cluster", "init", "less.yaml", "-o", "shared"], timeout=600)
        self.program(["cluster", "exec", "shared", "--shard", "1/2", "-q"], timeout=600)
        self.whole = {"less": damage.seen("made"), "more": damage.seen("grown")}
        self.verbs = {}
        for verb in FEW if self.small else VERBS:
            folder, _, code = VERBS[verb]
            ending = self.verb(verb, damage.copy(folder, "tried"), timeout=600)
            if verb == "report" and ending.returncode == 0:
                shutil.copy(self.folder / "tried/report.html", self.folder / "made/report.html")
            if ending.returncode == code:
                self.verbs[verb] = folder
            else:
                print(f"{verb}: not tried, it ends with {ending.returncode} here: {ending.stderr.strip()[-200:]}")

    def program(self, words, timeout=LIMIT, memory=None):
        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        try:
            return subprocess.run([self.damage.program, *words], cwd=self.folder, text=True, capture_output=True,
                                  errors="replace", stdin=subprocess.DEVNULL, timeout=timeout, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            raise self.wrong(f"no end within {timeout} s")

    def verb(self, verb, results, **keywords):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        name = results.relative_to(self.folder)
        return self.program([word.format(dir=name, out="out") for word in VERBS[verb][1]], **keywords)

    def ended(self, ending, names, usual=0, codes=(0, 1, 2, 3)):
        """A code of the contract, and, where it is not the usual one, the name of what is refused."""
        said = ending.stdout + ending.stderr
        if ending.returncode not in codes:
            raise self.wrong(f"ended with {ending.returncode}: {said.strip()[-300:]}")
        if ending.returncode != usual and not any(name in said for name in names):
            raise self.wrong(f"does not name {names[0]}: {said.strip()[-300:]}")

    # Strange entries

    def victim(self):
        """A folder outside with what a user would miss, which looks like what the program makes."""
        victim = self.folder / "victim"
        shutil.rmtree(victim, ignore_errors=True)
        for path in ("7/thesis.txt", "photos/a.jpg", "1/runs.csv", "000001.seg", "runs.csv", "notes.txt"):
            (victim / path).parent.mkdir(parents=True, exist_ok=True)
            (victim / path).write_text(f"precious: {path}\n")
        return victim

    def state(self, folder):
        return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
                for path in sorted(folder.rglob("*"))}

    def strange(self, verb, entry, kind):
        results = self.damage.copy(self.verbs[verb], "tried")
        victim = self.victim()
        before = self.state(victim)
        segment = sorted((results / "segments").glob("*.seg"))[0].relative_to(results)
        path = results / entry.format(seg=segment)
        path.parent.mkdir(exist_ok=True)
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        MAKERS[kind](path, victim, entry in FOLDERS)
        kept = path.read_bytes() if kind == "file" else None
        ending = self.verb(verb, results)
        if self.state(victim) != before:
            changed = sorted({*self.state(victim).items()} ^ {*before.items()}, key=str)
            raise self.wrong(f"changed what lies outside: {changed[0][0]} (ended with {ending.returncode})")
        if kind == "folder" and not any(results.rglob("mine.txt")):
            raise self.wrong("deleted a user's folder")
        if kept and kept not in [each.read_bytes() for each in results.rglob("*") if each.is_file()]:
            raise self.wrong("deleted a user's file")
        self.ended(ending, [path.name], VERBS[verb][2])
        if verb in ("run", "run that grows"):
            self.finish(results, path, "more" if verb == "run that grows" else "less", ending.returncode)
        return 0, ""

    def finish(self, results, path, experiment, code):
        """A run that was refused goes on when the entry is gone; its tables are those of the undisturbed experiment."""
        if code:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
            self.damage.must_run(experiment, results.name)
        if self.damage.seen(results.name) != self.whole[experiment]:
            raise self.wrong("the tables are not those of the undisturbed experiment")

    # Edited tables

    def edited(self, change, experiment):
        results = self.damage.copy("made", "tried")
        table = results / "runs.csv"
        mine = change(table)
        ending = self.program(["run", f"{experiment}.yaml", "-o", "tried", "--quiet"])
        self.ended(ending, ["runs.csv"], codes=(0,))
        self.finish(results, table, experiment, 0)
        kept = [path for path in (results / "earlier").rglob("*") if path.is_file() and path.read_bytes() == mine]
        if not kept:
            raise self.wrong("the user's table is not in earlier/, byte for byte")
        if not any("earlier" in line and "runs.csv" in line for line in ending.stderr.splitlines()):
            raise self.wrong(f"does not say in a sentence where the user's table is: {ending.stderr.strip()[-200:]}")
        return 0, ""

    # Manifests

    def crafted(self, verb, count):
        results = self.damage.copy(self.verbs[verb], "tried")
        path = results / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["plan"]["replications"] = count
        path.write_text(json.dumps(manifest))
        ending = self.verb(verb, results, timeout=10, memory=MEMORY)
        # `run` has the experiment and may write its manifest anew.
        self.ended(ending, ["manifest.json"], VERBS[verb][2],
                   codes=(0, 1, 3) if verb.startswith(("run", "merge")) else (1,))
        return 0, ""

    # Disks without room

    def no_room(self, verb, kibibytes, older):
        """Room for so many KiB beside what is there; a file that was there is the old one or a whole new one."""
        disk = self.folder / "disk"
        disk.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk], check=True)
        try:
            results = disk / "tried"
            if verb in VERBS:
                shutil.copytree(self.folder / VERBS[verb][0], results, symlinks=True)
            words = (VERBS[verb][1] if verb in VERBS else WRITERS[verb])
            target = {"report": results / "report.html", "trace": results / "run-0.pftrace"}.get(verb, disk / "target")
            if older:
                ending = self.written(words, "disk/tried", "disk/target")
                if ending.returncode not in (0, 3):
                    raise self.wrong(f"ended with {ending.returncode} with room: {ending.stderr.strip()[-200:]}")
                if verb == "report":
                    target.write_text("<html>an older page that is smaller</html>\n")
            elif target.exists():
                target.unlink()
            before = target.read_bytes() if target.is_file() else None
            room = os.statvfs(disk)
            (disk / "filler").write_bytes(b"\0" * max(0, room.f_bavail * room.f_frsize - kibibytes * 1024))
            ending = self.written(words, "disk/tried", "disk/target")
            said = ending.stderr
            silent = ending.returncode == 3 and verb != "merge" and "No space left" not in said
            if ending.returncode not in (0, 3) or silent:
                raise self.wrong(f"ended with {ending.returncode}: {said.strip()[-300:]}")
            if "No space left" in said and "disk/" not in said:
                raise self.wrong(f"does not name the file: {said.strip()[-300:]}")
            after = target.read_bytes() if target.is_file() else None
            if ending.returncode == 3 and after != before:
                raise self.wrong(f"left {None if after is None else len(after)} bytes of {target.name} in place of "
                                 f"{None if before is None else len(before)}")
            left = [path.name for path in disk.rglob("*.partial")]
            if left:
                raise self.wrong(f"left {left[0]}")
        finally:
            subprocess.run(["umount", disk], check=True)
        return 0, ""

    def written(self, words, results, target):
        return self.program([word.format(dir=results, out=target) for word in words])

    # All of it

    def all(self):
        kind = self.damage.kind
        verbs = list(self.verbs)
        placed = [(entry, what) for entry in (*FOLDERS, *FILES) for what in MAKERS
                  if what != ("folder" if entry in FOLDERS else "file")]
        placed += [(entry, what) for entry in NUMBERS for what in ("folder", "file", "link")]
        if self.small:
            placed = [each for each in placed if each[0] in ("unfinished", "manifest.json.partial", "runs.csv")]
        for what in MAKERS:
            kind(f"a {what} in place of an entry", (
                (f"{verb}, {entry}", lambda verb=verb, entry=entry: self.strange(verb, entry, what))
                for entry, place in placed if place == what for verb in verbs))
        kind("an edited table", (
            (f"{name}, {experiment}", lambda change=change, experiment=experiment: self.edited(change, experiment))
            for name, change in EDITS.items() for experiment in ("less", "more")))
        kind("a crafted manifest", ((f"{verb}, {count}", lambda verb=verb, count=count: self.crafted(verb, count))
                                    for count in COUNTS[:3 if self.small else None] for verb in verbs
                                    if verb not in ("exec", "init", "reproduce")))
        if self.small or os.geteuid() != 0:
            print("a full disk for every verb: not tried, it takes root and the whole form")
            return
        kind("a full disk for every verb", (
            (f"{verb}, {room} KiB, {'over an older file' if older else 'new'}",
             lambda verb=verb, room=room, older=older: self.no_room(verb, room, older))
            for verb in (*(each for each in self.verbs if each not in READ_ONLY), *WRITERS)
            for room in (0, 2, 40, 300) for older in ((False,) if verb == "new" else (False, True))))


WRITERS = {  # verbs that write a file from no folder of results
    "check --emit-config": ["check", "less.yaml", "--emit-config", "{out}", "--force"],
    "workload generate": ["data", "workload", "generate", "--persona", "average", "--days", "3", "--seed", "1", "-o", "{out}",
                          "--force"],
    "new": ["new", "{out}.yaml"],
    "run": ["run", "less.yaml", "-o", "{out}", "--quiet"],
    "init a new folder": ["cluster", "init", "less.yaml", "-o", "{out}"],
}


def listening(path):
    """A socket whose name may be longer than an address."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(f"/proc/self/fd/{folder}/{path.name}"[:107])
    finally:
        os.close(folder)


def own_folder(path):
    path.mkdir()
    (path / "mine.txt").write_text("mine\n")


MAKERS = {
    "link": lambda path, victim, is_folder: path.symlink_to(victim if is_folder else victim / "notes.txt"),
    "fifo": lambda path, victim, is_folder: os.mkfifo(path),
    "socket": lambda path, victim, is_folder: listening(path),
    "folder": lambda path, victim, is_folder: own_folder(path),
    "file": lambda path, victim, is_folder: path.write_text("my own notes\n"),
}


def added(table):
    table.write_bytes(table.read_bytes() + b"my,own,line\n")
    return table.read_bytes()


def replaced(table):
    table.unlink()
    table.write_bytes(b"my,own,table\n1,2,3\n")
    return table.read_bytes()


def locked(table):
    content = replaced(table)
    table.chmod(0o444)
    return content


def cut_short(table):
    """An editor that writes in place."""
    content = b"".join(table.read_bytes().splitlines(keepends=True)[:2])
    table.write_bytes(content)
    return content


EDITS = {"a line added": added, "replaced": replaced, "replaced, read-only": locked, "lines deleted": cut_short}
