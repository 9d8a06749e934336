#!/usr/bin/env bash
# What `identify` takes on a million samples of six joints (52 parameters), CSV and report included: fails above 10 s or
# 0.5 GB.
#   bench/identify_robot_million.sh [PROGRAM]
source "$(dirname "${BASH_SOURCE[0]}")/in_a_folder.sh" "$@"

# An exciting motion of 10 s, from rest to rest, a hundred times over.
"$program" excite "$root/studies/robot/robot.toml" -o motion.csv --evaluations 200 > /dev/null
"$program" simulate "$root/studies/robot/force.toml" --without-contact --trajectory motion.csv -o once.csv > /dev/null
head -n 1 once.csv | cut -d, -f1-13 > long.csv
tail -n +2 once.csv | head -n 10000 | cut -d, -f1-13 > rows.csv
for ((period = 0; period < 100; ++period)); do
  awk -F, -v OFS=, -v start=$((10 * period)) '{ $1 = sprintf("%.3f", $1 + start); print }' rows.csv >> long.csv
done
printf '%d samples, %d MB\n' "$(($(wc -l < long.csv) - 1))" "$(($(stat -c %s long.csv) / 1000000))"
status=0
"$root/bench/limited.py" 10 0.5 "$program" identify "$root/studies/robot/robot.toml" long.csv --report long.html \
  > long.txt || status=$?
head -4 long.txt
exit $status
