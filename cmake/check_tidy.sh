#!/usr/bin/env bash
# clang-tidy over the sources of tauhat/ and bench/, and over all core headers; the release build must exist.
#   cmake/check_tidy.sh [PATTERN]            all of them, or those whose name matches
# A file that passed is not looked at again, in any clone, until it, a header of the project that it includes, the
# checks or the packages change (~/.cache/tauhat/tidy). TAUHAT_TIDY_SECONDS: no file is begun later than that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD release=build/release work=build/tidy
passed=${XDG_CACHE_HOME:-$HOME/.cache}/tauhat/tidy
mkdir -p "$work" "$passed"

# The commands of the release build, without g++'s precompiled headers, which clang cannot read.
sed -E 's# -Winvalid-pch -include [^ ]*cmake_pch\.hxx##' "$release/compile_commands.json" >"$work/compile_commands.json"
common=$({ clang-tidy-16 --version; cat .clang-tidy; dpkg-query -W libeigen3-dev libstdc++-12-dev libfmt-dev \
  nlohmann-json3-dev libtomlplusplus-dev libsundials-dev libcli11-dev; } 2>/dev/null | sha256sum)

# One line a source: its name, then the project's files that it was compiled from. ninja knows them; it names them
# absolutely or from the build's folder.
sources_with_headers() {
  ninja -C "$release" -t deps | awk -v root="$root/" -v release="$release/" '
    function flush() {
      if (source ~ "^(tauhat|bench)/" || source ~ "/headers_alone/all.cpp$") print source files
      source = files = ""
    }
    /^[^ ]/ { flush(); next }
    NF {
      file = $1
      if (index(file, root) == 1) file = substr(file, length(root) + 1)
      else if (file ~ /^\.\.\/\.\.\//) file = substr(file, 7)
      else if (file ~ /^\//) next
      else file = release file
      if (source == "") source = file; else files = files " " file
    }
    END { flush() }' | sort -u
}

check() {
  local key source=$1
  key=$({ echo "$common"; grep -F "$source\"" "$work/compile_commands.json" | sed "s#$root/##g"; sha256sum "$@"; } | sha256sum | cut -c 1-64)
  [[ -e $passed/$key ]] && return
  if [[ $(date +%s) -gt $until ]]; then
    echo "clang-tidy has no time left for $source"
    return
  fi
  echo "clang-tidy $source"
  # g++ matches a template's template arguments as C++17 says, clang 16 does where it is told.
  clang-tidy-16 -p "$work" --quiet --extra-arg=-frelaxed-template-template-args "$source" 2>"$work/$key.err" || {
    grep -E 'error:|Error' "$work/$key.err" || true
    rm -f "$work/$key.err"
    return 1
  }
  rm -f "$work/$key.err"
  touch "$passed/$key"
}
until=$(($(date +%s) + ${TAUHAT_TIDY_SECONDS:-1000000}))
export -f check
export common root work passed until

sources_with_headers | { grep -E "^[^ ]*${1-}" || true; } | xargs -r -d '\n' -n 1 -P "$(nproc)" bash -c 'check $1' check || {
  echo "clang-tidy has findings: see above (checks: .clang-tidy)" >&2
  exit 1
}
