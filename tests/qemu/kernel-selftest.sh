#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Does kernel.sh choose the right suite, keep its answers as long as they hold, and say in one
# sentence what it cannot have?  apt-get, apt-cache, dpkg and dpkg-deb are stubs: no network is
# needed, and none is used.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../ktap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
cache=$work/cache/kmem-account
mkdir -p "$work/bin"

# stub NAME: a program made of the script on stdin, which is called before the real one
stub() {
	{ echo '#!/bin/sh'; cat; } >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

# archive RELEASE VERSION, with an empty cache: package sources that offer an image RELEASE as package version
# VERSION; `none` offers nothing.  Each question is a line of $work/asked.
archive() {
	rm -rf "$cache"
	offers "$@"
}

# offers RELEASE VERSION: the same, with the cache as it is
offers() {
	stub apt-cache <<-EOT
		echo "\$*" >>"$work/asked"
		case "$1 \$*" in
		none*)				;;
		*depends*linux-image-*)	echo ' Depends: linux-image-$1' ;;
		*policy*)			echo ' Candidate: $2' ;;
		esac
	EOT
}

# answers COMMAND...: what `apt-get update` and `apt-get download` do
answers() {
	stub apt-get <<-EOT
		case \$* in
		*indextargets*)	echo 'http://mirror.example/debian own Packages Debian' ;;
		*update*)	echo "\$*" >>"$work/updates"; $1 ;;
		*download*)	$2 ;;
		esac
	EOT
}

# The package managers of a machine of amd64, so that the results are the same on a machine of
# another kind or distribution. No package can be unpacked.
package_managers() {
	answers 'exit 0' 'exit 100'
	stub dpkg-deb <<<'echo "not a Debian format archive" >&2; exit 2'
	stub dpkg <<-'EOT'
		case $1 in
		--print-architecture)	echo amd64 ;;
		esac
	EOT
}

kernel() { PATH=$work/bin:$PATH "$here/kernel.sh" "$@"; }

# refused STATUS PATTERN ARGUMENT...: kernel.sh exits with STATUS, its last line is like
# PATTERN, and nothing unfinished is left in the cache
refused() {
	local want=$1 pattern=$2 status=0
	shift 2

	kernel "$@" >"$work/out" 2>&1 || status=$?
	cat "$work/out"
	[ "$status" -eq "$want" ] && tail -n 1 "$work/out" | grep -E "^(kernel|build).sh: $pattern" >/dev/null &&
		! find "$work/cache" -name '.unpack*' | grep .
}

entry() { mkdir -p "$cache/kernels/$1"; }

