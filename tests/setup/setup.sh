#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# scripts/setup.sh with made-up package managers: what it installs, and the one sentence for
# each case in which it cannot. No network, and nothing is installed.
set -euo pipefail

# shellcheck source=tests/setup/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Files that decide what the stubs answer, and what the stub of apt-get was told to install.
state=$work/state
export STATE=$state

# A machine of apt on which no package is installed and no probe finds anything.
reset() {
	rm -rf "$state"
	mkdir -p "$state"
	: >"$state/have"; : >"$state/gone"; : >"$state/update"; : >"$state/install"
	echo 0 >"$state/status"; echo 10 >"$state/kilobytes"; echo 0 >"$state/id"
}

stub dpkg-query <<'END'
for package; do grep -qx -- "$package" "$STATE/have" && echo "installed $package"; done
exit 1
END
stub apt-config <<'END'
echo "lists='$STATE/lists/'"
END
stub apt-cache <<'END'
case $1 in
policy)
	shift
	for package; do
		grep -qx "unknown $package" "$STATE/gone" && continue
		echo "$package:"
		grep -qx "$package" "$STATE/gone" && echo '  Candidate: (none)' || echo '  Candidate: 1.0'
	done ;;
show)	case $* in *' gcc') echo 'Depends: cpp (= 4:12.2.0-3), gcc-12 (>= 12.2.0-1~)' ;; esac
	printf 'Installed-Size: %s\nSize: 10\n' "$(cat "$STATE/kilobytes")" ;;
esac
END
stub apt-get <<'END'
case " $* " in
*' --print-uris '*)	;;
*' update '*)		cat "$STATE/update" ;;
*' -s '*)		echo 'Inst made-up (1.0)' ;;
*' install '*)
	cat "$STATE/install"
	[ "$(cat "$STATE/status")" -eq 0 ] || exit "$(cat "$STATE/status")"
	sed 's/.*install --no-install-recommends //' <<<"$*" >"$STATE/installed" ;;
esac
END
stub id <<'END'
cat "$STATE/id"
END

nothing_found=(CC=none PKG_CONFIG=none D3=/nonexistent)
setup() { env "${nothing_found[@]}" PATH="$work/bin:$bare" "$top/scripts/setup.sh" "$@"; }
untouched() { [ ! -e "$state/installed" ]; }

# the packages of a group, by the table
packages() {
	awk -F '\t' -v group="$1" '$1 == group { print $5 }' "$top/scripts/needs" | tr ' ' '\n' | sort -u
}

installed_already() {
	reset
	packages build >"$state/have"
	[ -s "$state/have" ]
	setup build >"$work/said" 2>&1
	[ ! -s "$work/said" ] && untouched
}

installs() {
	reset
	packages build | grep -vx 'libelf-dev\|node-d3-hierarchy' >"$state/have"
	setup build
	[ "$(cat "$state/installed")" = 'libelf-dev node-d3-hierarchy' ]
}

# A package that has the version of the suite's gcc in its name
version_of_gcc() {
	reset
	packages all | sed 's/@GCC@/12/' | grep -vx 'lib32gcc-12-dev' >"$state/have"
	stub uname <<<'echo x86_64'
	setup all
	rm "$work/bin/uname"
	[ "$(cat "$state/installed")" = 'libc6-dev-i386 lib32gcc-12-dev' ]
}

no_network() {
	reset
	echo "E: Failed to fetch http://x/y.deb  Temporary failure resolving 'x'" >"$state/install"
	echo 100 >"$state/status"
	says 'there is no network.*check the network' setup build && untouched
}

# Without lists apt knows no package: the network is the reason, not the package.
no_network_no_lists() {
	reset
	packages build >"$state/gone"
	echo "W: Failed to fetch http://x/InRelease  Could not resolve 'x'" >"$state/update"
	says 'there is no network.*check the network' setup build && untouched
}

full_disk_of_apt() {
	reset
	echo "E: You don't have enough free space in /var/cache/apt/archives/." >"$state/install"
	echo 100 >"$state/status"
	says 'no space left.*free some space' setup build && untouched
}

full_disk() {
	reset
	echo 99999999999 >"$state/kilobytes"
	says 'no space left.*MB needed.*free some space' setup build && untouched
}

