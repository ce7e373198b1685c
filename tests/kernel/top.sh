#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account top in a stock kernel: what it shows of a known module is what the account says,
# in batch mode and on a terminal; and the module of the account goes and comes while top and serve
# run, and between two exports. In
# the same guest, leaks --workload judges a workload of a known module that leaks and one that does
# not, and bundle writes a file, which the host
# reads; report, rings and export find the machine's account by themselves.
#
#	top.sh [KERNEL]		the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of top 2 2 "$@"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
script=$(command -v script)
# the description of the terminal; where ncurses keeps it depends on the Debian suite
linux=
for dir in /usr/share/terminfo /lib/terminfo; do
	[ ! -e $dir/l/linux ] || linux=$dir/l/linux
done
[ -n "$linux" ] || { echo "$0: no terminfo of the terminal linux; install ncurses-base" >&2; exit 1; }
files=(--file "$program:/kmem-account" --file "$script:/bin/script"
	--file "$linux:/lib/terminfo/l/linux"
	--file "$(module_ko)" --file "$(known_ko)" --file "$(kmod_ko kma_groups)")
mapfile -t loaded < <(server_libraries)
mapfile -t libs < <({ printf '%s\n' "${loaded[@]}"; ldd "$program" "$script" "${loaded[@]}"; } | grep -o '/lib[^ :]*' | sort -u)
for lib in "${libs[@]}"; do
	files+=(--file "$lib:$lib")
done
guest "$cpus" "$here/top.guest" "$out" "${files[@]}"

ktap_plan 9
for case in batch screen module serve export leak noleak bundle own; do
	# Debian's own Python has pyte
	ktap "$case" /usr/bin/python3 "$here/top.py" "$out/guest" "$case"
done
ktap_end
