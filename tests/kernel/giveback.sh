#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The live map gives back what it does not need: two million objects come and go, under load,
# with a CPU that goes as well. What the module says of its memory is what
# /proc/vmallocinfo says.
#
#	giveback.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of giveback 2 "$@"
hold=$(scripts/module.sh build "stock:$kernel" "${O:-out}/kmod" tests/bench)/kma_hold.ko
guest "$cpus" "$here/giveback.guest" "$out" --file "$(module_ko)" --file "$hold"
moments=$out/guest/moments

# of MOMENT COLUMN: 1 bytes, 2 mapped, 3 lost, 4 objects, 5 pages given back, 6 bytes of classes
of() { awk -v m="$1" -v c="$2" '$1 == m { print $(c + 1) }' "$moments"; }

# is_small MOMENT: at most twice what the loaded module had
is_small() {
	echo "$1: $(of "$1" 1) bytes, $(of "$1" 2) mapped; loaded: $(of loaded 1) bytes"
	[ "$(of "$1" 1)" -le $((2 * $(of loaded 1))) ]
}

is_large() {
	echo "$1: $(of "$1" 1) bytes for $(of "$1" 4) objects"
	[ "$(of "$1" 4)" -ge 2000000 ] && [ "$(of "$1" 1)" -gt $((8 * $(of loaded 1))) ]
}

in_time() {
	cat "$out/guest/waits"
	awk '$2 > 100 { late = 1 } END { exit late || NR != 2 }' "$out/guest/waits"
}

# What vmallocinfo has of classes is all but their lists of pages and indexes. Each CPU has one page of
# marks that is mapped 12 times. The pages of the map are in the direct map.
is_mapped() {
	awk -v again=$((cpus * 11 * 4096)) '
		$1 != "unloaded" {
			off = $7 + again - $3
			print
			if (off < 0 || off > 131072)
				bad = 1
		}
		$1 == "unloaded" && $3 { bad = 1 } END { exit bad || NR != 11 }' "$moments"
}

# The worker adds memory to the map while both CPUs allocate. They sleep now and then, so that the
# worker has a CPU also where other work takes the machine's CPUs away from the guest's.
loses_little() {
	awk '{ print $1, $4, "not recorded" } $4 > 2000 { bad = 1 } END { exit bad || NR != 11 }' "$moments"
}

# What the account does not have of the two million objects was counted as not recorded.
counts_losses() {
	awk '/^held/ { print $1, $8, "held,", $4 - before, "not recorded since"
			if ($8 > 2000000 || $8 + $4 - before < 2000000) bad = 1
			n++ }
		{ before = $4 } END { exit bad || n != 3 }' "$moments"
}

# Seven of ten objects stay in their pages, and so do the arrays of these, which are not moved: the map does
# not become larger, and takes at most 4 bytes for an object that stays.
heeds_pressure() {
	echo "thinned: $(of thinned 1) bytes, $(of thinned 4) objects; pressure: $(of pressure 1) bytes"
	[ "$(of thinned 4)" -ge 1300000 ] && [ "$(of thinned 4)" -le 1600000 ] &&
		[ "$(of pressure 1)" -le "$(of thinned 1)" ] && [ "$(of pressure 1)" -le $(($(of pressure 4) * 4)) ]
}

gives_more() {
	echo "$(of held-1 5) pages by then, $(of gone-1 5), $(of gone-2 5)"
	[ "$(of gone-1 5)" -ge $((($(of held-1 1) - $(of gone-1 1)) / 4096)) ] &&
		[ $(($(of gone-2 5) - $(of gone-1 5))) -ge $((($(of held-2 1) - $(of gone-2 1)) / 4096)) ]
}

ktap_plan 12
ktap "the map grows" is_large held-1
ktap "ten seconds after its objects have gone it is small" is_small gone-1
ktap "and again large" is_large held-2
ktap "and small" is_small gone-2
ktap "each within ten seconds" in_time
ktap "and says how much it gave back" gives_more
ktap "so it is after a CPU has gone meanwhile" is_small hotplug
ktap "when the kernel asks for memory, the map has no more than its objects need" heeds_pressure
ktap "clear gives back at once" is_small cleared
ktap "all events are recorded, or all but one of a thousand" loses_little
ktap "each event that is not recorded is counted" counts_losses
ktap "the kernel has mapped what the module says, and nothing in the end" is_mapped
ktap_end
