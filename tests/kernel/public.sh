#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account doctor beside the troubles of 32 public reports, re-enacted by kind, and beside eight
# healthy loads: 40 guests, each with the right class and the right owner within five minutes of the
# guest's time. public.py has the cases, their reports and what has to be said.
#
#	public.sh [CASE...]	all
#
# The bar is 36 of 40 and no false alarm; each case is a result of its own. KTAP on stdout; what is made
# goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

cases=("$@")
[ $# -gt 0 ] || mapfile -t cases < <(python3 "$here/public.py" list)
guest_of public 1
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
truncate -s 64M "$out/ext4"
mke2fs -q -F -t ext4 "$out/ext4"
files=(--file "$program:/kmem-account" --file "$(module_ko)" --file "$(kmod_ko kma_public)"
	--file "$(kmod_ko kma_leaky)" --file "$here/lib-noise.guest:/lib-noise.guest")
libraries_of "$program"

# one CASE: its guest, and the judgement
one() {
	guest "$cpus" "$here/public.guest" "$out/$1" --icount --modules ext4 --disk "$out/ext4" --mem 512 --timeout 3600 \
		--append "tsc=reliable sysctl.kernel.hung_task_timeout_secs=0 case=$1" "${files[@]}" || return
	python3 "$here/public.py" judge "$out/$1/guest" "$1"
}

ktap_plan "${#cases[@]}"
for case in "${cases[@]}"; do
	ktap "$case" one "$case"
done
ktap_end
