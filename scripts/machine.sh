#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The machines that kernels are for; sourced, never run.  A property that is more than a word
# is a function of the script that needs it, whose name ends with the machine's name, as
# machine_args_arm64() of tests/qemu/run.sh.

# machine: Debian's name
# uname: what uname -m prints on it
# kernel: the symbol of a kernel's configuration
# arch: kbuild's name
# tools: the prefix of compiler and linker, if they are not this machine's own
# qemu: none for kernels that are read, not booted
# image: the file in arch/ARCH/boot that is booted
# magic: bytes 56 to 58 of a kernel's image (arm64: Documentation/arm64/booting.rst, riscv64:
#	Documentation/riscv/boot-image-header.rst)
# programs: the kernel of kernel.sh whose suite has the programs of the guests
machine_columns='machine	uname	kernel		arch	tools			qemu			image	magic	programs'
machines='
		amd64	x86_64	CONFIG_X86_64	x86	x86_64-linux-gnu-	qemu-system-x86_64	bzImage	-	6.1
		i386	i686	CONFIG_X86_32	i386	x86_64-linux-gnu-	qemu-system-i386	bzImage	-	6.1-i386
		arm64	aarch64	CONFIG_ARM64	arm64	aarch64-linux-gnu-	qemu-system-aarch64	Image	ARM	6.1-arm64
		armhf	armv7l	CONFIG_ARM	arm	arm-linux-gnueabihf-	qemu-system-aarch64	zImage	-	6.1-armhf
		riscv64	riscv64	CONFIG_RISCV	riscv	riscv64-linux-gnu-	qemu-system-riscv64	Image	RSC	6.12-riscv64
		s390x	s390x	CONFIG_S390	s390	s390x-linux-gnu-	-			-	-	-
'

# machine_get COLUMN WANTED ASKED: column ASKED of the row that has WANTED in COLUMN
machine_get() {
	awk -v columns="$machine_columns" -v by="$1" -v want="$2" -v ask="$3" '
	BEGIN { n = split(columns, name); for (i = 1; i <= n; i++) at[name[i]] = i }
	NF && $at[by] == want { print $at[ask]; found = 1 }
	END { exit !found }' <<<"$machines"
}

# The machine of a kernel of kernel.sh: 6.1-arm64-small is for arm64, 6.1 for amd64.
machine_of_kernel() {
	local word

	for word in ${1//-/ }; do
		! machine_get machine "$word" machine || return 0
	done
	echo amd64
}

# Bytes $2 to $3 of file $1, without those that are 0.
machine_bytes() {
	dd if="$1" bs=1 skip="$2" count=$(($3 - $2 + 1)) status=none | tr -d '\0'
}

# The machine of an image. Those without a magic of their own are for 32-bit ARM, with one at
# another place (arch/arm/boot/compressed/head.S), or for x86, whose header says whether the kernel
# has 64 bits (Documentation/x86/boot.rst: xloadflags).
machine_of_image() {
	machine_get magic "$(machine_bytes "$1" 56 58)" machine && return
	case $(machine_bytes "$1" 36 39):$(machine_bytes "$1" 514 517):$(dd if="$1" bs=1 skip=566 count=1 status=none | od -An -tu1) in
	$'\x18(o\x01:'*)		echo armhf ;;
	*:HdrS:*[02468])	echo i386 ;;
	*)			echo amd64 ;;
	esac
}

# Debian's name of this machine. Without dpkg, and with a machine that the table lacks, it
# is what uname says.
machine_here() {
	dpkg --print-architecture 2>/dev/null || machine_get uname "$(uname -m)" machine || uname -m
}

# kbuild's name of the architecture of uname -m, as the kernel's scripts/subarch.include
# derives it.
machine_arch_here() {
	uname -m | sed -e 's/i.86/x86/' -e 's/x86_64/x86/' -e 's/arm.*/arm/' -e 's/aarch64.*/arm64/' \
		-e 's/s390x/s390/' -e 's/ppc.*/powerpc/' -e 's/mips.*/mips/' -e 's/riscv.*/riscv/' \
		-e 's/loongarch.*/loongarch/'
}

# kbuild's name of the architecture that kernel build tree $1 is configured for. kconfig
# writes it into the head of the file.
machine_arch_of_tree() {
	sed -nE '1,9s,^# Linux/([a-z0-9_]+) .*,\1,p' "$1/include/config/auto.conf" |
		sed -E 's/^(x86_64|i386)$/x86/'
}

# The arguments for make in kernel build tree $1, if the tree is not for this machine.
machine_make_args() {
	local machine symbol

	symbol=$(grep -xE -m 1 "($(awk 'NF { print $3 }' <<<"$machines" | paste -sd'|'))=y" \
		"$1/include/config/auto.conf" 2>/dev/null) || return 0
	machine=$(machine_get kernel "${symbol%=y}" machine)
	[ "$machine" != "$(machine_here)" ] || return 0
	printf '%s\n' "ARCH=$(machine_get machine "$machine" arch)" \
		"CROSS_COMPILE=$(machine_get machine "$machine" tools)"
}
