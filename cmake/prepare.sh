# shellcheck shell=bash disable=SC2034,SC2154
# What ./run and ./test share: installing, configuring and building. Sourced by bash; `root` is the repository.
# All that it says goes to standard error, and when nothing is to be done it says nothing.

build_packages=(build-essential clang-16 libomp-16-dev cmake ninja-build ccache pkg-config ca-certificates
                libeigen3-dev libsundials-dev libtomlplusplus-dev libcli11-dev libfmt-dev nlohmann-json3-dev
                libmatio-dev liburdfdom-dev libhdf5-dev zlib1g-dev libssl-dev liblz4-dev libzstd-dev
                libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev libmujoco-dev)
browser_packages=(chromium fonts-dejavu-core)
lint_packages=(clang-format-16 clangd-16)
# What the benchmarks run beside; without them they compile, and leave that out.
bench_packages=(libslicot-dev liborocos-kdl-dev)
# Of the compiler: its sanitizers, and the fuzzers of the readers (tests/fuzz), which are run by hand.
sanitizer_packages=(libclang-rt-16-dev llvm-16)

say() { printf 'tauhat: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 70
}

# Two scripts at once wait for each other while they install, configure or build.
locked() {
  mkdir -p "$root/build"
  (flock 9 && "$@") 9>"$root/build/.lock"
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

# Debian packages by name; only those that are missing. node and npm may have come another way: the commands count.
install_packages() {
  command -v dpkg-query >/dev/null || fail "this system has no apt: install the equivalents of $* nodejs npm, then run" \
    "'npm ci', 'cmake --preset release' and 'cmake --build --preset release'"
  local missing=() package installed
  # dpkg-query lists what it knows and ends with an error when it does not know one.
  installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed://p' | tr '\n' ' ' || true)"
  for package in "$@"; do
    [[ $installed == *" $package "* ]] || missing+=("$package")
  done
  command -v node >/dev/null || missing+=(nodejs)
  command -v npm >/dev/null || missing+=(npm)
  [[ ${#missing[@]} -gt 0 ]] || return 0

  local command="apt-get install --no-install-recommends ${missing[*]}"
  [[ $(id -u) -eq 0 ]] || command -v sudo >/dev/null || fail "packages are missing; as root, run: $command"
  say "installing ${missing[*]}"
  local log="$root/build/apt.log" quiet=(-qq -y -o DPkg::Lock::Timeout=300)
  { as_root apt-get "${quiet[@]}" update &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get "${quiet[@]}" install --no-install-recommends "${missing[@]}"
  } >"$log" 2>&1 </dev/null || {
    tail -n 20 "$log" >&2
    fail "apt could not install them (all of its output: $log). tauhat is built on Debian 12; check the network and" \
      "the package sources, then run: apt-get update && $command"
  }
}

# npm ci, when package-lock.json is newer than what it installed last time.
install_node_modules() {
  [[ $root/node_modules/.package-lock.json -nt $root/package-lock.json ]] && return
  say "installing the report's packages from package-lock.json (npm ci)"
  local log="$root/build/npm.log"
  (cd "$root" && npm ci --no-audit --no-fund --ignore-scripts) >"$log" 2>&1 </dev/null || {
    tail -n 20 "$log" >&2
    fail "npm ci failed (all of its output: $log); check the network, then run it again in $root"
  }
  touch "$root/node_modules/.package-lock.json"
}

# cmake --preset, when there is no build yet, when the presets changed, or when the tree was moved. (Changes of a
# CMakeLists.txt and new source files are noticed by the build itself.)
configure() {
  local preset=$1 dir="$root/build/$1" fresh=()
  if [[ -f $dir/build.ninja && ! $root/CMakePresets.json -nt $dir/build.ninja ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    return
  fi
  [[ -f $dir/CMakeCache.txt ]] && fresh=(--fresh)
  say "configuring build/$preset"
  local log="$root/build/configure-$preset.log"
  (cd "$root" && cmake --preset "$preset" "${fresh[@]}") >"$log" 2>&1 </dev/null || {
    cat "$log" >&2
    fail "cmake could not configure build/$preset: see its last message above"
  }
  touch "$dir/build.ninja"
}

# build PRESET [TARGET...]: silent when nothing is to be built; one moving line on a terminal, elsewhere a line now and
# then; errors in full.
build() {
  local preset=$1
  shift
  ninja -C "$root/build/$preset" -j "$(nproc)" "$@" 2>&1 </dev/null | show_progress "$preset" >&2
}
show_progress() {
  local preset=$1 line begun=false drawn=false every=20 said=$SECONDS  # s: a log that stands still looks hung
  while IFS= read -r line; do
    case $line in
      "ninja: Entering directory"* | "ninja: no work to do."* | "-- "* | *"Re-checking globbed directories"*) ;;
      "["*/*"] "*)
        $begun || say "building build/$preset"
        begun=true
        if [[ ! -t 2 ]]; then
          ((SECONDS - said < every)) && continue
          said=$SECONDS
          line=${line%%]*}
          say "building build/$preset: step ${line#[}"
          continue
        fi
        printf '\r\033[K%.100s' "$line"
        drawn=true
        ;;
      *)
        $drawn && printf '\r\033[K'
        drawn=false
        printf '%s\n' "$line"
        ;;
    esac
  done
  $drawn && printf '\r\033[K'
  return 0
}
