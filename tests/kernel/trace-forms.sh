#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What tracefs prints of one buffer with each trace option and each clock is read as the same
# events.  The kernel prints each form; the plain form and an independent count by
# trace-forms.py are the truth.
#
#	trace-forms.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of trace-forms 2 "$@"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
got=$out/guest
guest "$cpus" "$here/trace-forms.guest" "$out"

# sums CSV: allocs, frees and all bytes that were allocated
sums() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ a += $at["allocs"]; f += $at["frees"]; b += $at["total_dynamic"] }
		END { print a + 0, f + 0, b + 0 }' "$1"
}

# counted FORM: the account has what the independent script counts
counted() {
	local file=$got/$1.text allocs frees bytes

	"$program" report "$file" --format csv >"$out/$1.csv" 2>"$out/$1.err" || { cat "$out/$1.err"; return 1; }
	read -r allocs frees bytes < <("$here/trace-forms.py" "$file")
	if [ "$allocs" -lt 500 ] || [ "$frees" -lt 500 ]; then
		echo "$allocs allocs, $frees frees"
		return 1
	fi
	[ "$(sums "$out/$1.csv")" = "$allocs $frees $bytes" ] || {
		echo "$(sums "$out/$1.csv") in the report, $allocs $frees $bytes in the text"
		return 1
	}
	! grep 'not understood' "$out/$1.err"
}

# same FORM: rows and all columns are those of the plain form.  An option may take the CPU: then
# frees on another CPU are unknown, and a page that waits for its stack is booked one event
# earlier, which moves a peak.  Or it takes the names: then only the numbers are compared.
same() {
	local drop='-' names=1 file

	counted "$1" || return 1
	case $1 in
	bare)		drop='remote_frees peak' ;;
	fields*)	names='' ;;
	esac
	for file in plain "$1"; do
		awk -F, -v drop="$drop" -v names="$names" '
			NR == 1 { for (i = 1; i <= NF; i++) skip[i] = index(" " drop " ", " " $i " "); next }
			{ line = ""; for (i = names ? 1 : 2; i <= NF; i++) if (!skip[i]) line = line "," $i
			  print line }' "$out/$file.csv" | sort >"$out/$file.rows"
	done
	diff "$out/plain.rows" "$out/$1.rows"
}

# refused FORM: numbers without names of fields are no events
refused() {
	! "$program" report "$got/$1.text" 2>"$out/$1.err" && grep 'no events of allocations or frees' "$out/$1.err"
}

mapfile -t forms < <(sed -n 's/^	*print \([a-z-]*\) .*/\1/p; s/^print \(plain\)$/\1/p' "$here/trace-forms.guest")
mapfile -t clocks < <(cd "$got" && printf '%s\n' clock-*.text latency-*.text verbose-*.text |
	sed 's/\.text$//' | grep -v '^latency-verbose$')
[ "${#clocks[@]}" -ge 18 ]
ktap_plan $((${#forms[@]} + ${#clocks[@]} + 1))
ktap "no event was lost" sh -c "! grep -E '^(overrun|dropped events|commit overrun): [1-9]' '$got/stats'"
for form in "${forms[@]}"; do
	if grep -x "$form" "$got/missing" >/dev/null; then
		ktap_skip "$form" "this kernel has no such trace option"
		continue
	fi
	case $form in
	hex | raw)	ktap "$form: refused" refused "$form" ;;
	plain)		ktap "$form" counted "$form" ;;
	*)		ktap "$form" same "$form" ;;
	esac
done
for form in "${clocks[@]}"; do
	ktap "$form" counted "$form"
done
ktap_end
