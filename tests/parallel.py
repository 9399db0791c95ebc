#!/usr/bin/env python3
"""Perft in jobs on the command line, with GNU parallel handing them out, and prints TAP.

usage: parallel.py path/to/crownhead
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import tap
from tap import Skip, check

PATIENCE = 300.0
DEPTH = '11'
LEAVES = 85242128  # published
SLOTS = '4'


class Perft:
    """The program, and a folder for its files."""

    def __init__(self, program, folder):
        self.program = os.path.abspath(program)
        self.folder = pathlib.Path(folder)
        self.notes = threading.local()

    def run(self, *arguments, lines=()):
        """The lines of the output, those of the errors, and the exit status."""
        done = subprocess.run([self.program, 'perft', *arguments], input=text_of(lines), capture_output=True,
                              text=True, timeout=PATIENCE, check=False, cwd=self.folder)
        return done.stdout.splitlines(), done.stderr.splitlines(), done.returncode

    def good(self, *arguments, lines=()):
        output, errors, status = self.run(*arguments, lines=lines)
        check(status == 0 and errors == [], arguments, 'ended with', status, errors)
        return output

    def refused(self, *arguments, lines=(), status=1):
        """The one line that says why."""
        output, errors, ended = self.run(*arguments, lines=lines)
        check(ended == status, arguments, 'ended with', ended, output, errors)
        check(len(errors) == 1 and output == [], arguments, 'said', output, errors)
        return errors[0]

    def parallel(self, *arguments, lines):
        """What GNU parallel collects."""
        if not shutil.which('parallel'):
            raise Skip('GNU parallel is not installed')
        if b'GNU' not in subprocess.run(['parallel', '--version'], capture_output=True, check=False).stdout:
            raise Skip('parallel is another program of this name')
        done = subprocess.run(['parallel', '-j', SLOTS, *arguments], input=text_of(lines), capture_output=True,
                              text=True, timeout=PATIENCE, check=False,
                              env={**os.environ, 'PARALLEL_HOME': str(self.folder)})
        check(done.returncode == 0, 'parallel ended with', done.returncode, done.stderr)
        return done.stdout.splitlines()

    def count(self, *arguments, lines=()):
        return json.loads('\n'.join(self.good(*arguments, '--json', lines=lines)))['count']


def text_of(lines):
    return ''.join(line + '\n' for line in lines)


def counted(perft, *arguments):
    """The lines of a small perft, counted."""
    return perft.good('--job', lines=perft.good('--split', '3', *arguments, '7'))


def test_slots_take_jobs_as_arguments(perft):
    jobs = perft.good('--split', '3', DEPTH)
    lines = perft.parallel(perft.program, 'perft', '--job', '{}', lines=jobs)
    check(len(jobs) == len(lines) > 100, len(jobs), 'jobs,', len(lines), 'lines')
    check(perft.count('--reduce', lines=lines) == perft.count(DEPTH) == LEAVES, 'another count')


def test_slots_take_jobs_as_input(perft):
    jobs = perft.good('--split', '5', '--variant', 'russian', '--unique', '9')
    lines = perft.parallel('--pipe', '-N', '40', perft.program, 'perft', '--hash', '4', '--job', lines=jobs)
    check(sorted(json.loads(line)['job'] for line in lines) == list(range(1, len(jobs) + 1)), 'other jobs')
    check(perft.count('--reduce', lines=lines) == perft.count('--variant', 'russian', '--unique', '9'),
          'another count')


def test_a_job_is_as_documented(perft):
    start = 'B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12'
    lines = perft.good('--split', '1', '3')
    check(lines[0] == '{"job":1,"jobs":7,"variant":"english",'
          '"fen":"W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,14","depth":2,"weight":1,'
          '"unique":false,"of":{"fen":"' + start + '","depth":3}}', lines[0])
    line = perft.good('--job', lines[0])[0]
    check(line.startswith(lines[0][:-1] + ',"count":'), line)
    text = perft.good('--reduce', lines=perft.good('--job', lines=lines))
    check(len(text) == 1 and re.fullmatch(r'depth 3: 302 leaves in [\d.]+ s of counting, \d+ leaves/s', text[0]), text)
    fields = json.loads('\n'.join(perft.good('--reduce', '--json', lines=perft.good('--job', lines=lines))))
    check((fields['variant'], fields['fen'], fields['depth'], fields['unique'], fields['count']) ==
          ('english', start, 3, False, 302), fields)


def test_threads_and_tables_change_nothing(perft):
    jobs = perft.good('--split', '4', '9')
    jobs += perft.good('--split', '4', '--variant', 'russian', '--unique', '7')
    plain = perft.good('--job', lines=jobs)
    fast = perft.good('--job', '--threads', '3', '--hash', '2', lines=jobs)
    check([json.loads(line)['count'] for line in plain] == [json.loads(line)['count'] for line in fast],
          'other counts')


def test_files(perft):
    lines = counted(perft)
    for name, part in ('a.jsonl', lines[100:]), ('b.jsonl', lines[:100]):
        (perft.folder / name).write_text(text_of(part))
    count = perft.count('7')
    check(perft.count('--reduce', 'a.jsonl', 'b.jsonl') == count, 'another count')
    check(perft.count('--reduce', 'a.jsonl', '-', lines=lines[:100]) == count, 'another count')
    (perft.folder / 'c.jsonl').write_text(text_of(perft.good('--split', '3', '7')))
    check(perft.count('--reduce', lines=perft.good('--job', 'c.jsonl')) == count, 'another count')
    error = perft.refused('--reduce', 'a.jsonl', 'none.jsonl')
    check(error == 'perft: none.jsonl: No such file or directory', error)
    error = perft.refused('--reduce', '.')
    check(error == 'perft: .: Is a directory', error)


def test_a_doubled_line_is_harmless(perft):
    lines = counted(perft)
    again = perft.good('--job', lines[7])
    check(perft.count('--reduce', lines=lines + lines[5:9] + ['', ' '] + again) == perft.count('7'), 'another count')


def test_a_missing_line_is_refused(perft):
    lines = counted(perft)
    error = perft.refused('--reduce', lines=lines[:20] + lines[21:-1])
    check(error == f'perft: 2 of {len(lines)} jobs missing, the first is job 21', error)
    error = perft.refused('--reduce')
    check(error == 'perft: there are no jobs', error)


def test_a_torn_line_is_refused(perft):
    lines = counted(perft)
    (perft.folder / 'torn.jsonl').write_text(text_of(lines)[:-30])
    error = perft.refused('--reduce', 'torn.jsonl')
    check(error.startswith(f'perft: torn.jsonl, line {len(lines)}: torn or not JSON'), error)
    (perft.folder / 'torn.jsonl').write_text(text_of(lines[:9]) + lines[9][:70] + text_of(lines[9:]))
    error = perft.refused('--reduce', 'torn.jsonl')
    check(error.startswith('perft: torn.jsonl, line 10: torn or not JSON'), error)


def test_missing_jobs_are_told(perft):
    lines = counted(perft)
    jobs = perft.good('--split', '3', '7')
    (perft.folder / 'torn.jsonl').write_text(text_of(lines[:9]) + lines[9][:70] + text_of(lines[10:20])
                                             + text_of(lines[22:])[:-30])
    missing = perft.good('--reduce', '--missing', 'torn.jsonl')
    check(missing == [jobs[at] for at in (9, 10, 20, 21, len(jobs) - 1)], missing)
    count = perft.count('--reduce', lines=lines[:9] + lines[11:20] + lines[22:-1] + perft.good('--job', lines=missing))
    check(count == perft.count('7'), count)
    check(perft.good('--reduce', '--missing', lines=lines) == [], 'nothing is missing')
    check(perft.good('--reduce', '--missing', lines=jobs[:3] + lines[:5]) == jobs[5:], 'jobs tell the perft too')
    error = perft.refused('--reduce', '--missing', lines=lines[0:1] + counted(perft, '--unique')[9:])
    check(error == 'perft: stdin, line 2: job 10 is of another perft than the first', error)
    error = perft.refused('--reduce', '--missing', lines=['{"job":1,'])
    check(error == 'perft: there is no job that could tell which perft it is', error)


def test_a_contradiction_is_refused(perft):
    lines = counted(perft)
    job = json.loads(lines[4])
    error = perft.refused('--reduce', lines=lines + [json.dumps({**job, 'count': job['count'] + 1})])
    check(error == f'perft: stdin, line {len(lines) + 1}: job 5 has the count {job["count"] + 1}, '
          f'but before {job["count"]}', error)
    error = perft.refused('--reduce', lines=lines[:4] + [json.dumps({**job, 'weight': job['weight'] + 1})] + lines[5:])
    check(error == 'perft: stdin, line 5: job 5 has another position or weight than the split gives it', error)
    error = perft.refused('--reduce', lines=lines[:9] + counted(perft, '--unique')[9:])
    check(error == 'perft: stdin, line 10: job 10 is of another perft than the first', error)
    error = perft.refused('--reduce', lines=perft.good('--split', '3', '7'))
    check(error == 'perft: stdin, line 1: job 1 has no count', error)


def test_what_makes_no_sense_is_refused(perft):
    for arguments in (['--split', '8', '7'], ['--split', '3'], ['--split', 'x', '7'], ['--split', '3', '--divide', '7'],
                      ['--split', '3', '--hash', '9', '7'], ['--job', '--reduce'], ['--job', '--fen', 'B:W1:B32'],
                      ['--reduce', '--variant', 'russian'], ['--reduce', '--threads', '2'], ['--missing', '7'],
                      ['--reduce', '--missing', '--json'], ['--job', '--missing']):
        perft.refused(*arguments, status=2)
    error = perft.refused('--job', '{"job":1}')
    check(error.startswith('perft: argument: no job: '), error)


def test_large_claims_are_refused(perft):
    """One line that was made up costs next to nothing, and is named."""
    lines = counted(perft)
    job = json.loads(lines[4])
    for line, text in [
            ({**job, 'depth': 0, 'of': {**job['of'], 'depth': 60}}, 'no job: depth 0 of a perft of depth 60, which is '
             'cut more than 12 plies down'),
            ({**job, 'jobs': 2 ** 62}, "no job: 'jobs' must be a number from 1 to 4194304"),
            ({**job, 'seconds': 1e300}, "no job: 'seconds' must be a number from 0 to below 1e+12"),
            ({name: value for name, value in job.items() if name != 'of'}, "no job: 'of' is missing")]:
        error = perft.refused('--reduce', lines=lines[:4] + [json.dumps(line)])
        check(error == f'perft: stdin, line 5: {text}', error)
    error = perft.refused('--reduce', lines=[json.dumps({**job, 'jobs': 4194304})])
    check(error == 'perft: 4194303 of 4194304 jobs missing, the first is job 1', error)
    error = perft.refused('--reduce', '--missing', lines=[json.dumps({**job, 'jobs': 4194304})])
    check(error == f'perft: stdin, line 1: job 5: this perft is not cut into 4194304 jobs of depth {job["depth"]}', error)
    (perft.folder / 'large.jsonl').write_text(text_of(lines[:2] + [json.dumps({**json.loads(lines[2]), 'count': 2 ** 62})]
                                                      + lines[3:]))
    error = perft.refused('--reduce', 'large.jsonl')
    check(error == 'perft: large.jsonl, line 3: job 3 brings the sum beyond counting', error)
    late = json.dumps({**job, 'seconds': 9e11})
    output = perft.good('--reduce', lines=lines[:4] + [late] + lines[5:])
    check('leaves in 9223372036.855 s of counting' in output[0], output)
    perft.refused('--split', '13', '20', status=2)


def test_endless_input_is_refused(perft):
    for arguments in ['--job'], ['--reduce'], ['--reduce', '--missing']:
        error = perft.refused(*arguments, '/dev/zero')
        check(error == 'perft: /dev/zero, line 1: too long for a job', error)
    line = counted(perft)[0]
    check(len(perft.good('--job', lines=[line[:-1] + ' ' * (65536 - len(line)) + '}'])) == 1, 'the longest line')
    error = perft.refused('--job', lines=[line[:-1] + ' ' * (65537 - len(line)) + '}'])
    check(error == 'perft: stdin, line 1: too long for a job', error)


def test_a_full_disk_is_told(perft):
    if not os.path.exists('/dev/full'):
        raise Skip('there is no /dev/full')
    jobs = text_of(perft.good('--split', '2', '5'))
    for arguments in ['--split', '2', '5'], ['--split', '5', '7'], ['--job']:
        with open('/dev/full', 'w', encoding='ascii') as full:
            done = subprocess.run([perft.program, 'perft', *arguments], input=jobs, stdout=full, text=True,
                                  stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
        check(done.returncode == 1 and done.stderr == 'perft: cannot write the output: No space left on device\n',
              arguments, done.returncode, done.stderr)


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(tap.main([sys.modules[__name__]], Perft(sys.argv[1], scratch), workers=1))
