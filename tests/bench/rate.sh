#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How many events a second recorders carry from two CPUs into a file without a loss, in
# one boot of a stock kernel: out/bench/rate.md. Not under icount: it is the host's time.
#
#	rate.sh			RATES="..." in pairs a second on each CPU; MS=2000 for each of
#				REPEATS=5 runs, of which medians are shown; RECORDERS="..." of
#				rate.guest
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
rates=${RATES-25000 50000 100000 150000 200000 300000 0}
ms=${MS-2000}
repeats=${REPEATS-5}
recorders=${RECORDERS-nobody ours trace_cmd perf_record}
kernel=${KERNEL-6.1}
mkdir -p "${O:-out}/bench"
out=$(cd "${O:-out}/bench" && pwd)
report=$out/rate.md

make -s record-static
tests/bench/tools.sh "$out/tools.img" >"$out/tools.txt"
printf '%s\n' "$ms $repeats" "$rates" "$recorders" >"$out/rate.plan"
files=()
for lib in $(ldd "$(command -v trace-cmd)" /usr/bin/nice | grep -o '/lib[^ ]*'); do
	files+=(--file "$lib:$lib")
done
tests/qemu/run.sh --script tests/bench/rate.guest --smp 2 --mem 4096 --timeout 3600 \
	--kernel "$(tests/qemu/kernel.sh dir image "$kernel")" --append mitigations=off \
	--allow 'ring_buffer\.c:[0-9]+ ring_buffer_nr_dirty_pages' \
	--out "$out/rate" --disk "$out/tools.img" --file "$out/rate.plan:/plan" \
	--file "$(scripts/module.sh build "stock:$kernel" "$out/kmod" tests/bench)/kma_pace.ko" \
	--file "$(scripts/module.sh build "stock:$kernel" "${O:-out}/module" Kbuild module)/module/kmem_account.ko" \
	--file "${O:-out}/host/kmem-account-record:/recorder" \
	--file /usr/bin/nice:/usr/bin/nice \
	--file "$(command -v trace-cmd):/bin/trace-cmd" "${files[@]}" >&2

{
	cat <<-END
		# Events a second into a file

		Two CPUs of a guest make pairs of kmalloc() and kfree() for $ms ms at a time; each
		recorder has 4 MiB of buffers for each CPU, and writes into a tmpfs. Machine: load
		$(cut -d ' ' -f 1 /proc/loadavg), $(nproc) CPUs; kernel $(tests/qemu/kernel.sh release "$kernel"); $(qemu-system-x86_64 --version | sed -n 1p).
		Events asked for: two a pair. In each cell, of $repeats runs: the median of the events
		that were made in a second, and of the share of them that was lost.
		trace_cmd is $(trace-cmd --version 2>/dev/null | grep -o 'version [0-9.]*'), perf_record $(awk '$1 == "perf" { print $2 }' "$out/tools.txt"); ours is kmem-account record.

	END
	awk -v recorders="$recorders" '
	function median(text,   of, n, i, j, swap) {
		n = split(text, of, " ")
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && of[j - 1] + 0 > of[j] + 0; j--) {
				swap = of[j]; of[j] = of[j - 1]; of[j - 1] = swap
			}
		return n % 2 ? of[(n + 1) / 2] : (of[n / 2] + of[n / 2 + 1]) / 2
	}
	BEGIN {
		nr = split(recorders, who, " ")
		head = "| events asked for, a second |"; rule = "|---|"
		for (w = 1; w <= nr; w++) { head = head " " who[w] " |"; rule = rule "---|" }
		print head; print rule
	}
	{
		key = $1 SUBSEP $2; made = 2 * $3
		each[key] = each[key] " " made / $4 * 1e9
		if ($5 == "-") unsaid[key] = 1
		share[key] = share[key] " " 100 * $5 / made
		if ($5 != 0) some[key]++
		if (!seen[$2]++) order[++n] = $2
	}
	END {
		for (i = 1; i <= n; i++) {
			line = sprintf("| %s |", order[i] ? 4 * order[i] : "as many as can be")
			for (w = 1; w <= nr; w++) {
				key = who[w] SUBSEP order[i]
				if (!(key in each)) { line = line " failed |"; continue }
				rate = median(each[key]); lost = median(share[key])
				line = line sprintf(" %d, %s |", rate, key in unsaid ? "? lost" : \
					!some[key] ? "none lost" : \
					sprintf("%.2g %% lost (in %d runs)", lost, some[key]))
				if (!some[key] && rate > most[who[w]]) most[who[w]] = rate
			}
			print line
		}
		line = "| **most without a loss** |"
		for (w = 1; w <= nr; w++) line = line sprintf(" **%d** |", most[who[w]])
		print line
	}' "$out/rate/rate"
} >"$report"
cat "$report"
