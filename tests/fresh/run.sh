#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A fresh machine, in a directory: base system, git and make, nothing else; the last commit
# is cloned into it, and the README's commands are typed there, each twice (cold and warm)
# with its time.
#
#	run.sh [--keep] [--suite SUITE] [TARGET...]
#	run.sh --again [--suite SUITE] [TARGET...]	in the directory that --keep has left: the clone
#						gets the last commit, and each command is
#						typed once (warm)
#
# SUITE is a suite of Debian, such as bookworm or trixie (default: this machine's); TARGETs
# are targets of make (default: demo check).
#
# Needs root and debootstrap.  The directory is made with this machine's own mirror, sources
# and proxy, below FRESH (default /var/tmp/kmem-account-fresh), and removed afterwards, unless
# --keep.  All mounts are in a mount namespace that ends with the run, so nothing can be left
# mounted.  Not part of any tier of the tests: it runs the tiers.
#
# shellcheck disable=SC2317 # step runs make_root
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"

fresh=${FRESH:-/var/tmp/kmem-account-fresh}

# "URI CODENAME" of Debian's main sources on this machine, with $suite in place of the
# machine's own suite
sources() {
	local own

	own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	apt-get indextargets --format "\$(REPO_URI) \$(CODENAME) \$(ORIGIN) \$(COMPONENT)" \
		'Created-By: Packages' |
		awk -v own="$own" -v suite="$suite" '
		$3 == "Debian" && $4 == "main" { sub("^" own, suite, $2); print $1, $2 }' | sort -u
}

make_root() {
	local uri

	uri=$(sources | awk -v suite="$suite" '$2 == suite && !n++ { print $1 }')
	[ -n "$uri" ] || die "this machine has no package source for $suite (apt-get update?)"
	mkdir -p "$fresh"
	debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$root" "$uri"
	# security and updates too, as on a real machine
	sources | awk '{ print "deb", $1, $2, "main" }' >"$root/etc/apt/sources.list"
	apt-config dump Acquire | grep -i 'proxy' >"$root/etc/apt/apt.conf.d/90proxy" || true
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	git clone -q "$top" "$root/src"
}

# inside COMMAND...: COMMAND in the directory's /src, with a clean environment
inside() {
	# shellcheck disable=SC2016 # the inner shell's own
	unshare --mount --fork bash -c '
		set -e
		# tests in it make mount namespaces, for which the root has to be a mount
		mount --bind "$1" "$1"
		mount -t proc proc "$1/proc"
		mount --rbind /sys "$1/sys"
		mount --rbind /dev "$1/dev"
		root=$1
		shift
		exec chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			bash -c "cd /src && exec \"\$@\"" inside "$@"
	' inside "$root" "$@"
}

# timed LABEL TARGET: one line with the time and the last line of the output
timed() {
	local label=$1 target=$2 log=$fresh/$suite-$2-$1.log start=$SECONDS status=0

	inside make "$target" >"$log" 2>&1 || status=$?
	printf '%-10s %-9s %-5s %4d s  exit %d  %s\n' "$suite" "$target" "$label" \
		$((SECONDS - start)) "$status" "$(grep -v '^make' "$log" | tail -n 1)"
	[ "$status" -eq 0 ] || failed=1
}

keep='' again='' failed=0 suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
while [ $# -gt 0 ]; do
	case $1 in
	--keep)		keep=1; shift ;;
	--again)	again=1; shift ;;
	--suite)	[ $# -ge 2 ] || die "--suite needs the name of a suite"
			suite=$2; shift 2 ;;
	-*)		die "unknown option $1; see the head of ${BASH_SOURCE[0]}" ;;
	*)		break ;;
	esac
done
root=$fresh/$suite
[ "$(id -u)" -eq 0 ] || die "needs root (chroot)"
command -v debootstrap >/dev/null || die "needs debootstrap: apt-get install debootstrap"
[ $# -gt 0 ] || set -- demo check
if [ -n "$again" ]; then
	[ -d "$root/src" ] || die "$root/src does not exist: run without --again, and with --keep, first"
	git -C "$root/src" fetch -q "$top" HEAD
	git -C "$root/src" reset -q --hard FETCH_HEAD
else
	[ ! -e "$root" ] || die "$root exists: left by --keep; remove it first, or use --again"
	[ -n "$keep" ] || trap 'rm -rf "$root"' EXIT
	step "base system of $suite, git, make" make_root
	for target in "$@"; do
		timed cold "$target"
	done
fi
for target in "$@"; do
	timed warm "$target"
done
say "Logs: $fresh/$suite-*.log"
exit "$failed"
