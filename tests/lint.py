"""What a compiler does not check: layers, globals, forbidden calls, formatting.

usage: lint.py SOURCE_ROOT BUILD_ROOT      (TAP on stdout)
"""
import concurrent.futures
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

LAYERS = ["system", "engine", "endgame", "search", "book", "bench", "protocol", "checkerboard", "training",
          "match", "tools"]

# What each layer may include: whole layers, or single headers of one.
MAY_INCLUDE = {
    "system": {"system"},
    "engine": {"engine"},
    "endgame": {"system", "engine", "endgame"},
    "search": {"system", "engine", "endgame", "search"},
    "book": {"system", "engine", "search", "book"},
    "bench": {"system", "engine", "search", "bench"},
    "protocol": {"system", "engine", "endgame/egdb.h", "search", "book/book.h", "book/play.h", "protocol",
                 "bench/bench.h", "bench/commands.h", "bench/perft.h"},
    "checkerboard": {"system", "engine", "search", "checkerboard", "bench/commands.h", "protocol/go.h",
                     "protocol/hub_level.h", "protocol/hub_line.h", "protocol/place.h", "protocol/reader.h",
                     "protocol/session.h", "protocol/setoption.h"},
    "match": {"system", "engine", "endgame/egdb.h", "match", "bench/command.h", "bench/commands.h",
              "bench/stopwatch.h", "protocol/hub_line.h", "protocol/reader.h"},
    "training": {"system", "engine", "endgame/egdb.h", "search", "training", "bench/command.h",
                 "bench/commands.h", "bench/stopwatch.h"},
    "tools": {"system", "engine", "endgame/egdb.h", "search", "training", "tools", "bench/command.h"},
    "endgame/egdb_command.c": {"engine", "endgame", "bench/command.h", "bench/commands.h", "bench/stopwatch.h"},
    "book/book_command.c": {"engine", "book", "bench/command.h", "match/opening.h"},
    "protocol/dxp_command.c": {"engine", "search", "protocol", "bench/command.h"},
    "protocol/main.c": {"protocol", "bench/commands.h", "book/commands.h", "checkerboard/commands.h",
                        "endgame/commands.h", "match/commands.h", "training/commands.h"},
}

COLUMNS = 110  # as in .clang-format

# Calls that cut off silently, overrun, or read a number without saying whether it was one.
UNSAFE = re.compile(r"\b(strcpy|strcat|strncpy|sprintf|vsprintf|gets|atoi|atol|atoll|atof|strtok|alloca|longjmp)\s*\(")
ENDS_PROCESS = re.compile(r"\b(exit|_exit|_Exit|quick_exit|abort)\s*\(")
INPUT_OUTPUT = re.compile(r"\b(stdin|stdout|stderr)\b|\b(getenv|fopen|open|printf|puts|putchar|perror)\s*\(")


def files_of(root, suffixes):
    for layer in LAYERS:
        yield from sorted(p for p in (root / layer).rglob("*") if p.suffix in suffixes)


def without_comments_and_strings(text):
    """The code alone, on the same lines."""
    token = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
    return token.sub(lambda match: "\n" * match.group().count("\n") or " ", text)


def find(root, suffixes, pattern, allowed):
    """Every place where code matches the pattern in a file that is not allowed to."""
    for path in files_of(root, suffixes):
        name = path.relative_to(root).as_posix()
        if allowed(name):
            continue
        for number, line in enumerate(without_comments_and_strings(path.read_text()).split("\n"), 1):
            match = pattern.search(line)
            if match:
                yield f"{name}:{number}: {match.group().strip()}"


def check_includes(root, build):
    for path in files_of(root, {".c", ".h", ".def"}):
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().split("\n"), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match:
                continue
            included = match.group(1)
            allowed = MAY_INCLUDE.get(name) or MAY_INCLUDE[name.split("/")[0]]
            if included.split("/")[0] not in allowed and included not in allowed:
                yield f"{name}:{number}: may not include {included}"


def check_guards(root, build):
    for path in files_of(root, {".h"}):
        name = path.relative_to(root).as_posix()
        guard = "CROWNHEAD_" + re.sub(r"\W", "_", name).upper()
        if not re.search(rf"^#ifndef {guard}\n#define {guard}\n", path.read_text(), re.MULTILINE):
            yield f"{name}: guard is not {guard}"


def check_unsafe_calls(root, build):
    yield from find(root, {".c", ".h"}, UNSAFE, lambda name: False)


