# shellcheck shell=bash disable=SC2154 # $program and $work are host.sh's
# SPDX-License-Identifier: GPL-2.0-only
#
# Debugging information: sourced by host.sh.  Functions, files, lines and inlined functions
# of 10,000 calls of the stock kernel's vmlinux: with the table of inlines made, and kept,
# beside those who are fed the same addresses.

# The calls: return addresses, evenly taken from all that objdump shows.
bench_dwarf_calls() {
	objdump -d -j .text --no-show-raw-insn "$1" |
		awk '/call / { getline; sub(/:.*/, "", $1); if ($1 ~ /^f/) print "0x" $1 }' |
		awk '{ at[NR] = $0 } END { for (i = 1; i <= NR; i += NR / 10000) print at[int(i)] }' >"$2"
}

bench_dwarf_account() {
	awk '{ row[NR] = $1 } END {
		printf "total bytes allocated: %d\ntotal bytes requested: %d\nslack bytes allocated: 0\n", 16 * NR, 16 * NR
		printf "number of allocs: %d\nnumber of frees: 0\nnumber of callers: %d\n\n", NR, NR
		print "   total    slack      req alloc/free  caller"
		for (i = 1; i <= NR; i++) printf "      16        0       16     1/0      %s\n", row[i] }' "$1" >"$2"
}

# bench_dwarf_row NAME COMMAND...
bench_dwarf_row() {
	local name=$1 took
	shift

	if ! command -v "${name%% *}" >/dev/null && [ -n "$few" ]; then
		printf '| %s | not installed |\n' "$name"
		return
	fi
	took=$(repeat=${few:-$repeat} best "$@") && printf '| %s | %.3f |\n' "$name" "$took"
}

bench_dwarf() {
	local vmlinux calls=$work/calls before=$work/before account=$work/dwarf.account
	local XDG_CACHE_HOME=$work/cache few=

	vmlinux=$(echo "$(env -u XDG_CACHE_HOME tests/qemu/kernel.sh dir dbg 6.1)"/usr/lib/debug/boot/vmlinux-*)
	bench_dwarf_calls "$vmlinux" "$calls"
	bench_dwarf_account "$calls" "$account"
	# what the others are to look up is the call, too
	while read -r at; do printf '0x%x\n' $((at - 1)); done <"$calls" >"$before"
	cat "$vmlinux" >/dev/null
	export XDG_CACHE_HOME
	cat <<-EOF

	## Debugging information

	$(wc -l <"$calls") calls, vmlinux of $(stat -c %s "$vmlinux") bytes: \`report --by line --inlines
	both\`. Bars: 1 s for the first use, 0.1 s later. The others are fed the same
	addresses, with \`-i -f\`; functions, files and lines are the same (tests/kernel/inlines.sh).

	| what | s |
	|---|---|
	EOF
	# shellcheck disable=SC2016 # for the shell inside
	bench_dwarf_row "first use: the table is made and kept" sh -c 'rm -rf "$1"; exec "$2" report "$3" \
		--vmlinux "$4" --by line --inlines both' sh "$work/cache" "$program" "$account" "$vmlinux" ||
		return
	bench_dwarf_row "later" "$program" report "$account" --vmlinux "$vmlinux" --by line \
		--inlines both || return
	bench_dwarf_row "later, of one call" "$program" report tests/data/small.account --vmlinux \
		"$vmlinux" --force || return
	few=1
	bench_dwarf_row "addr2line $(addr2line --version | awk 'NR == 1 { print $NF }')" \
		sh -c "addr2line -i -f -e '$vmlinux' <'$before'" || return
	bench_dwarf_row "eu-addr2line" sh -c "eu-addr2line -i -f -e '$vmlinux' <'$before'" || return
	bench_dwarf_row "llvm-symbolizer" \
		sh -c "llvm-symbolizer --inlines --obj='$vmlinux' <'$before'" || return
	printf '\nThe kept table has %d bytes.\n' "$(cat "$work/cache/kmem-account/inlines/"* | wc -c)"
}
