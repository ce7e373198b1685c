#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Boot a kernel in QEMU, run a script in the guest, bring its files back.
#
#	run.sh --script FILE [--out DIR] [--kernel DIR] [--smp N] [--mem MIB]
#	       [--file SRC[:DEST]]... [--disk FILE]... [--keep-disk FILE]...
#	       [--modules A,B...]
#	       [--timeout S] [--append ARGS]... [--allow REGEX] [--icount] [--at-once]
#	       [--out-size SIZE] [--nodes N] [--dimm MIB] [--cpu MODEL]
#	       [--kaslr-seed N] [--dump FILE] [--kdump MIB] [--secure-boot]
#	       [--forward PORT:GUESTPORT]...
#
# --kernel is what `kernel.sh dir image` prints, and by default just that.  The
# guest is an initramfs of busybox, the modules asked for and the files given
# (to /, or to DEST), with N NUMA nodes (1) of as many CPUs; disks are /dev/vdb and on.
# Changes to them are dropped, except those to a --keep-disk.
# --dimm adds a memory module of MIB, in a NUMA node of its own that has no CPU. The guest can
# eject it (amd64 only). The kernel uses its memory after the script has put it online.
# --at-once: an emulated machine, amd64 only, gets a thread for each CPU, and its CPUs run at once. They
# race with the patching of text, which must happen while one CPU is online (one_cpu in tests/kernel/lib.guest).
# --cpu is QEMU's name, with its options, for a machine that is not emulated by
# KVM; --kaslr-seed is for a kernel that reads it in a device tree (arm64), where 0
# is no seed, and QEMU takes one at random if none is given.
# With --dump the guest panics after its verdict, and its memory is written to FILE as a vmcore
# (ELF), and to the file of --compressed in the form of makedumpfile. The guest needs the module qemu_fw_cfg for
# it, which is loaded.
# With --kdump the guest panics after its verdict, too, and has MIB for the crash kernel that the
# script has loaded. That one has to say its own verdict, of the nonce with ".crash" behind it.
# --secure-boot boots by UEFI (amd64 only) with Secure Boot on.  The firmware has the key of
# Debian's package ovmf enrolled, whose secret is public; the kernel is signed with this key.
# --forward leads from PORT of the host's 127.0.0.1 to a port of the guest's eth0, 10.0.2.15 (QEMU's user
# network); the guest itself reaches nothing. The driver virtio_net is loaded for it.
# What the script leaves in /out (1G at most, or SIZE) is in DIR afterwards, with
# console.log.
#
# Exit 0 only if the guest said that its script exited with 0 and the kernel
# reported no fault (see faults.sh; --allow REGEX passes over reports that the
# test provokes).  Else one line says why: a run without a verdict, or one that
# takes longer than its time, has failed.  Nothing of the host is touched but
# DIR; QEMU is ended by its process id.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../../scripts/lib.sh"
# shellcheck source=scripts/machine.sh
. "$here/../../scripts/machine.sh"

script='' out='' kernel='' smp=1 mem=512 timeout=600 append='' allow='' icount='' at_once=''
modules=virtio_pci,virtio_blk
nodes=1 dimm='' cpu='' kaslr_seed='' dump='' compressed='' kdump='' secure_boot=''
files=() disks=() kept=' ' net=none
out_size=1G

usage() {
	sed -n '/^#	run.sh/,/^#$/s/^#	\{0,1\}//p' "${BASH_SOURCE[0]}" >&2
	exit 2
}

while [ $# -gt 0 ]; do
	case $1 in
	--icount)	icount=1; shift; continue ;;
	--at-once)	at_once=1; shift; continue ;;
	--secure-boot)	secure_boot=1; shift; continue ;;
	--*)		[ $# -ge 2 ] || usage ;;
	esac
	case $1 in
	--script)	script=$2 ;;
	--out)		out=$2 ;;
	--kernel)	kernel=$2 ;;
	--smp)		smp=$2 ;;
	--mem)		mem=$2 ;;
	--file)		files+=("$2") ;;
	--disk)		disks+=("$2") ;;
	--keep-disk)	disks+=("$2") kept="$kept${#disks[@]} " ;;
	--modules)	modules=$modules,$2 ;;
	--timeout)	timeout=$2 ;;
	--out-size)	out_size=$2 ;;
	--nodes)	nodes=$2 ;;
	--dimm)		dimm=$2 ;;
	--cpu)		cpu=$2 ;;
	--kaslr-seed)	kaslr_seed=$2 ;;
	--forward)	[ "$net" != none ] || { net=user,model=virtio-net-pci,restrict=on; modules=$modules,virtio_net; }
			net=$net,hostfwd=tcp:127.0.0.1:${2%:*}-:${2#*:} ;;
	--dump)		dump=$2 modules=$modules,qemu_fw_cfg ;;
	--compressed)	compressed=$2 ;;
	--kdump)	kdump=$2 append="$append crashkernel=$2M kma.panic" ;;
	--append)	append="$append $2" ;;
	--allow)	allow=$2 ;;
	*)		usage ;;
	esac
	shift 2
