#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The account of a dead kernel by kdump, as a server has it: a stock guest loads the same kernel
# as its crash kernel (kexec -p), and panics. The crash kernel writes /proc/vmcore to a disk by
# makedumpfile -d 31, without free pages, user pages and page cache, and
# contrib/drgn/kmem_account.py reads the account out of that. Every byte of the output is compared with
# what the module's own files had before the panic, as vmcore.sh does with QEMU's dump. kmem-account lost
# finds the lost objects of tests/kmod/kma_planted.c in the compressed dump.
#
#	kdump.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/kernel/vmcore-lib.sh
. "$here/vmcore-lib.sh"
PATH=$PATH:/usr/sbin

for program in kexec makedumpfile; do
	type -P "$program" >/dev/null ||
		{ echo "kdump.sh: $program is missing; run scripts/setup.sh kdump" >&2; exit 1; }
done
dump_of kdump 2 "$@"
image=$(tests/qemu/kernel.sh dir image ${kernel:+"$kernel"})
core=$out/dump

# The two programs run in the guest; lib64 is where they look for the linker.
files=(--file "$(type -P kexec):/bin/kexec" --file "$(type -P makedumpfile):/bin/makedumpfile")
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
files+=(--file "$(kmod_ko kma_planted)")
libraries_of "$(type -P kexec)" "$(type -P makedumpfile)"
truncate -s 600M "$out/disk"
guest "$cpus" "$here/kdump.guest" "$out" --mem 1024 --kdump 256 --keep-disk "$out/disk" \
	--file "$here/vmcore.guest:/vmcore.guest" --file "$here/kdump.init:/kdump.init" \
	--file "$(echo "$image"/boot/vmlinuz-*):/vmlinuz" \
	--file "$ko" --file "$(known_ko)" "${files[@]}"

# The dump came through a pipe, in the form that makedumpfile has for that.
rearranged() {
	makedumpfile -R "$core" <"$out/disk" >"$out/rearranged" 2>&1 || { cat "$out/rearranged"; return 1; }
	[ "$(head -c 8 "$core")" = 'KDUMP   ' ] && rm "$out/disk"
}

# The account is off when the machine panics, so it also has what was freed since: such objects look lost, and only
# those of the test module are judged.
lost() {
	rm -rf "$out/tables" && "$reader" --core "$core" --vmlinux "$vmlinux" --module "$ko" --tables "$out/tables" &&
		"$program" lost --vmcore "$core" --tables "$out/tables" --format csv -O "$out/lost.csv" || return
	cat "$out/lost.csv"
	awk -F, '/^held_/ { held += $2 } match($1, /^lost_(pointer|error_path|cache|large)\+/) { kinds++; lost += $2 }
		END { exit !(!held && kinds == 4 && lost >= 0.97 * 400 && lost <= 400) }' "$out/lost.csv"
}

ktap_plan 8
ktap "makedumpfile wrote a dump" rearranged
makedumpfile --dump-dmesg "$core" "$out/dmesg" >"$out/header" 2>&1 || true
ktap "the dump has the messages of the panic" grep -q 'sysrq triggered crash' "$out/dmesg"
ktap "the account" same_account
ktap "sites, with stacks" same_sites
ktap "each live object" same_objects
ktap "known answers" answers
ktap "the host program reads it" reported
ktap "lost objects in the compressed dump" lost
rm -f "$core"
ktap_end
