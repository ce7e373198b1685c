#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The highest rate of events that recorders write to a file without a loss, in one boot of a
# stock kernel: out/bench/rate.md. One instruction of the guest takes one ns of its time (icount),
# so the rates do not depend on the load of the machine.
#
#	rate.sh			MS=2000 for each run; KIB=4096 of buffers; RECORDERS="..." are
#				functions of rate.guest; CPU=... is QEMU's model of the CPU
#
# The guest has one CPU: under icount, a second one has not started after some minutes.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
ms=${MS-2000}
kib=${KIB-4096}
recorders=${RECORDERS-nobody ours ours_no_pack trace_cmd perf_record}
kernel=${KERNEL-6.1}
model=${CPU-max,-cx16}
mkdir -p "${O:-out}/bench"
out=$(cd "${O:-out}/bench" && pwd)
report=$out/rate.md

make -s record-static
tests/bench/tools.sh "$out/tools.img" >"$out/tools.txt"
printf '%s\n' "$ms $kib" "$recorders" >"$out/rate.plan"
files=()
for lib in $(ldd "$(command -v trace-cmd)" | grep -o '/lib[^ ]*'); do
	files+=(--file "$lib:$lib")
done
tests/qemu/run.sh --script tests/bench/rate.guest --icount --cpu "$model" --mem 4096 \
	--timeout 3600 --kernel "$(tests/qemu/kernel.sh dir image "$kernel")" --append mitigations=off \
	--allow 'ring_buffer\.c:[0-9]+ ring_buffer_nr_dirty_pages' \
	--out "$out/rate" --disk "$out/tools.img" --file "$out/rate.plan:/plan" \
	--file "$(scripts/module.sh build "stock:$kernel" "$out/kmod" tests/bench)/kma_pace.ko" \
	--file "$(scripts/module.sh build "stock:$kernel" "${O:-out}/module" Kbuild module)/module/kmem_account.ko" \
	--file "${O:-out}/host/kmem-account-record:/recorder" \
	--file "$(command -v trace-cmd):/bin/trace-cmd" "${files[@]}" >&2

{
	cat <<-END
		# Rates of recorders without a loss

		A guest with one CPU (\`$model\`) executes 1,000,000,000 instructions a second. It makes pairs
		of kmalloc() and kfree() for $ms ms at a time. Each recorder has $kib KiB of buffers,
		its other settings are the defaults, and it writes to a tmpfs.
		Kernel $(tests/qemu/kernel.sh release "$kernel"), $(qemu-system-x86_64 --version | sed -n 1p),
		trace-cmd $(trace-cmd --version 2>/dev/null | sed -n 's/.*version \([0-9.]*\).*/\1/p'), perf $(awk '$1 == "perf" { print $2 }' "$out/tools.txt").
		The first column of figures is found by bisection, to 2 %. The others are of a run in
		which the guest makes as many pairs as it can: instructions for each pair, those in the
		threads that make the pairs, those in the recorder and the rest of the kernel, and lost
		events.

	END
	awk -v ms="$ms" '
	$2 == 0 {
		order[++n] = $1; pairs[$1] = $3
		total[$1] = $4 * 1.0 / $3; own[$1] = $5 / $3; lost[$1] = 50 * $6 / $3
		bytes[$1] = $7 / (2 * $3 - $6)
		if ($6 == 0) most[$1] = 2 * $3 / $4 * 1e9
	}
	$2 != 0 && $6 == 0 && $3 >= 0.99 * $2 * ms / 1000 {
		rate = 2 * $3 / $4 * 1e9
		if (rate > most[$1]) most[$1] = rate
	}
	END {
		print "| recorder | events/s without a loss | instructions/pair | allocating | recording | lost | bytes/event |"
		print "|---|---|---|---|---|---|---|"
		for (i = 1; i <= n; i++) {
			r = order[i]
			printf "| %s | %d | %d | %d | %d | %.2g %% | %.1f |\n", r, most[r], total[r], \
				own[r], total[r] - own[r], lost[r], bytes[r]
		}
		if (most["trace_cmd"] && most["ours"])
			printf "\nrecord / trace-cmd: **%.2f**\n", most["ours"] / most["trace_cmd"]
	}' "$out/rate/rate"
} >"$report"
cat "$report"
