#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The oracle and the switches in a kernel with KCSAN, on CPUs that run at once: no access of the
# module races with another one. Reports that do not name the module are counted. Then a module with
# a race: it must be reported.
#
#	kcsan.sh [CPUS [KERNEL]]	4 CPUs, 6.12-kcsan
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of kcsan 4 "${1:-}" "${2-6.12-kcsan}"

# maxcpus: the others come when no text is patched any more
guest "$cpus" "$here/kcsan.guest" "$out" --at-once --append maxcpus=1 --allow 'BUG: KCSAN' \
	--file "$(module_ko)" --file "$(known_ko)" --file "$(kmod_ko kma_race)"

# reports MODULE: those of KCSAN in which one of the two accesses is of a function of MODULE, or of a
# function for strings and memory that it calls; the kernel's own if it is empty. An access of another
# function that the module calls is the kernel's: ktime_get_mono_fast_ns(), for example, reads what
# may change, and reads again.
reports() {
	sed -E 's/\r$//; s/^\[ *[0-9.]+\](\[ *[CT][0-9]+\])? ?//' "$out/guest/console.log" | awk -v module="$1" '
	function settle() {
		if (block != "" && (named == module || (module == "" && named == "")))
			print block
		block = named = ""
	}
	/^BUG: KCSAN:/ { settle(); block = $0; next }
	/^======================/ { settle(); next }
	block == "" { next }
	{ block = block "\n" $0 }
	/ (on cpu [0-9]+|interrupt on cpu [0-9]+):$/ { access = 1; next }
	access && / (__)?(mem|str)[a-z]+\+0x/ { next }
	access {
		access = 0
		if (match($0, /\[(kmem_account|kma_race)\]/))
			named = substr($0, RSTART + 1, RLENGTH - 2)
	}
	END { settle() }'
}

none_of_the_module() {
	reports kmem_account >"$out/reports"
	cat "$out/reports"
	[ ! -s "$out/reports" ]
}

race_is_found() { reports kma_race | grep '^BUG: KCSAN: data-race in race_add'; }

reports '' >"$out/others"
printf '# %s reports of the kernel alone, in %s\n' "$(grep -c '^BUG:' "$out/others" || true)" "$out/others"
guest_results "$out/guest/ktap" >"$out/ktap" || true
"$here/oracle.py" "$out/guest/trace" "$out/guest/account" "$out/guest/stats" >"$out/oracle" || true
(
	ktap_plan 2
	ktap 'KCSAN reports no access of the module' none_of_the_module
	ktap 'KCSAN reports the race of kma_race.ko' race_is_found
	ktap_end
) >"$out/kcsan" || true
merged_results "$out/ktap" "$out/oracle" "$out/kcsan"
