#!/usr/bin/env bash
# Names the C++ sources that clang-format would change. `cmake/check_format.sh --fix` formats them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
sources() { find tauhat tests bench \( -name '*.cpp' -o -name '*.hpp' \) -print0; }
if [[ ${1-} == --fix ]]; then
  sources | xargs -0 clang-format-16 -i
  exit
fi
check() { clang-format-16 --dry-run -Werror "$1" 2>/dev/null || { echo "not formatted: $1" && return 1; }; }
export -f check
sources | xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$1"' check || {
  echo "run cmake/check_format.sh --fix" >&2
  exit 1
}