gone() {
	reset
	echo libdw-dev >"$state/gone"
	says 'no package source offers.*libdw-dev.*check the package sources' setup build && untouched
}

# apt-cache prints nothing at all about these
unknown() {
	reset
	printf 'unknown %s\n' libdw-dev zlib1g-dev >"$state/gone"
	says 'no package source offers.*libdw-dev zlib1g-dev.*check the package sources' setup build && untouched
}

locked() {
	reset
	echo 'E: Could not get lock /var/lib/dpkg/lock-frontend.' >"$state/install"
	echo 100 >"$state/status"
	says 'another package manager.*wait' setup build && untouched
}

no_root() {
	reset
	echo 1000 >"$state/id"
	says 'neither root nor sudo; as root, type: apt-get install .*libelf-dev' setup build && untouched &&
		[ "$(wc -l <"$work/said")" -eq 1 ]
}

# sudo would wait for a password at a terminal that is not there
no_password() {
	reset
	echo 1000 >"$state/id"
	stub sudo <<<'exit 1'
	says 'neither root nor sudo; as root, type: apt-get install' setup build
	rm "$work/bin/sudo"
	untouched
}

found_by_probe() {
	reset
	packages doc >"$state/gone"
	stub rst2man <<<'exit 0'
	setup doc
	rm "$work/bin/rst2man"
	untouched
}

# One message, in upstream's words, with everything that is missing, and no other machine's tool.
no_dpkg() {
	local name

	says '^setup.sh: missing for build: ' env "${nothing_found[@]}" PATH="$bare" "$top/scripts/setup.sh" build
	[ "$(wc -l <"$work/said")" -eq 1 ]
	for name in 'libelf, libdw (elfutils)' 'd3-hierarchy (d3, JavaScript)' 'gcc (GCC)' \
		PKG_CONFIG_PATH=DIR D3=DIR CC=COMPILER; do
		grep -qF -- "$name" "$work/said" || { echo "no '$name'"; return 1; }
	done
	! grep -E 'apt-get|-dev\b' "$work/said"
}

no_dpkg_one() {
	says 'missing for build: d3-hierarchy .*; install .*\(D3=DIR for d3\)$' \
		env D3=/nonexistent PATH="$bare" "$top/scripts/setup.sh" build
}

no_dpkg_all_there() { PATH="$bare" "$top/scripts/setup.sh" build static; }

# The host program's own make says the same.
host_make() {
	local status=0

	make -C "$top/host" O="$work/host" D3=/nonexistent >"$work/said" 2>&1 || status=$?
	cat "$work/said"
	[ "$status" -eq 2 ] && [ ! -e "$work/host" ] &&
		[ "$(grep -c 'missing for build: d3-hierarchy (d3, JavaScript); ' "$work/said")" -eq 1 ]
}

unknown_group() { says "unknown group among 'nonsense'; the groups are: .*\bbuild\b" setup nonsense; }

# Each row has five columns, and a probe that setup.sh has.
table() {
	local kind

	! awk -F '\t' '!/^#/ && NF != 5' "$top/scripts/needs" | grep . || return 1
	while read -r kind; do
		grep -q "^probe_${kind//-/_}()" "$top/scripts/setup.sh" || { echo "no probe $kind"; return 1; }
	done < <(awk -F '\t' '!/^#/ { sub(/ .*/, "", $4); if ($4 != "-") print $4 }' "$top/scripts/needs" | sort -u)
}

ktap_plan 19
ktap "the table" table
ktap "all installed: no word, no command" installed_already
ktap "what is missing is installed" installs
ktap "a package that is named after the version of gcc" version_of_gcc
ktap "no network" no_network
ktap "no network, no lists" no_network_no_lists
ktap "a full disk, noticed by apt" full_disk_of_apt
ktap "a full disk, noticed before" full_disk
ktap "a package that is gone" gone
ktap "packages that no list knows" unknown
ktap "another apt" locked
ktap "no root, no sudo" no_root
ktap "a sudo that wants a password" no_password
ktap "a program that no package has" found_by_probe
ktap "no dpkg: all that is missing" no_dpkg
ktap "no dpkg: only d3 is missing" no_dpkg_one
ktap "no dpkg: nothing is missing" no_dpkg_all_there
ktap "make -C host: the same message" host_make
ktap "an unknown group" unknown_group
ktap_end
