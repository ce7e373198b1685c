#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account doctor in a stock kernel with noise: no alarm on a healthy machine; three planted leaks are
# named by call site with lost objects; without the module the cache is named that grows. Its lines and
# the commands that it proposes.
#
#	doctor.sh [CPUS [KERNEL]]	1 CPU, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of doctor 1 "${1-}" "${2-}"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
truncate -s 64M "$out/ext4"
mke2fs -q -F -t ext4 "$out/ext4"
files=(--file "$program:/kmem-account" --file "$(module_ko)" --file "$(kmod_ko kma_leaky)"
	--file "$here/lib-noise.guest:/lib-noise.guest")
libraries_of "$program"
guest "$cpus" "$here/doctor.guest" "$out" --icount --modules ext4 --disk "$out/ext4" --mem 512 --timeout 3600 \
	--append 'tsc=reliable sysctl.kernel.hung_task_timeout_secs=0' "${files[@]}"
rm "$out/ext4"

cases=(healthy leak without memory text commands)
ktap_plan "${#cases[@]}"
for case in "${cases[@]}"; do
	ktap "$case" python3 "$here/doctor.py" "$out/guest" "$case"
done
ktap_end
