#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Reports on a terminal: what fits is shown, sums are right, and no name of an input is obeyed
# as a command, in any format. CSV without formulas.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
cp "$data/small.account" small
# more rows than any terminal has lines; some of 0 B; long names
for i in $(seq 300); do
	step=$(((300 - i) / 20))
	bytes=$((step * 37 * (300 - i)))
	echo "$bytes 0 $bytes $((i + 1)) 1 a_function_with_a_name_that_is_long_${i}_and_goes_on+0x$i/0x1000"
done | shuf --random-source="$data/small.account" >long.rows
account_of long.rows >long

# ESC, C1, BEL and RIGHT-TO-LEFT OVERRIDE; and what a spreadsheet takes for formulas
printf 'ev\033[2Jil\302\2332J\342\200\256x\007+0x1/0x20\n' >evil.name
{
	sed 's/^/700 1 699 3 1 /' evil.name
	for name in =cmd +plus -minus @at ordinary; do
		echo "500 1 499 3 1 $name+0x1/0x20"
	done
} >evil.rows
account_of evil.rows >evil
"$program" report evil --save-db "evil.db@=label" >out
"$here/log-make.py" --events 2000 --names "=cmd,+plus,-minus,@at,$(printf 'ev\033[2Jil\302\2332J')" evil.log out
head -c -100 evil.log >"$(printf 'evil\033[2J.log')"
xz -dkc "$data/latency/6.1.log.xz" |
	sed "s/sh-104/$(printf '=\033[2J')-104/; s/kfree_rcu_shrink_scan/$(printf '@e\302\2332J')&/" >evil.trace

# the same without such names: the bytes on a terminal are those in a pipe
"$program" report long --save-db "plain.db@a label that has many words, so that its row is too long for a narrow terminal" >out
"$here/log-make.py" --events 2000 plain.log out
xz -dkc "$data/latency/6.1.log.xz" >plain.trace

on_screen() {
	"$here/terminal.py" "$program" "$1"
}

ktap_plan 11
ktap "what fits, and sums" on_screen fits
ktap "bars" on_screen bars
ktap "tables of other commands" on_screen tables
ktap "rows that are left out are counted" on_screen rows_left_out
ktap "what asks for all" on_screen everything
ktap "the size by the environment" on_screen environment
ktap "what is left out is named" on_screen left_out
ktap "nothing for a terminal to obey" on_screen obeys_nothing
ktap "names in files" on_screen files_keep_names
ktap "no formulas with --csv-safe" on_screen formulas
ktap "heads of JSON" on_screen heads
ktap_end
