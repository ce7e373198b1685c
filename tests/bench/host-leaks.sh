# shellcheck shell=bash disable=SC2154 # $work and $here are host.sh's
# SPDX-License-Identifier: GPL-2.0-only
#
# Verdicts of leaks on made series: sourced by host.sh. A million series, of which a fifth were never
# used to choose a threshold; SERIES_LEAKS=N takes N in each class of the part that was.

# bench_leaks_judge BINARY: tests/host/leaks.sh has it, too
bench_leaks_judge() {
	gcc -std=gnu11 -D_GNU_SOURCE -O2 -I"$here/../../host" -I"$here" -o "$1" "$here"/leaks-{judge,made}.c \
		"$here"/../../host/model/{leak,trend}.c "$here"/../../host/lib/{alloc,arena,atend,err,program,strbuf,units}.c -lm
}

bench_leaks() {
	local nr=${SERIES_LEAKS:-73000}

	bench_leaks_judge "$work/judge" || return
	printf '\n## Verdicts of leaks\n\n'
	printf 'Made series of 96 samples of 5 minutes: the share that each judge calls a leak. Bars, with\n'
	printf 'cohorts and without: at least 95 %% of leaks (80 %% of those on a base without cohorts), at most\n'
	printf '0.1 %% of any other class.\n\n'
	printf 'The part by which thresholds were chosen:\n\n'
	"$work/judge" "$nr" || return
	printf '\nThe part that was kept apart:\n\n'
	"$work/judge" "$((nr / 4))" held-out
}
