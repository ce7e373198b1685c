#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Event logs that begin and end under load, in a stock kernel. No object is freed
# twice in the guest, so that no log may have a wrong free: not by the host program, and
# not by a script that knows the format alone. Objects that were allocated before a log
# began are freed in it: they are counted as frees of unknown objects.
#
#	log-repeat.sh [CPUS [KERNEL [LOGS]]]	2 CPUs, the stock kernel, 20 logs; each fourth log is
#						flushed, each fifth has no account
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of log-repeat 2 "$@"
logs=${3:-20}
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}

echo "$logs" >"$out/logs"
guest "$cpus" "$here/log-repeat.guest" "$out" --append tsc=reliable \
	--file "$out/logs:/logs" --file "$(module_ko)" --file "$(kmod_ko kma_churn)"

# errors NUMBER: the host program finds no wrong free, and the log is whole
errors() {
	local log=$out/$1.log

	ln -sf ../kallsyms "$out/guest/$1/kallsyms"
	"$here/log-pack.py" "$out/guest/$1" "$log" &&
		"$program" objects "$log" --show errors --format csv >"$out/$1.errors" &&
		"$program" objects "$log" --show total --format csv >"$out/$1.total" &&
		"$program" check "$log" >"$out/$1.check"
	rm -f "$log"
	if [ "$(wc -l <"$out/$1.errors")" != 1 ]; then
		echo "$(($(wc -l <"$out/$1.errors") - 1)) wrong frees"
		head -n 3 "$out/$1.errors"
		return 1
	fi
	grep -qx 'findings: 0' "$out/$1.check"
}

all_errors() {
	local number bad=0

	for number in $(seq "$logs"); do
		errors "$number" || bad=$((bad + 1))
	done
	[ $bad = 0 ]
}

# unknown: by the script, and the same number by the host program
unknown() {
	local number events unknown second rest got bad=0

	"$here/log-repeat.py" "$out/guest" >"$out/frees" || bad=1
	while read -r number events unknown second rest; do
		got=$(sed -n 's/^frees of unknown objects,\([0-9]*\),.*/\1/p' "$out/$number.total")
		echo "log $number: $events events, $unknown frees of unknown objects, $second second frees, $rest by churn_drop()"
		[ "$got" = "$unknown" ] || { echo "the host program has $got"; bad=1; }
	done <"$out/frees"
	[ $bad = 0 ] && [ "$(wc -l <"$out/frees")" = "$logs" ]
}

guest_results "$out/guest/ktap" && ktap_plan 2 || exit 1
ktap "$logs logs have no wrong free" all_errors
ktap "frees of unknown objects are counted" unknown
ktap_end
