#!/usr/bin/env bash
# clang-tidy's checks (.clang-tidy) on every source and header of tauhat/ and bench/; the release build must be
# configured.
#   cmake/check_tidy.sh [PATTERN]            all of them, or those whose name matches
#   TIDY_SECONDS=600 cmake/check_tidy.sh     as many as can be begun in that time; says how many were left out
# By clangd, which looks at a file's own declarations alone: clang-tidy itself goes through all of Eigen with each check,
# for every file, and takes four times as long. A file that passed is not looked at again, in any clone, until it, a
# header of the project that it includes, the checks or the packages change (~/.cache/tauhat/tidy).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=build/tidy
passed=${XDG_CACHE_HOME:-$HOME/.cache}/tauhat/tidy
mkdir -p "$work" "$passed"
deadline=${TIDY_SECONDS:+$(($(date +%s) + TIDY_SECONDS))}
left_out=$work/left_out
: >"$left_out"

# The commands of the release build, without its precompiled headers, which may be older than the sources.
sed -E -e 's# -Winvalid-pch( -Xclang)? -include[^"]*cmake_pch\.hxx(\.pch)?##' \
  build/release/compile_commands.json >"$work/compile_commands.json"
common=$({ clangd-16 --version; cat .clang-tidy cmake/check_tidy.sh CMakeLists.txt {tauhat,bench}/CMakeLists.txt \
  tauhat/*/CMakeLists.txt; dpkg-query -W libeigen3-dev libstdc++-12-dev libfmt-dev \
  nlohmann-json3-dev libtomlplusplus-dev libsundials-dev libcli11-dev; } 2>/dev/null | sha256sum)

# One line a file: its name, then the project's files that it includes, through others, too.
files_with_headers() {
  git ls-files --cached --others --exclude-standard 'tauhat/*.[ch]pp' 'bench/*.[ch]pp' | xargs awk '
    FNR == 1 { order[++files] = FILENAME }
    /^#include "(tauhat|bench)\// { split($0, part, "\""); includes[FILENAME] = includes[FILENAME] " " part[2] }
    function visit(file, list, n, i) {
      if (seen[file]++) return
      line = line " " file
      n = split(includes[file], list, " ")
      for (i = 1; i <= n; ++i) visit(list[i])
    }
    END {
      for (f = 1; f <= files; ++f) {
        split("", seen); line = ""
        visit(order[f])
        print substr(line, 2)
      }
    }'
}

check() {
  local key file=$1
  key=$({ echo "$common"; sha256sum "$@"; } | sha256sum | cut -c 1-64)
  [[ -e $passed/$key ]] && return
  if [[ -n $deadline && $(date +%s) -ge $deadline ]]; then
    echo "$file" >>"$left_out"
    return
  fi
  # Of one line, clangd also tries what an editor asks for; without, of every line.
  clangd-16 --check="$file" --check-lines=1-1 --compile-commands-dir="$work" >"$work/$key.txt" 2>&1 || {
    sed -n "s#^E\[[0-9:.]*\] #$file: #p" "$work/$key.txt" | grep . || tail -n 5 "$work/$key.txt"
    rm -f "$work/$key.txt"
    return 1
  }
  rm -f "$work/$key.txt"
  touch "$passed/$key"
}
export -f check
export common work passed deadline left_out

files_with_headers | { grep -E "^[^ ]*${1-}" || true; } | xargs -r -d '\n' -n 1 -P "$(nproc)" bash -c 'check $1' check || {
  echo "clang-tidy has findings: see above (checks: .clang-tidy)" >&2
  exit 1
}
if [[ -s $left_out ]]; then
  echo "clang-tidy: time is over, $(wc -l <"$left_out") files were left out ($left_out)" >&2
fi
