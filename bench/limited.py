#!/usr/bin/env python3
"""Runs a command, says what it took, and fails where that is more than it may take.

  bench/limited.py [--core] SECONDS GIGABYTES COMMAND...

--core: on one core, of which the time spent on the command counts; else what the clock on the wall says.
The figures go to standard error, the command's own output where it always goes.
"""
import resource
import subprocess
import sys
import time

ANSWERED = (0, 1, 5)  # exit codes of tauhat with numbers behind them: conforming, nonconforming, inconclusive


def main(arguments):
    on_one_core = arguments[:1] == ["--core"]
    seconds_limit, gigabytes_limit, *command = arguments[1 if on_one_core else 0:]
    begin = time.monotonic()
    code = subprocess.run((["taskset", "-c", "0"] if on_one_core else []) + command).returncode
    wall = time.monotonic() - begin
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    core, gigabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6
    print(f"{wall:.2f} s, {core:.2f} s of one core, {gigabytes:.2f} GB at most", file=sys.stderr)
    seconds = core if on_one_core else wall
    failures = []
    if code not in ANSWERED:
        failures.append(f"exit code {code}: no answer")
    if seconds > float(seconds_limit):
        failures.append(f"{seconds:.2f} s{' of one core' if on_one_core else ''}: more than {seconds_limit} s")
    if gigabytes > float(gigabytes_limit):
        failures.append(f"{gigabytes:.2f} GB: more than {gigabytes_limit} GB")
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    return 1 if failures else 0


sys.exit(main(sys.argv[1:]))
