"""Adds up what meson's test logs tell: count.py LOG... prints "PASSED FAILED", and each failure on stderr."""
import json
import re
import sys


def points(text):
    """The (passed, title) of each line of a TAP stream that was not skipped."""
    for match in re.finditer(r"^(not )?ok\b\s*(.*)$", text, re.MULTILINE):
        if not re.search(r"#\s*skip\b", match.group(2), re.IGNORECASE):
            yield match.group(1) is None, match.group(2)


def main():
    passed = failed = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as log:
            for test in map(json.loads, log):
                results = list(points(test.get("stdout", "")))
                bad = [title for good, title in results if not good]
                # A program that died or hung may have said nothing of it.
                if test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL") and not bad:
                    bad = [test["result"]]
                    print(test.get("stdout", "")[-3000:], test.get("stderr", "")[-3000:], file=sys.stderr)
                for title in bad:
                    print(f"{path}: {test['name']}: {title}", file=sys.stderr)
                passed += sum(good for good, _ in results)
                failed += len(bad)
    print(passed, failed)


if __name__ == "__main__":
    main()
