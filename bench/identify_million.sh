#!/usr/bin/env bash
# What `identify` takes on a million samples of CSV, report included, on one core: at most 15 s and 2 GB.
#   bench/identify_million.sh [PROGRAM]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$(realpath "${1-$root/build/release/tauhat/cli/tauhat}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The demo's drive, for a million samples of its own rate.
sed 's/^duration = .*/duration = "500 s"/' "$root/studies/demo/demo.toml" > long.toml
"$program" simulate long.toml -o long.csv --seed 1 > /dev/null
printf '%d samples, %d MB\n' "$(($(wc -l < long.csv) - 1))" "$(($(stat -c %s long.csv) / 1000000))"
python3 - "$program" <<'PYTHON'
import resource, subprocess, sys
subprocess.run(["taskset", "-c", "0", sys.argv[1], "identify", "long.toml", "long.csv", "--report", "long.html"],
               stdout=open("long.txt", "w"))
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{usage.ru_utime + usage.ru_stime:.1f} s of one core, {usage.ru_maxrss / 1e6:.2f} GB at most")
PYTHON
head -4 long.txt