done
[ -f "$script" ] || usage
for file in "$dump" "$compressed"; do
	[ ! -e "$file" ] || rm "$file"
done

fail() { say "qemu: $(basename "$script"): $*"; exit 1; }

# Results of an earlier run must not be taken for this one's.  Only a directory
# that a run has left, known by its log, is emptied.
prepare_out() {
	out=${out:-$work/result}
	if [ -e "$out/console.log" ]; then
		find "$out" -mindepth 1 -delete
	elif [ -n "$(ls -A "$out" 2>/dev/null)" ]; then
		die "$out is not empty and not left by run.sh"
	fi
	mkdir -p "$out"
	: >"$out/console.log"
}

# The files of modules and of all that they need, in the order to load them.
# Modules that are built in need nothing; an unknown name is an error.
module_order() {
	awk -v wanted="$1" '
	function name(path) {
		sub(/.*\//, "", path); sub(/\.ko$/, "", path); gsub(/-/, "_", path)
		return path
	}
	FILENAME ~ /builtin$/ { builtin[name($1)] = 1; next }
	{
		path = $1; sub(/:$/, "", path); file[name(path)] = path
		for (i = NF; i > 1; i--)
			needs[path] = needs[path] " " $i
	}
	END {
		n = split(wanted, want, ",")
		for (i = 1; i <= n; i++) {
			m = want[i]; gsub(/-/, "_", m)
			if (m in builtin)
				continue
			if (!(m in file)) {
				print "no module " want[i] > "/dev/stderr"
				exit 1
			}
			k = split(needs[file[m]] " " file[m], list, " ")
			for (j = 1; j <= k; j++)
				if (!seen[list[j]]++)
					print list[j]
		}
	}' "$2/modules.builtin" "$2/modules.dep"
}

# The busybox of the kernel's machine.
busybox() {
	local dir

	if [ "$machine" = "$(dpkg --print-architecture)" ]; then
		type -P busybox
		return
	fi
	dir=$("$here/kernel.sh" dir busybox "$(machine_get machine "$machine" programs)") || return
	echo "$dir/bin/busybox"
}

# without_debug FILE...: drop the debug information of those that are modules. It is 95 % of a module
# that was just built; insmod reads it and makes no use of it. To load and unload the account without
# it takes 0.25 s of the guest's time, not 0.41. strip would drop the signature at the end of a module.
without_debug() {
	local strip file

	strip=$(machine_get machine "$machine" tools)strip
	type -P "$strip" >/dev/null || return 0
	for file in "$@"; do
		case $file in *.ko) ;; *) continue ;; esac
		tail -c 28 "$file" | grep -qa 'Module signature appended' ||
			"$strip" -g "$file" || fail "cannot strip $file"
	done
}

