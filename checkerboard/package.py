"""Makes the package for CheckerBoard: the same bytes from the same files.

usage: package.py OUTPUT.zip EGDB_FOLDER FILE...
"""
import pathlib
import sys
import zipfile

DATE = (1980, 1, 1, 0, 0, 0)


def add(package, name, path):
    info = zipfile.ZipInfo(name, DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    package.writestr(info, path.read_bytes())


def main():
    output, folder, *files = map(pathlib.Path, sys.argv[1:])
    databases = sorted(folder.glob('*.wld'))
    if not databases:
        sys.exit(f'{folder}: no endgame databases (*.wld) here; a build for this machine makes them, see the option egdb')
    with zipfile.ZipFile(output, 'w') as package:
        for path in files:
            add(package, path.name, path)
        for path in databases:
            add(package, f'crownhead/egdb/{path.name}', path)


if __name__ == '__main__':
    main()
