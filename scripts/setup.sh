#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Install the Debian packages that a part of the project needs; on a machine without dpkg
# and apt-get, find out whether the programs and libraries are there.
#
#	setup.sh GROUP...		the groups are those of the table scripts/needs
#	setup.sh --probe GROUP...	install nothing, and ask no package manager
#
# Environment: CC, PKG_CONFIG, PKG_CONFIG_PATH, D3 and PATH name other places.
#
# A need counts as met if dpkg knows its packages as installed, or if its probe succeeds.
# The packages of all other needs are named first, then installed: as root, or through sudo.
# Every failure is one sentence that says what to do, with exit status 1, and installs
# nothing. If all packages are installed, the script takes 30 ms of CPU time. It never removes a package.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
PATH=$PATH:/usr/sbin:/sbin
cc=${CC:-gcc}
pkg_config=${PKG_CONFIG:-pkg-config}
d3=${D3:-/usr/share/nodejs}

# apt's words	the reason	what to do.  The first row that matches apt's output is used: without a
# network apt may also lack the lists, and with them every package.
apt_failures='
free space|No space left	there is no space left on the disk	free some space
Could not get lock|Unable to lock	another package manager is running	wait until it has ended
resolving|Could not (resolve|connect|wait)|Unable to connect|Network is unreachable|Connection (failed|timed out|refused)|Failed to fetch	there is no network, or the mirror does not answer	check the network and the package sources of apt
Unable to locate package|no installation candidate	no package source offers a package	check the package sources of apt
'

# The version of the suite's gcc, which some packages have in their names. gcc-multilib, which does
# not, conflicts with the compilers for other machines.
gcc_version() {
	local version

	# apt-cache, of a gcc that is not installed yet, takes ten times as long
	# shellcheck disable=SC2016 # dpkg-query expands it
	version=$({ dpkg-query -W -f 'Depends: ${Depends}\n' gcc || apt-cache show --no-all-versions gcc || true; } 2>/dev/null |
		sed -nE '/^Depends:/s/.*\<gcc-([0-9]+).*/\1/p')
	echo "${version:-VERSION}"
}

# Debian 12 has the programs of many machines in one package, later suites have one for each.
riscv_package() {
	case $(LC_ALL=C apt-cache policy qemu-system-riscv 2>/dev/null) in
	*'Candidate: '[0-9]*)	echo qemu-system-riscv ;;
	*)			echo qemu-system-misc ;;
	esac
}

# Rows "name<TAB>project<TAB>probe<TAB>packages" of the groups $*.
rows_of() {
	local rows

	rows=$(rows_of_table "$@") || return
	case $rows in *@GCC@*) rows=${rows//@GCC@/$(gcc_version)} ;; esac
	case $rows in *@RISCV@*) rows=${rows//@RISCV@/$(riscv_package)} ;; esac
	printf '%s\n' "$rows"
}

rows_of_table() {
	awk -F '\t' -v want="$*" '
	BEGIN { n = split(want, name, " "); for (i = 1; i <= n; i++) wanted[name[i]] = 1 }
	/^#/ || NF != 5 { next }
	{
		m = split($1, group, ","); use = 0
		for (i = 1; i <= m; i++) if (group[i] in wanted) { use = 1; known[group[i]] = 1 }
		if (use) printf "%s\t%s\t%s\t%s\n", $2, $3, $4, $5
	}
	END { for (g in wanted) if (!(g in known)) exit 1 }' "$here/needs"
}

groups() { awk -F '\t' '!/^#/ && NF == 5 { print $1 }' "$here/needs" | tr , '\n' | sort -u | paste -sd ' '; }

# Read rows; print those with a package that dpkg does not know as installed. dpkg-query
# fails if it does not know one of the packages, which is the answer here, not an error.
not_installed() {
	local rows
	rows=$(cat)
	# shellcheck disable=SC2046 # a list of names
	{ dpkg-query -W -f '${db:Status-Status} ${Package}\n' $(cut -f 4 <<<"$rows") 2>/dev/null || true; } |
		awk -F '\t' -v rows="$rows" '
		{ split($0, word, " ") }
		word[1] == "installed" { have[word[2]] = 1 }
		END {
			n = split(rows, row, "\n")
			for (i = 1; i <= n; i++) {
				split(row[i], field, "\t")
				m = split(field[4], package, " ")
				for (j = 1; j <= m; j++) if (!(package[j] in have)) { print row[i]; break }
			}
		}'
}

