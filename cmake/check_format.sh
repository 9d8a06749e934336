#!/usr/bin/env bash
# clang-format over all C++ sources. `cmake/check_format.sh --fix` formats them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
action=(--dry-run -Werror)
[[ ${1-} == --fix ]] && action=(-i)
find tauhat tests bench \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
  xargs -0 -n 8 -P "$(nproc)" clang-format-16 "${action[@]}" || {
  echo "some files are not formatted: run cmake/check_format.sh --fix" >&2
  exit 1
}
