#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Install the Debian packages that a part of the project needs.
#
#	setup.sh GROUP...	the groups are the table below
#
# What is missing is named first, then installed: as root, or through sudo.
# With neither, the command to type is printed and the exit status is 1.  Where
# nothing is missing it takes a moment and touches nothing; no package is ever
# removed, and no kernel installed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"

# group	packages
groups='
build	build-essential pkg-config libelf-dev libdw-dev libxxhash-dev libcairo2-dev libsqlite3-dev zlib1g-dev liblzma-dev libzstd-dev libtraceevent-dev libtracefs-dev libtracecmd-dev libssl3 fonts-dejavu-core node-d3-path node-d3-hierarchy node-d3-shape
demo	qemu-system-x86 seabios busybox-static cpio kmod e2fsprogs xz-utils file
doc	python3-docutils
check	ccache shellcheck sparse bc bison flex libssl-dev python3 clang-format codespell perl librsvg2-bin libxml2-utils poppler-utils file sqlite3 trace-cmd xz-utils zstd clang-14 lld-14 afl++ llvm-14 libclang-rt-14-dev python3-pyte gcc-aarch64-linux-gnu qemu-system-arm device-tree-compiler binutils-aarch64-linux-gnu binutils-arm-linux-gnueabihf binutils-s390x-linux-gnu
cross	gcc-arm-linux-gnueabihf gcc-s390x-linux-gnu gcc-powerpc-linux-gnu libc6-dev-armhf-cross libc6-dev-s390x-cross libc6-dev-powerpc-cross qemu-user
browser	chromium chromium-driver python3-selenium
'

packages_of() {
	awk -v want=" $* " '
	NF && index(want, " " $1 " ") { for (i = 2; i <= NF; i++) if (!seen[$i]++) print $i; known++ }
	END { exit known != split(want, unused, " ") }' <<<"$groups"
}

# Those of its arguments that are not installed.  dpkg-query fails when it does
# not know one of them, which is no failure here.
missing_of() {
	{ dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true; } |
		awk -v want="$*" '
		$1 == "installed" { have[$2] = 1 }
		END { n = split(want, p, " "); for (i = 1; i <= n; i++) if (!(p[i] in have)) print p[i] }'
}

apt() {
	${sudo:+"$sudo"} env DEBIAN_FRONTEND=noninteractive \
		apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"
}

# Was a source of packages never fetched, or not for a day?  Then packages would
# be missed, or asked for in versions that the archive no longer has.  (ctime:
# mtime is the archive's.  indextargets would not name what was never fetched.)
lists_old() {
	local lists

	eval "$(apt-config shell lists Dir::State::lists/d)"
	apt-get --print-uris update | awk '$2 ~ /InRelease$/ { print $2 }' | while IFS= read -r list; do
		find "$lists/$list" -ctime -1 2>/dev/null | grep -q . || echo "$list"
	done | grep . >/dev/null
}

# A newer list may appear between ours and the download: one more try.
install() {
	! lists_old || apt update
	apt install --no-install-recommends "$@" || {
		apt update
		apt install --no-install-recommends "$@"
	}
}

# Who may install: root, or who can become root without being stuck at a
# question that nobody answers.
find_sudo() {
	sudo=
	[ "$(id -u)" -ne 0 ] || return 0
	command -v sudo >/dev/null || return 1
	sudo=sudo
	sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }
}

[ $# -gt 0 ] || die "which group? $(awk 'NF { printf "%s ", $1 }' <<<"$groups")"
command -v dpkg-query >/dev/null || die "this is no Debian machine: see the table in ${BASH_SOURCE[0]}"
list=$(packages_of "$@") || die "unknown group among: $*"
# shellcheck disable=SC2086 # a list of names
missing=$(missing_of $list)
[ -n "$missing" ] || exit 0
missing=${missing//$'\n'/ }
say "Packages to install: $missing"
find_sudo || {
	say "Neither root nor sudo: install them yourself, then try again:"
	say "  apt-get install --no-install-recommends $missing"
	exit 1
}
# shellcheck disable=SC2086
step "installing packages" install $missing
