#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# An event log by task and by cgroup: tasks of a guest whose names, cgroups and objects are known, from
# before and during the log; names with line ends and escapes; interrupts and kernel threads on
# their behalf. The rows by cgroup are those of the module's own account.
#
#	log-tasks.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of log-tasks 2 "$@"
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}

# tsc=reliable: without it, QEMU's counter is not the kernel's clock
guest "$cpus" "$here/log-tasks.guest" "$out" --append tsc=reliable --file "$(module_ko)" \
	--file "$(kmod_ko kma_groups)" --file "${program%/*}/kmem-account-record:/recorder"

# by LOG KEY: the log's rows, which add up to those without the key
by() {
	"$program" report "$out/guest/$1.log" --by "$2,caller" --format csv >"$out/$1.$2.csv" &&
		"$program" report "$out/guest/$1.log" --by caller --format csv >"$out/$1.csv" &&
		"$here/log-tasks.py" sums "$out/$1.$2.csv" "$out/$1.csv"
}

tasks() { by "$1" task && "$here/log-tasks.py" tasks "$out/$1.task.csv"; }
cgroups() { by "$1" cgroup && "$here/log-tasks.py" cgroups "$out/$1.cgroup.csv" "$out/guest/$1"; }

objects() {
	"$program" objects "$out/guest/$1.log" --by task,caller --show sites --format csv >"$out/$1.objects.csv" &&
		"$here/log-tasks.py" objects "$out/$1.objects.csv"
}

timeline() {
	"$program" timeline "$out/guest/$1.log" --by task --top 200 >"$out/$1.timeline.csv" &&
		"$here/log-tasks.py" timeline "$out/$1.timeline.csv"
}

chart() {
	"$program" rings "$out/guest/$1.log" --by "$2" -r "$out/$1.$2.svg" && grep -q "$3" "$out/$1.$2.svg"
}

# clock LOG NUMBER: of its header
clock() { [ "$(zstd -dcq "$out/guest/$1.log" 2>/dev/null | od -An -tu1 -j22 -N1 | tr -d ' ')" = "$2" ]; }

refused() {
	local code=0

	"$program" report "$out/guest/none.log" --by "$1" 2>"$out/refused" || code=$?
	cat "$out/refused"
	[ $code != 0 ] && grep -q 'kmem-account record' "$out/refused"
}

guest_results "$out/guest/ktap" && ktap_plan 16 || exit 1
ktap "the counter is the clock" clock counter 2
ktap "CLOCK_MONOTONIC is the clock" clock mono 1
for log in counter mono; do
	ktap "$log: the log is sound" "$program" check "$out/guest/$log.log"
	ktap "$log: known tasks have what they allocated" tasks $log
	ktap "$log: cgroups have what the module's account has" cgroups $log
	ktap "$log: objects of tasks" objects $log
	ktap "$log: a timeline of tasks" timeline $log
done
ktap "a chart of tasks" chart counter task shortlived
ktap "a chart of cgroups" chart mono cgroup sub
ktap "a log without tasks: --by task is refused" refused task
ktap "a log without tasks: --by cgroup is refused" refused cgroup
ktap_end
