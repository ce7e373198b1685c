#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account lost in a stock kernel, beside a module whose call sites say whether their objects are
# lost or held (tests/kmod/kma_planted.c): what is lost is found, and what is held is not called
# lost, on a quiet machine and beside noise. A kernel from 7.0 on without BTF is refused. The file of a
# scan makes what is lost a leak for leaks, and names what holds the others.
#
# A file of a scan, also of kmem-account-record scan, gives the same answers on this machine.
#
# With --workload, a driver that leaks is found, and a healthy one is not.
#
#	lost.sh [CPUS [KERNEL [SCANS [RUNS]]]]	2 CPUs, the stock kernel, 4 scans beside noise, 2 runs of
#						each driver
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of lost 2 "${1-}" "${2-}"
scans=${3:-4} runs=${4:-2}
cases=(found held others heads lines file verdicts workload output before noisy)
if kernel_at_least 7.0; then
	cases+=(refused)
fi
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
truncate -s 64M "$out/ext4"
mke2fs -q -F -t ext4 "$out/ext4"
echo "$scans $runs" >"$out/plan"
planted=$(kmod_ko kma_planted)
files=(--file "$program:/kmem-account" --file "${program%/*}/kmem-account-record:/recorder" --file "$out/plan:/plan" --file "$here/lib-noise.guest:/lib-noise.guest"
	--file "$(module_ko)" --file "$planted" --file "$planted:/planted.debug" --file "${planted%/*}/kma_churn.ko"
	--file "${planted%/*}/kma_keep.ko" --file "${planted%/*}/kma_leave.ko")
libraries_of "$program"
# A scan and a run take up to 100 s each on a machine with other work.
guest "$cpus" "$here/lost.guest" "$out" --timeout $((1800 + 100 * (scans + 2 * runs))) --modules ext4 --disk "$out/ext4" "${files[@]}"

# The file of a scan answers on another machine: this one.
mkdir -p "$out/ko"
cp "$planted" "$out/ko/kma_planted.ko"
for name in scan scan.plain scan.static; do
	"$program" lost "$out/guest/$name" --format csv --vmlinux "$out/guest/kallsyms" --modules "$out/ko" \
		-O "$out/guest/$name.csv"
done
# And it is evidence for leaks there, which knows nothing by two samples.
"$program" leaks "$out"/guest/account.? --format csv -O "$out/guest/verdicts.before"
"$program" leaks "$out"/guest/account.? --scan "$out/guest/scan" --format csv -O "$out/guest/verdicts.csv"

ktap_plan "${#cases[@]}"
for case in "${cases[@]}"; do
	ktap "$case" python3 "$here/lost.py" "$out/guest" "$case" "$scans"
done
ktap_end
