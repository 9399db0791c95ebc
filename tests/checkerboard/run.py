#!/usr/bin/env python3
"""Runs the tests of the host of CheckerBoard engines and prints TAP.

usage: run.py path/to/crownhead path/to/libcrownhead_cb.so path/to/cb_fake.so [part of a test's name]
"""

import os
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
sys.path.insert(1, str(TESTS / 'protocol'))

import client
import tap
import test_host
import test_match

MODULES = [test_match, test_host]


class Fake(client.Engine):
    """A host of an engine with a fault; what the engine was asked stands on stderr."""

    def told(self):
        self.sync()
        self.send('quit')
        self.process.wait(client.PATIENCE)
        said = list(self.stray)
        self.stray.clear()
        return said

    def __exit__(self, kind, value, trace):
        if kind is None and self.process.poll() is None:
            self.told()
        self.stray.clear()
        super().__exit__(kind, value, trace)


class Suite(client.Suite):
    def __init__(self, program, library, fake_library):
        super().__init__(program)
        self.library, self.fake_library = map(os.path.abspath, (library, fake_library))

    def host(self):
        return client.Engine(self, command=[self.program, 'cb-host', self.library])

    def fake(self, fault):
        return Fake(self, command=['env', f'CB_FAKE={fault}', self.program, 'cb-host', self.fake_library])

    def talk(self, text):
        return self.run(text, 'cb-host', self.library)

    def refused(self, *arguments, environment=None):
        done = subprocess.run([self.program, 'cb-host', *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                              env=os.environ | (environment or {}), text=True, timeout=client.PATIENCE, check=False)
        return done.stdout.splitlines(), done.returncode, done.stderr.splitlines()


if __name__ == '__main__':
    if len(sys.argv) not in (4, 5):
        sys.exit('usage: run.py path/to/crownhead path/to/libcrownhead_cb.so path/to/cb_fake.so [part of a name]')
    sys.exit(tap.main(MODULES, Suite(*sys.argv[1:4]), *sys.argv[4:]))