def check_process_end(root, build):
    yield from find(root, {".c", ".h"}, ENDS_PROCESS,
                    lambda name: name in ("protocol/main.c", "match/process.c"))


def check_silence(root, build):
    yield from find(root, {".c", ".h"}, INPUT_OUTPUT,
                    lambda name: name.split("/")[0] not in ("engine", "search") or name == "search/network_file.c")


def mutable_objects(command, directory):
    """Compiles one file as the build does, but to plain object code, and lists the variables one could write to."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "object.o"
        plain = ["-O0", "-w", "-fno-lto", "-fno-sanitize=all", "-o", str(target)]
        arguments = [a for a in shlex.split(command) if a not in ("-MD", "--coverage")]
        for option in ("-MQ", "-MF"):
            if option in arguments:
                at = arguments.index(option)
                del arguments[at:at + 2]
        subprocess.run(arguments + plain, cwd=directory, check=True)
        table = subprocess.run(["objdump", "-t", str(target)], check=True, capture_output=True, text=True).stdout
    for line in table.split("\n"):
        # value, seven flag characters, section, TAB, size, name; constants with addresses are in .data.rel.ro
        match = re.match(r"[0-9a-f]+ .{6}O (\.(?:data|bss|tdata|tbss)\S*|\*COM\*)\t[0-9a-f]+\s+(\S+)", line)
        if match and not match.group(1).startswith(".data.rel.ro"):
            yield match.group(2)


# The interface of CheckerBoard has no handle for an engine.
MAY_OUTLIVE = {("checkerboard/export.c", "library")}


def check_globals(root, build):
    commands = json.loads((build / "compile_commands.json").read_text())
    jobs = {}
    for entry in commands:
        path = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if path.is_relative_to(root) and path.relative_to(root).parts[0] in LAYERS:
            jobs[path.relative_to(root).as_posix()] = entry
    with concurrent.futures.ThreadPoolExecutor() as pool:
        found = pool.map(lambda entry: list(mutable_objects(entry["command"], entry["directory"])), jobs.values())
        for name, objects in zip(jobs, found):
            yield from (f"{name}: variable {variable} outlives its function" for variable in objects
                        if (name, variable) not in MAY_OUTLIVE)


def check_length(root, build):
    """Comments and tables too, which clang-format lets be as long as they are."""
    tests = (p for p in sorted((root / "tests").rglob("*")) if p.suffix in {".c", ".h"})
    for path in [*files_of(root, {".c", ".h", ".def"}), *tests]:
        for number, line in enumerate(path.read_text().split("\n"), 1):
            if len(line) > COLUMNS:
                yield f"{path.relative_to(root).as_posix()}:{number}: {len(line)} columns"


def clang_format_missing():
    if not shutil.which("clang-format"):
        return "clang-format is not installed"
    version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True).stdout
    return "" if re.search(r"version 14\.", version) else "formatting differs between versions, ours is of 14"


def check_format(root, build):
    names = [str(p) for p in files_of(root, {".c", ".h"})] + [str(p) for p in sorted((root / "tests").rglob("*.[ch]"))]
    run = subprocess.run(["clang-format", "--dry-run", "-Werror", *names], capture_output=True, text=True)
    for line in run.stderr.split("\n"):
        if ": error: " in line:
            yield line.replace(str(root) + "/", "")


CHECKS = [
    ("layers include only what lies below them", check_includes, None),
    ("headers have their guard", check_guards, None),
    ("no unsafe call", check_unsafe_calls, None),
    ("only main.c ends the program, and process.c its keepers", check_process_end, None),
    ("engine and search neither read nor print", check_silence, None),
    ("no variable outlives its function", check_globals,
     lambda: "" if shutil.which("objdump") else "objdump is not installed"),
    (f"no line has more than {COLUMNS} columns", check_length, None),
    ("formatted as .clang-format says", check_format, clang_format_missing),
]


def main():
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    failed = False
    print(f"1..{len(CHECKS)}")
    for number, (title, check, missing) in enumerate(CHECKS, 1):
        reason = missing() if missing else ""
        if reason:
            print(f"ok {number} {title} # SKIP {reason}")
            continue
        faults = list(check(root, build))
        failed = failed or bool(faults)
        print(f"{'not ok' if faults else 'ok'} {number} {title}")
        for fault in faults:
            print(f"# {fault}")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
