#!/bin/sh
# compile.sh SOURCE_DIR BUILD_DIR COMPILER ARGUMENTS...: the compiler behind its cache, so that a second clone finds what
# the first one compiled. ccache makes paths below SOURCE_DIR relative, but not those of precompiled headers, which clang
# also writes into what it makes of them: they are named by the working directory, which is BUILD_DIR in every clone.
# ccache refuses precompiled headers unless told that their macros and time stamps do not matter here.
source=$1 build=$2
shift 2
for argument do
  shift
  case $argument in
    "$build"/*cmake_pch.hxx*) argument=/proc/self/cwd/${argument#"$build"/} ;;
  esac
  set -- "$@" "$argument"
done
CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=$source CCACHE_NOHASHDIR=1 exec ccache "$@"
