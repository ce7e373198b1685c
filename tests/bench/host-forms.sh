# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Sourced by host.sh: each form in which people have text of the slab's events, beside grep, which
# finds a word in each line and does nothing else.

bench_forms() {
	local form text=$work/form ours one peer

	cat <<-EOF

	## Forms of text

	The same events in each form (\`tests/bench/log-forms.py\`), as GB/s of \`report -f\` with the
	program's start and the table. Bar 1.3 GB/s on 2 CPUs for each form, aim 1.6.

	| form | bytes | 2 CPUs | 1 CPU | grep -c call_site, 1 CPU |
	|---|---|---|---|---|
	EOF
	for form in tracefs tgid no-irq-info trace-cmd perf 64-bit 32-bit; do
		"$here/log-forms.py" "$form" <"$log" >"$text"
		bytes=$(stat -c %s "$text")
		ours=$(best "$program" report -f "$text")
		one=$(best taskset -c 0 "$program" report -f "$text")
		peer=$(best sh -c "taskset -c 0 grep -c call_site '$text' | cat")
		printf '| %s | %s | %s | %s | %s |\n' "$form" "$bytes" "$(gbps "$bytes" "$ours")" \
			"$(gbps "$bytes" "$one")" "$(gbps "$bytes" "$peer")"
	done
	rm "$text"
}
