#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Print the patch series of a kernel version, as a mailbox for `git am`.
#
#	create-patch.sh [--callers | --rfc | --allocinfo] VERSION [TREE]
#
# The series is for Debian's source of VERSION, which is fetched on demand, or for TREE, a
# Linux source tree of that version, which is only read. --callers prints the series of the
# caller patches alone, --rfc the series that is meant for review by the kernel's maintainers,
# each with a cover letter (`git am --empty=drop` skips it); --allocinfo prints the patches that
# extend /proc/allocinfo.
set -euo pipefail
shopt -s inherit_errexit

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
# shellcheck source=scripts/series.sh
. "$top/scripts/series.sh"

kind=series
case ${1-} in --callers | --rfc | --allocinfo) kind=${1#--}; shift ;; esac
[ $# -eq 1 ] || [ $# -eq 2 ] || {
	say "usage: create-patch.sh [--callers | --rfc | --allocinfo] VERSION [TREE]"
	exit 2
}
wanted=$1
need_tools git make unifdef
need_series "$wanted"
case $kind in
callers)	need_kind callers "caller patches" "$wanted" ;;
rfc)		need_kind rfc "RFC patches" "$wanted" ;;
allocinfo)	need_kind allocinfo "allocinfo patches" "$wanted" ;;
esac
if [ $# -eq 2 ]; then
	[ -d "$2" ] || die "$2: not a directory; give the directory of a Linux source tree"
	version=
	need_pristine "$2"
	[ "$version" = "$wanted" ] || die "$2: Linux $version, not $wanted; use create-patch.sh $version"
fi
need_space "${TMPDIR:-/tmp}" "$series_megabytes" "name another directory with TMPDIR=DIR"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# complete before the first byte is printed
"$top/scripts/patches.sh" "$kind" "$wanted" "$work/series" "${@:2}"
(cd "$work/series" && xargs -d '\n' cat <series) 2>/dev/null ||
	die "cannot write the series to standard output; free some space, or redirect it elsewhere"
