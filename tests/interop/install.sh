#!/bin/sh
# Installs the foreign programs that the suite interop plays with into a folder; what cannot be had is left out,
# and its tests are skipped. Takes pip of Python 3, and npm.
#
# usage: install.sh FOLDER       (the tests look into the folder interop of the build, or $CROWNHEAD_INTEROP)
set -u

[ $# -eq 1 ] || { echo "usage: install.sh FOLDER" >&2; exit 2; }
mkdir -p "$1" && cd "$1" || exit 1

# attempt NAME COMMAND...: a folder NAME is there afterwards in full or not at all.
attempt() {
    name=$1
    shift
    [ -e "$name" ] && return
    rm -rf partial
    if mkdir partial && "$@" && mv partial "$name"; then
        echo "interop: $name is installed"
    else
        rm -rf partial
        echo "interop: $name could not be installed, its tests will be skipped"
    fi
}

# The first is what bots of lidraughts use, the second the latest.
for version in 0.5.7 0.6.7; do
    attempt "pydraughts-$version" python3 -m pip install --quiet --disable-pip-version-check --retries 2 --timeout 20 \
        --root-user-action ignore --target partial "pydraughts==$version"
done
attempt rapid-draughts sh -c 'echo "{\"private\": true}" >partial/package.json &&
    npm install --silent --no-audit --no-fund --fetch-retries 1 --fetch-timeout 20000 --prefix partial \
        rapid-draughts@1.0.6 >&2'
exit 0