# What kernel.sh has found out holds until there are other package lists.
answer_is_kept() {
	local asked

	archive 5.10.0-1-cloud-amd64 1
	mkdir -p "$cache/apt-bullseye/lists/partial"
	entry linux-image-5.10.0-1-cloud-amd64_1_amd64.image
	entry linux-image-5.10.0-1-cloud-amd64_2_amd64.image
	[[ $(kernel dir image 5.10) == */linux-image-5.10.0-1-cloud-amd64_1_amd64.image ]] || return 1
	asked=$(wc -l <"$work/asked")
	offers 5.10.0-1-cloud-amd64 2
	[[ $(kernel dir image 5.10) == *_1_amd64.image ]] &&
		[ "$(wc -l <"$work/asked")" = "$asked" ] || return 1
	touch "$cache/apt-bullseye/lists"
	[[ $(kernel dir image 5.10) == *_2_amd64.image ]] || return 1
	rm -r "$cache/kernels"/*_2_amd64.image
	offers 5.10.0-1-cloud-amd64 1
	[[ $(kernel dir image 5.10) == *_1_amd64.image ]]
}

# The newest kernel is whatever sid has; a version is that version and no other.
newest() {
	archive 9.3.1+deb99-cloud-amd64 9.3.1-1
	entry linux-image-9.3.1+deb99-cloud-amd64_9.3.1-1_amd64.image
	kernel dir image newest && [ -n "$(kernel dir image newest)" ] &&
		[ "$(kernel dir image newest)" = "$(kernel dir image 9.3)" ] &&
		refused 69 'no package source offers linux-image-cloud-amd64 9.30 of sid' dir image 9.30 || return 1
	archive 9.30.1+deb99-cloud-amd64 9.30.1-1
	refused 69 'no package source offers linux-image-cloud-amd64 9.3 of sid' dir image 9.3
}

# A mirror that lags behind has a list that is signed and past its date.
old_list() {
	archive none none
	# shellcheck disable=SC2016 # the stub's
	answers 'case $* in
		*Check-Valid-Until=false*)	exit 0 ;;
		esac
		echo "E: Release file for http://mirror.example/sid/InRelease is expired (invalid since 3d)." >&2
		exit 100' 'exit 100'
	refused 69 'no package source offers' dir image newest || return 1
	grep -q '^kernel.sh: the package list of sid is signed but out of date; using it$' "$work/out" &&
		[ "$(tail -n 1 "$work/updates" | grep -c Check-Valid-Until=false)" = 1 ]
}

# A list that is not signed, or does not come, is not taken.
no_network() {
	archive none none
	answers 'echo "Err: could not resolve the host name" >&2; exit 100' 'exit 100'
	rm -f "$work/updates"
	refused 69 'no package source offers linux-image-cloud-amd64 5.10 of bullseye; check the network' \
		have 5.10 && ! grep -q Check-Valid-Until "$work/updates"
}

# The package lists know a package that the archive has dropped.
package_gone() {
	archive 5.10.0-7-cloud-amd64 7
	answers 'exit 0' 'echo "E: Failed to fetch: 404 Not Found" >&2; exit 100'
	refused 69 'cannot download linux-image-5.10.0-7-cloud-amd64 ?; check the network' have 5.10
}

# The headers that flavours share: those of PREEMPT_RT are a package of their own.
shared_headers() {
	archive 6.1.0-9-rt-amd64 9
	answers 'exit 0' 'echo "E: Failed to fetch: 404 Not Found" >&2; exit 100'
	refused 69 'cannot download linux-headers-6.1.0-9-rt-amd64 linux-headers-6.1.0-9-common-rt ?;' \
		have 6.1-rt:headers || return 1
	archive 5.10.0-9-cloud-amd64 9
	answers 'exit 0' 'echo "E: Failed to fetch: 404 Not Found" >&2; exit 100'
	refused 69 'cannot download linux-headers-5.10.0-9-cloud-amd64 linux-headers-5.10.0-9-common ?;' \
		have 5.10:headers
}

full_disk() {
	archive 5.10.0-8-cloud-amd64 8
	answers 'exit 0' 'echo "E: Write error - write (28: No space left on device)" >&2; exit 100'
	refused 1 'no space left below .*; free some' have 5.10
}

# A package that cannot be unpacked is no kernel that cannot be had.
broken_package() {
	archive 5.10.0-9-cloud-amd64 9
	answers 'exit 0' ': >linux-image.deb'
	refused 1 'cannot unpack linux-image-5.10.0-9-cloud-amd64' have 5.10 &&
		! ls -d "$cache/kernels"/*5.10.0-9*
}

# The first of several packages is broken, and the program that unpacks the last one succeeds.
half_broken_package() {
	local status=0

	archive 5.10.0-9-cloud-amd64 9
	answers 'exit 0' 'for p; do :; done; : >1.deb; : >2.deb'
	stub dpkg-deb <<-'EOT'
		case $2 in
		*/1.deb)	echo 'not a Debian format archive' >&2; exit 2 ;;
		*)		mkdir -p "$3/usr/src/linux-headers-5.10.0-9-cloud-amd64"
				cd "$3/usr/src"/* && touch Makefile .kernelvariables ;;
		esac
	EOT
	refused 1 'cannot unpack linux-headers-5.10.0-9-cloud-amd64' dir headers 5.10 || status=1
	package_managers
	! ls -d "$cache/kernels"/*5.10.0-9* || status=1
	return "$status"
}

# Kernels are Debian's, wherever the other parts of the project run.
no_dpkg() {
	local program

	mkdir -p "$work/other"
	for program in bash sh dirname sed awk cat grep; do
		ln -sf "$(type -P "$program")" "$work/other/"
	done
	! PATH=$work/other "$here/kernel.sh" have 5.10 2>"$work/out" || return 1
	grep -q 'this machine has no apt-get and dpkg' "$work/out" &&
		[ "$(PATH=$work/other "$here/kernel.sh" others | wc -l)" -ge 3 ]
}

# The packages of another machine come from lists of that machine, also where the suite is the
# machine's own: its lists have busybox for another architecture.
other_machine() {
	archive 6.1.0-1-arm64 1
	entry busybox-static_1_arm64.busybox
	rm -f "$work/asked"
	[[ $(kernel dir busybox 6.1-arm64) == */busybox-static_1_arm64.busybox ]] &&
		[ -s "$work/asked" ] && ! grep -v 'APT::Architecture=arm64' "$work/asked"
}

unknown() { refused 1 'unknown kernel: nonsense' dir image nonsense; }

package_managers
ktap_plan 12
ktap "an answer is kept until there are new lists" answer_is_kept
ktap "the newest kernel is the one that sid has" newest
ktap "a signed list that is out of date is used, with a notice" old_list
ktap "no network: one sentence, and status 69" no_network
ktap "a package that is gone: one sentence, and status 69" package_gone
ktap "the headers that the flavours of a release share" shared_headers
ktap "a full disk: one sentence, and status 1" full_disk
ktap "a broken package: one sentence, and status 1" broken_package
ktap "one broken package of several: the same" half_broken_package
ktap "a machine without dpkg: one sentence, and the names of kernels" no_dpkg
name="packages of another machine are looked for in its lists"
if [ "$(uname -m)" = aarch64 ]; then
	ktap_skip "$name" "arm64 is this machine"
else
	ktap "$name" other_machine
fi
ktap "an unknown kernel is refused" unknown
ktap_end
