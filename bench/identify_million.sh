#!/usr/bin/env bash
# What `identify` takes on a million samples of CSV, report included, on one core: fails above 15 s or 2 GB.
#   bench/identify_million.sh [PROGRAM]
source "$(dirname "${BASH_SOURCE[0]}")/in_a_folder.sh" "$@"

# The demo's drive, for a million samples of its own rate.
sed 's/^duration = .*/duration = "500 s"/' "$root/studies/demo/demo.toml" > long.toml
"$program" simulate long.toml -o long.csv --seed 1 > /dev/null
printf '%d samples, %d MB\n' "$(($(wc -l < long.csv) - 1))" "$(($(stat -c %s long.csv) / 1000000))"
status=0
"$root/bench/limited.py" --core 15 2 "$program" identify long.toml long.csv --report long.html > long.txt || status=$?
head -4 long.txt
exit $status
