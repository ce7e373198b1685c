#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The machines that kernels are for; sourced, never run.  What is more than a
# word is a function of who needs it that ends with the machine's name, as
# machine_args_arm64() of tests/qemu/run.sh.

# machine: Debian's name
# kernel: what it sets in a kernel's configuration
# arch: what kbuild calls it
# tools: how compiler and linker begin, where it is not ours
# qemu: none where kernels are built to be read, not booted
# image: what is booted, in arch/ARCH/boot
# magic: bytes 56 to 59 of a kernel's image (arm64: Documentation/arm64/booting.rst)
# programs: the kernel of kernel.sh whose suite has the guests' programs
machine_columns='machine	kernel		arch	tools			qemu			image	magic	programs'
machines='
		amd64	CONFIG_X86_64	x86	x86_64-linux-gnu-	qemu-system-x86_64	bzImage	-	6.1
		arm64	CONFIG_ARM64	arm64	aarch64-linux-gnu-	qemu-system-aarch64	Image	ARMd	6.1-arm64
		armhf	CONFIG_ARM	arm	arm-linux-gnueabihf-	-			-	-	-
		s390x	CONFIG_S390	s390	s390x-linux-gnu-	-			-	-	-
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

# The machine of an image; all that are not known by their magic are for amd64.
machine_of_image() {
	machine_get magic "$(dd if="$1" bs=4 skip=14 count=1 status=none | tr -d '\0')" machine ||
		echo amd64
}

# What the make of kernel build tree $1 is to be told, if it is not for this machine.
machine_make_args() {
	local machine symbol

	symbol=$(grep -xE -m 1 "($(awk 'NF { print $2 }' <<<"$machines" | paste -sd'|'))=y" \
		"$1/include/config/auto.conf" 2>/dev/null) || return 0
	machine=$(machine_get kernel "${symbol%=y}" machine)
	[ "$machine" != "$(dpkg --print-architecture)" ] || return 0
	printf '%s\n' "ARCH=$(machine_get machine "$machine" arch)" \
		"CROSS_COMPILE=$(machine_get machine "$machine" tools)"
}