# The initramfs, not compressed: the guest would take seconds to unpack it.
make_initramfs() {
	local root=$work/root module spec src dest

	mkdir -p "$root"/{bin,dev,proc,sys,tmp,out,modules}
	cp "$(busybox)" "$root/bin/busybox" || fail "no busybox"
	cp "$here/init" "$root/init"
	cp "$script" "$root/script"
	module_order "$modules" "$moddir" >"$work/order" || fail "no such module in $kernel"
	while read -r module; do
		cp "$moddir/$module" "$root/modules/"
		printf '/modules/%s\n' "${module##*/}"
	done <"$work/order" >"$root/modules.load"
	for spec in ${files[@]+"${files[@]}"}; do
		src=${spec%%:*} dest=/${spec##*/}
		[ "$src" = "$spec" ] || dest=/${spec#*:}
		mkdir -p "$root/$(dirname "$dest")"
		cp -RL "$src" "$root/$dest" || fail "no file $src"
		without_debug "$root$dest"
	done
	chmod +x "$root/init"
	(cd "$root" && find . -print0 | cpio --null -o -H newc -R 0:0 --quiet) >"$work/initramfs"
}

# CPUs and memory in equal parts; the memory module is in a node after those.
numa_args() {
	local node each=$((smp / nodes))

	for ((node = 0; node < nodes; node++)); do
		printf ' %s' -object "memory-backend-ram,id=m$node,size=$((mem / nodes))M" \
			-numa "node,nodeid=$node,cpus=$((node * each))-$((node * each + each - 1)),memdev=m$node"
	done
	[ -n "$dimm" ] || return 0
	printf ' %s' -numa "node,nodeid=$nodes" -object "memory-backend-ram,id=dimm,size=${dimm}M" \
		-device "pc-dimm,id=module,memdev=dimm,node=$nodes"
}

# The kernel, signed with the key that the firmware has enrolled, and the firmware with a copy
# of its variables.  Writes to the variables are allowed in system management mode only.
secure_boot() {
	local vars=/usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd code=/usr/share/OVMF/OVMF_CODE_4M.secboot.fd

	if [ ! -e "$vars" ] || [ ! -e "$code" ]; then
		fail "no firmware with Secure Boot: install ovmf"
	fi
	"$here/enrolled-key.sh" "$work/key"
	sbsign --key "$work/key.pem" --cert "$work/key.crt" --output "$work/vmlinuz" \
		"$vmlinuz" >"$work/sbsign.log" 2>&1 ||
		fail "cannot sign the kernel: $(tail -n 1 "$work/sbsign.log")"
	vmlinuz=$work/vmlinuz
	cp "$vars" "$work/vars"
	# shellcheck disable=SC2054 # QEMU's own commas
	args+=(-machine q35,smm=on -global ICH9-LPC.disable_s3=1
		-global driver=cfi.pflash01,property=secure,value=on
		-drive "if=pflash,format=raw,unit=0,readonly=on,file=$code"
		-drive "if=pflash,format=raw,unit=1,file=$work/vars")
}

# What each machine needs: its parts, how it is emulated, and words for its kernel.
machine_args_amd64() {
	local thread=single

	args=(-accel kvm -cpu host)
	console=ttyS0
	[ "$accel" = kvm ] && return
	# QEMU 7.2: several TCG threads race with text patching, and its
	# cmpxchg16b corrupts flags.  Both look like faults of the module.
	[ -z "$at_once" ] || thread=multi
	args=(-accel "tcg,thread=$thread" -cpu "${cpu:-max,-cx16}")
	# On a busy host a kernel sees no tick in the moment in which it looks for
	# one, and panics: "IO-APIC + timer doesn't work".  The kernel's tests of its own ciphers
	# take a seventh of the CPU time of a boot.
	append="no_timer_check cryptomgr.notests $append"
}

# A kernel of several CPUs warns of AMD's with 32 bits.
machine_args_i386() {
	args=(-accel 'tcg,thread=single' -cpu "${cpu:-max,vendor=GenuineIntel}")
	console=ttyS0
	append="no_timer_check $append"
}

# PCI and memory above 4 GiB are out of a kernel's reach, unless it is one with LPAE. QEMU's program
# for 64-bit ARM emulates this CPU, too. qemu-system-arm 7.2 cuts the address of a page table to 32
# bits (S1_ptw_translate() hands it to probe_access_full() as target_ulong): a guest with page tables
# above 4 GiB panics or hangs. A thread for each CPU: ARM patches its text while the other CPUs spin,
# and each of them would keep a single thread for its whole turn. A boot with two CPUs took 499 s so,
# and takes 7 s. QEMU counts instructions in a single thread only.
machine_args_armhf() {
	local highmem=off thread=multi

	[ -z "$icount" ] || thread=single
	case $vmlinuz in *-lpae) highmem=on ;; esac
	args=(-machine "virt,highmem=$highmem" -accel "tcg,thread=$thread" -cpu "${cpu:-cortex-a15}")
	console=ttyAMA0
}

# Signed return addresses (pauth) as QEMU makes them quickly.
machine_args_arm64() {
	args=(-machine virt -accel 'tcg,thread=single' -cpu "${cpu:-max,pauth-impdef=on}")
	console=ttyAMA0
	[ -z "$kaslr_seed" ] || machine_tree
}

# A thread for each CPU, for the reason that ARM has.
machine_args_riscv64() {
	local thread=multi

	[ -z "$icount" ] || thread=single
	args=(-machine virt -accel "tcg,thread=$thread" -cpu "${cpu:-rv64}")
	console=ttyS0
}

# The machine's own device tree, with another seed.
machine_tree() {
	{
		qemu-system-aarch64 "${args[@]}" -machine "dumpdtb=$work/tree" \
			-m "$mem" -smp "$smp,sockets=$smp" -display none &&
			fdtput -t i "$work/tree" /chosen kaslr-seed \
				$((kaslr_seed >> 32 & 0xffffffff)) $((kaslr_seed & 0xffffffff))
	} >"$work/qemu.log" 2>&1 || fail "no device tree: $(tail -n 1 "$work/qemu.log")"
	args+=(-dtb "$work/tree")
}

qemu_args() {
	local disk index=0

	"machine_args_$machine"
	[ -z "$icount" ] || args+=(-icount 'shift=0,sleep=off')
	[ -z "$secure_boot" ] || secure_boot
	# a socket each: without ACPI a kernel finds no others
	args+=(-m "$mem${dimm:+,slots=1,maxmem=$((mem + dimm))M}" -smp "$smp,sockets=$smp" -nodefaults -display none -nic "$net"
		-no-reboot -serial "file:$out/console.log"
		-kernel "$vmlinuz" -initrd "$work/initramfs"
		-append "console=$console panic=-1 oops=panic random.trust_cpu=on kma.nonce=$nonce ${dump:+panic=0 kma.panic }$append")
	# the last panic= counts: the guest stays as it is
	[ -z "$dump" ] || args+=(-device vmcoreinfo -qmp "unix:$work/qmp,server=on,wait=off")
	# shellcheck disable=SC2207 # words
	[ "$nodes$dimm" = 1 ] || args+=($(numa_args))
	for disk in "$work/out.img" ${disks[@]+"${disks[@]}"}; do
		args+=(-drive "file=$disk,format=raw,if=none,id=d$index,cache=unsafe"
			-device "virtio-blk-pci,drive=d$index")
		[ "$index" -eq 0 ] || [[ $kept == *" $index "* ]] || args[-3]+=,snapshot=on
		index=$((index + 1))
	done
}

# Sets qemu_status; 124 is a timeout.
run_qemu() {
	local start=$SECONDS

	"$(machine_get machine "$machine" qemu)" "${args[@]}" </dev/null >"$work/qemu.log" 2>&1 &
	qemu_pid=$!
	qemu_status=0
	while kill -0 "$qemu_pid" 2>/dev/null; do
		if [ -n "$dump" ] && [ ! -e "$dump" ] && grep -q 'end Kernel panic' "$out/console.log"; then
			"$here/dump.py" "$work/qmp" "$dump" ${compressed:+"$compressed"} >>"$work/qemu.log" 2>&1 ||
				kill -KILL "$qemu_pid"
		fi
		if [ $((SECONDS - start)) -ge "$timeout" ]; then
			kill -KILL "$qemu_pid"
			wait "$qemu_pid" 2>/dev/null || true
			qemu_pid=
			qemu_status=124
			return
		fi
		sleep 0.1
	done
	wait "$qemu_pid" 2>/dev/null || qemu_status=$?
	qemu_pid=
}

judge() {
	local fault verdict

	# the panic of --dump and --kdump is wanted; what a crash kernel says counts
	awk -v panics="$dump$kdump" -v verdict="kma-verdict: $nonce " '
		/Linux version/ { panic = 0 }
		!panic
		panics != "" && index($0, verdict) { panic = 1 }' "$out/console.log" >"$work/judged"
	if fault=$("$here/faults.sh" "$work/judged" "$allow"); then
		fail "the kernel reported: ${fault#"${fault%%[! ]*}"}"
	fi
	[ "$qemu_status" -ne 124 ] || fail "no end after $timeout s"
	[ "$qemu_status" -eq 0 ] || fail "QEMU exited with $qemu_status: $(tail -n 1 "$work/qemu.log")"
	verdict=$(sed -n "s/.*kma-verdict: $nonce \([0-9]*\).*/\1/p" "$out/console.log")
	case $verdict in
	0)	;;
	'')	fail "the guest ended without a verdict (see $out/console.log)" ;;
	126)	fail "126: the guest could not write its files" ;;
	127)	fail "127: a module or a command was not found" ;;
	*)	fail "the script exited with $verdict" ;;
	esac
	[ -z "$kdump" ] || grep -q "kma-verdict: $nonce\.crash 0" "$out/console.log" ||
		fail "the crash kernel ended without a good verdict (see $out/console.log)"
}

cleanup() {
	[ -z "${qemu_pid-}" ] || kill -KILL "$qemu_pid" 2>/dev/null || true
	rm -rf "$work"
}

work=$(mktemp -d)
trap cleanup EXIT
trap 'exit 130' INT TERM
prepare_out
[ -n "$kernel" ] || kernel=$("$here/kernel.sh" dir image)
vmlinuz=$(find "$kernel/boot/" -name 'vmlinuz-*' | sed -n 1p)
[ -n "$vmlinuz" ] || fail "no kernel image in $kernel"
machine=$(machine_of_image "$vmlinuz")
moddir=$kernel/lib/modules/${vmlinuz##*/vmlinuz-}
nonce=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
accel=$("$here/accel.sh" "$vmlinuz")
[ -z "$icount" ] || accel=tcg

make_initramfs
truncate -s "$out_size" "$work/out.img"
qemu_args
run_qemu
# what came back helps to understand a failure too
tar -x -C "$out" --no-same-owner -f "$work/out.img" 2>/dev/null || true
judge
