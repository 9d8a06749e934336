#!/usr/bin/env bash
# What `estimate` takes for a minute of pulses, 60 + 48 teeth at 3000 rpm, from CSV to CSV on one core: fails above a
# hundredth of the minute by the direct filter (the gap known), and above a sixtieth by the three in parallel (learned).
#   bench/estimate_pulses.sh [PROGRAM]
source "$(dirname "${BASH_SOURCE[0]}")/in_a_folder.sh" "$@"

# The example's drive, driven and braked in turn about 250 rpm of the load; one row an event, and the truth left out.
times=$(seq -s, 0 1.5 58.5)
levels=$(for i in $(seq 20); do printf '50,-16,'; done)
"$program" describe powertrain --study | grep -v '^input = ' |
  sed -e 's/^duration = .*/duration = "60 s"/' -e 's|^start.velocity = "10 rad/s"|start.velocity = "250 rpm"|' > learned.toml
printf 'input = { kind = "steps", times = [%s], levels = [%s] }\n' "$times" "${levels%,}" >> learned.toml
sed -e 's/{ value = "60 mrad", std = "20 mrad" }/"60 mrad"\nbacklash.offset = 0/' \
  -e 's/^kind = "ekf"/kind = "direct"/' learned.toml > known.toml
"$program" simulate learned.toml --seed 1 -o - 2> /dev/null | cut -d, -f1-4 > pulses.csv
printf '%d rows, %d MB\n' "$(($(wc -l < pulses.csv) - 1))" "$(($(stat -c %s pulses.csv) / 1000000))"
status=0
for study in known learned; do
  printf '%s gap: ' "$study"
  limit=0.6
  [ "$study" = learned ] && limit=1
  "$root/bench/limited.py" --core "$limit" 1 "$program" estimate "$study.toml" pulses.csv -o estimate.csv > /dev/null || status=$?
done
exit $status
