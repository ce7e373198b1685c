#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make the configuration of a kernel from fragments; sourced, never run.

# wishes FILE...: the options that the fragments FILE set or unset. Of two lines on an
# option the last one counts.
wishes() {
	awk '
	/^CONFIG_/ { name = $0; sub(/=.*/, "", name); line[name] = $0 }
	/^# CONFIG_.* is not set$/ { line[$2] = $0 }
	END { for (name in line) print line[name] }' "$@"
}

# not_granted WISHES CONFIG: the lines of the file WISHES that the configuration CONFIG
# contradicts. An option that was asked for and is missing was renamed, or lacks what it
# depends on. An option that is not wanted may be unknown to this version of the kernel.
not_granted() {
	awk '
	NR == FNR { if (/^CONFIG_/) { name = $0; sub(/=.*/, "", name); value[name] = $0 } next }
	/^CONFIG_/ { name = $0; sub(/=.*/, "", name); if (value[name] != $0) print }
	/^# / && $2 in value { print }' "$2" "$1"
}

# configure SOURCE OUTPUT BASE MISSING FRAGMENT...: make OUTPUT/.config of make target BASE
# and the fragments; ARCH in the environment is kbuild's. Fails if a line is not granted,
# unless it matches the expression MISSING. The shell does not stop at an error by itself in
# a command that step runs.
configure() {
	local source=$1 output=$2 base=$3 may_miss=${4:-^$} missing
	local -a build=(make -s -C "$source")

	[ "$source" = "$output" ] || build+=("O=$output")
	wishes "${@:5}" >"$output/.kma_wish" &&
		"${build[@]}" "$base" &&
		(cd "$output" && "$source/scripts/kconfig/merge_config.sh" -m .config .kma_wish) &&
		"${build[@]}" olddefconfig || return
	missing=$(not_granted "$output/.kma_wish" "$output/.config" | grep -v -e "$may_miss" || true)
	[ -z "$missing" ] || { printf 'the configuration has not:\n%s\n' "$missing"; return 1; }
}