# try COMPILER FLAG...: compile and link the program on standard input
try() {
	# shellcheck disable=SC2086 # CC may be two words
	$1 -x c -o "$work/probe" - "${@:2}" >/dev/null 2>&1
}

# probe_cc [PREFIX]
# shellcheck disable=SC2120 # the prefix comes from the table
probe_cc() {
	try "${1:+$1gcc}${1:-$cc}" <<<'int main(void) { return 0; }' && { [ -n "${1-}" ] || "$work/probe"; }
}

# Only x86 runs programs of both widths.
probe_bits32() {
	case $(uname -m) in x86_64 | i?86) ;; *) return 0 ;; esac
	try "$cc" -m32 <<<'int main(void) { return 0; }' && "$work/probe"
}

probe_static()	{ try "$cc" -static "$@" <<<'int main(void) { return 0; }' && "$work/probe"; }
probe_command()	{ command -v "$1" >/dev/null; }
probe_program()	{ command -v "$1" >/dev/null && ! ldd "$(command -v "$1")" >/dev/null 2>&1; }
probe_python()	{ /usr/bin/python3 -c "import $1" >/dev/null 2>&1; }
probe_d3()	{ [ -r "$d3/$1/dist/$1.min.js" ]; }
probe_fuzzer()	{ try clang -fsanitize=fuzzer <<<'int LLVMFuzzerTestOneInput(void) { return 0; }'; }
probe_file()	{ [ -e "$1" ]; }
probe_font()	{ find -L /usr/share/fonts /usr/local/share/fonts -name '*.[to]tf' 2>/dev/null | grep . >/dev/null; }

probe_pkg_config() { command -v "$pkg_config" >/dev/null; }

# probe_library PACKAGE HEADER SYMBOL: without a compiler, pkg-config's answer is enough
probe_library() {
	local flags

	flags=$("$pkg_config" --cflags --libs "$1" 2>/dev/null) || return
	# shellcheck disable=SC2119 # our own compiler
	: "${cc_works:=$(if probe_cc; then echo yes; else echo no; fi)}"
	[ "$cc_works" = yes ] || return 0
	# shellcheck disable=SC2086 # words
	try "$cc" $flags <<-END && "$work/probe"
		#include <stdio.h>
		#include <$2>
		int main(void) { return !(void *)$3; }
	END
}

# Read rows; print those whose probe fails.
not_found() {
	local row kind words

	while IFS= read -r row; do
		read -r kind words < <(cut -f 3 <<<"$row")
		[ "$kind" != - ] || continue
		# shellcheck disable=SC2086 # words
		"probe_${kind//-/_}" $words || printf '%s\n' "$row"
	done
}

# Read rows; print "libelf, libdw (elfutils), ...".
names_of() {
	awk -F '\t' '
	NR > 1 { printf "%s", $2 == project ? ", " : " (" project "), " }
	{ printf "%s", $1; project = $2 }
	END { print " (" project ")" }'
}

# Read rows; print how to name another place for what they need, by the kind of probe.
places_of() {
	cut -f 3 | awk '
	BEGIN {
		say["library"] = "PKG_CONFIG_PATH=DIR for libraries"; say["d3"] = "D3=DIR for d3"
		say["cc"] = "CC=COMPILER"; say["command"] = "PATH for programs"
		say["pkg-config"] = "PKG_CONFIG=PROGRAM"
	}
	$1 == "cc" && NF > 1 { $1 = "command" }
	($1 in say) && !seen[$1]++ { printf "%s%s", n++ ? ", " : "", say[$1] }
	END { if (!n) print "PATH for programs" }'
}

# The one message of a machine on which nothing can be installed.
die_missing() {
	die "missing for $2: $(names_of <<<"$1"); install them with their development files," \
		"or name another place ($(places_of <<<"$1"))"
}

