# shellcheck shell=bash disable=SC2034
# What the scripts that time the program share: `root` is the repository, `program` what is timed, and they work in a
# folder of their own that is gone in the end. Sourced, with the program's path or nothing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$(realpath "${1-$root/build/release/tauhat/cli/tauhat}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
