#!/bin/sh
# The `chaperone` command of the macOS app. Link to it from a folder on the search path; links are followed, so that the app is found.
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
contents=$(cd "$(dirname "$self")/../.." && pwd -P) || exit 1
# Without a word the command prints its help; the app alone would open.
[ $# -gt 0 ] || set -- help
exec "$contents/MacOS/Chaperone" "$@"