apt() { ${sudo:+"$sudo"} env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
	apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"; }

# True if a package list is missing or older than a day. Such lists lack packages, or name
# versions that the archive has dropped. (ctime: mtime is the archive's. indextargets does not
# name a list that was never fetched.)
lists_old() {
	local lists=/var/lib/apt/lists

	eval "$(apt-config shell lists Dir::State::lists/d)"
	apt-get --print-uris update | awk '$2 ~ /InRelease$/ { print $2 }' | while IFS= read -r list; do
		find "$lists/$list" -ctime -1 2>/dev/null | grep . >/dev/null || echo "$list"
	done | grep . >/dev/null
}

# Print those of the packages that no list offers. One call asks for all of them: apt-cache takes
# 0.3 s to read its lists, and says nothing about a name that it does not know.
not_offered() {
	apt-cache policy "$@" | awk -v packages="$*" '
	/^[^ ].*:$/ { name = substr($0, 1, length($0) - 1) }
	/^ *Candidate: *[^( ]/ { offered[name] = 1 }
	END {
		n = split(packages, package, " ")
		for (i = 1; i <= n; i++) if (!(package[i] in offered)) print package[i]
	}'
}

# Fail, in apt's words, if the packages do not fit on the disk: dpkg would stop half-way.
fits() {
	local need free

	need=$(LC_ALL=C apt-get -s -o APT::Get::Show-User-Simulation-Note=no --no-install-recommends \
		-o Debug::NoLocking=1 install "$@" 2>/dev/null | awk '/^Inst / { print $2 }' |
		xargs -r apt-cache show --no-all-versions |
		awk '/^Installed-Size:/ { kb += $2 } /^Size:/ { kb += $2 / 1024 } END { printf "%d", kb }')
	free=$(df --output=avail -k /usr | tail -n 1)
	[ "$need" -le "$free" ] || {
		echo "not enough free space in /usr: $((need / 1024)) MB needed, $((free / 1024)) MB free"
		return 1
	}
}

# True if apt could resolve no host name: each further attempt would wait a minute for that.
no_names() { grep -qE 'Temporary failure resolving|Could not resolve' "$work/apt.log"; }

# Refresh the lists if needed, then install. A newer list may appear between the two: try
# once more. All of apt's words go to standard output.
install() {
	local gone

	! lists_old || apt update || true
	gone=$(not_offered "$@")
	[ -z "$gone" ] || no_names || { apt update || true; gone=$(not_offered "$@"); }
	[ -z "$gone" ] || { echo "Unable to locate package ${gone//$'\n'/ }"; return 1; }
	fits "$@" || return
	apt install --no-install-recommends "$@" || {
		! no_names || return 1
		apt update || true
		apt install --no-install-recommends "$@"
	}
}

# explain LOG: one sentence for what apt said; with the end of the log if no row matches
explain() {
	local words reason hint detail

	while IFS=$'\t' read -r words reason hint; do
		[ -n "$words" ] || continue
		detail=$(grep -E -m 1 "$words" "$1" | sed 's/^[EW]: *//') || continue
		echo "cannot install the packages: $reason ($detail); $hint, then run the same command again"
		return
	done <<<"$apt_failures"
	tail -n 20 "$1"
	echo "cannot install the packages; apt's reason is above"
}

# install with apt's words kept, so that a failure is one sentence
install_quietly() {
	install "$@" >"$work/apt.log" 2>&1 || { explain "$work/apt.log"; return 1; }
}

# Whether packages can be installed: by root, or through a sudo that does not wait for a
# password at a terminal that is not there.
find_sudo() {
	sudo=
	[ "$(id -u)" -ne 0 ] || return 0
	command -v sudo >/dev/null || return 1
	sudo=sudo
	sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }
}

probe_only=
[ "${1-}" != --probe ] || { probe_only=1; shift; }
[ $# -gt 0 ] || die "no group given; the groups are: $(groups)"
lacking=$(rows_of "$@") || die "unknown group among '$*'; the groups are: $(groups)"
command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || probe_only=1
[ -n "$probe_only" ] || lacking=$(not_installed <<<"$lacking")
[ -n "$lacking" ] || exit 0
work=$(mktemp -d) || die "cannot create a temporary directory; free some space in ${TMPDIR:-/tmp}"
trap 'rm -rf "$work"' EXIT
lacking=$(not_found <<<"$lacking")
[ -n "$lacking" ] || exit 0
[ -z "$probe_only" ] || die_missing "$lacking" "$*"
packages=$(cut -f 4 <<<"$lacking" | tr ' ' '\n' | awk '!seen[$0]++' | paste -sd ' ')
find_sudo || die "cannot install packages: neither root nor sudo; as root, type:" \
	"apt-get install --no-install-recommends $packages"
say "Packages to install: $packages"
# shellcheck disable=SC2086 # a list of names
step "installing packages" install_quietly $packages
