#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module compiles in kernels that are configured otherwise than Debian's, without a word of
# the compiler (W=1), and needs no symbol that the kernel's source does not export. A kernel
# that lacks what the module needs is refused, in a sentence that names the option. Nothing is
# booted. Prints KTAP.
#
#	configs.sh [KERNEL...]		5.10 6.1 6.12 newest by default; or a clean source tree, by
#					its path
#	ROWS="arm64-64k rt" configs.sh	some rows of the table
#
# The kernel is only configured and prepared (`make modules_prepare`), so there is no list of
# its symbols; the names that EXPORT_SYMBOL and its variants have in the source stand for it.
# Documentation/kernels.rst has the results, with dates.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
# shellcheck source=tests/qemu/kconfig.sh
. tests/qemu/kconfig.sh

# name	arch, prefix of the compiler, LLVM, or LLVM16 (16 or later), kernels from MIN on, or -MAX for those up to MAX (- for all), base of the
#	configuration, changes: +OPTION, -OPTION.  guest is tinyconfig and config/guest.config.
#	A row whose last word is =WORDS is refused with a message that has WORDS.
configs='
plain		x86	-			-	guest
memcg-numa	x86	-			-	guest	+CGROUPS +MEMCG +NUMA +ACPI
up		x86	-			-	guest	-SMP
no-kprobes	x86	-			-	guest	-KPROBES
no-debugfs	x86	-			-	guest	-DEBUG_FS
lto		x86	LLVM			6.1	guest	+LTO_CLANG_THIN
cfi		x86	LLVM16			6.1	guest	+LTO_CLANG_THIN +CFI_CLANG
slub-tiny	x86	-			6.12	guest	-SLUB_DEBUG +SLUB_TINY
rt		x86	-			6.12	guest	+PREEMPT_RT
lockdep		x86	-			-	guest	+PROVE_LOCKING +DEBUG_ATOMIC_SLEEP
no-tracepoints	x86	-			-	guest	-FTRACE -KPROBES =CONFIG_TRACEPOINTS
no-proc		x86	-			-	guest	-PROC_FS =CONFIG_PROC_FS
slab		x86	-			-6.7	guest	-SLUB -SLUB_DEBUG +SLAB =CONFIG_SLUB
no-kallsyms	x86	-			-	guest	-FTRACE -KPROBES -KALLSYMS -KALLSYMS_ALL =CONFIG_KALLSYMS
i386		i386	-			-	guest32
arm64-4k	arm64	aarch64-linux-gnu-	-	defconfig
arm64-64k	arm64	aarch64-linux-gnu-	-	defconfig	+ARM64_64K_PAGES
s390x		s390	s390x-linux-gnu-	-	defconfig
riscv64		riscv	riscv64-linux-gnu-	-	defconfig
arm		arm	arm-linux-gnueabihf-	-	defconfig
arm-v5		arm	arm-linux-gnueabihf-	-	multi_v5_defconfig
'

[ $# -gt 0 ] || set -- 5.10 6.1 6.12 newest
base=${O:-$PWD/out}/configs
mkdir -p "$base"
base=$(cd "$base" && pwd)
unset MAKEFLAGS MFLAGS MAKELEVEL

# fragment FILE BASE CHANGE...: the lines of a configuration
fragment() {
	local file=$1 change
	shift

	case $1 in
	guest | guest32)	cat tests/qemu/config/guest.config ;;
	esac >"$file"
	[ "$1" != guest32 ] || sed -i 's/^CONFIG_64BIT=y/# CONFIG_64BIT is not set/' "$file"
	# what a defconfig may lack
	[[ $1 != *defconfig ]] || printf 'CONFIG_%s=y\n' MODULES KPROBES FTRACE DEBUG_FS >"$file"
	shift
	for change; do
		case $change in
		+*)	echo "CONFIG_${change#+}=y" ;;
		-*)	echo "# CONFIG_${change#-} is not set" ;;
		esac
	done >>"$file"
}

# newer_llvm: what LLVM= has to be for a clang of 16 or later; fails if there is none
newer_llvm() {
	local suffix

	for suffix in '' -16 -17 -18 -19; do
		command -v "clang$suffix" "ld.lld$suffix" >/dev/null || continue
		[ "$("clang$suffix" -dumpversion | cut -d . -f 1)" -ge 16 ] || continue
		echo "${suffix:-1}"
		return
	done
	return 1
}

# kbuild SOURCE OUTPUT WORD...: make for the row's machine and compiler
kbuild() {
	local source=$1 output=$2
	shift 2
	local -a args=("ARCH=$arch")

	case $prefix in
	-)	;;
	LLVM)	args+=(LLVM=1) ;;
	LLVM16)	args+=("LLVM=$(newer_llvm)") ;;
	*)	args+=("CROSS_COMPILE=$prefix") ;;
	esac
	make -s -j"$(nproc)" -C "$source" "O=$output" "${args[@]}" "$@"
}

# prepared SOURCE OUTPUT BASE CHANGE...: an output directory in which modules can be built. A
# directory that is there is for the same source and configuration.
prepared() {
	local source=$1 output=$2 start=$3
	shift 2

	[ ! -e "$output/.kma-prepared" ] || return 0
	rm -rf "$output"
	mkdir -p "$output"
	fragment "$output/row.config" "$@"
	case $start in guest | guest32) start=tinyconfig ;; esac
	kbuild "$source" "$output" "$start" || return
	(cd "$output" && "$source/scripts/kconfig/merge_config.sh" -m .config row.config >/dev/null) || return
	kbuild "$source" "$output" olddefconfig || return
	# only what the row itself asks for has to be granted
	grep -v -F -x -f tests/qemu/config/guest.config "$output/row.config" >"$output/asked.config" || true
	not_granted "$output/asked.config" "$output/.config" >"$output/missing"
	[ ! -s "$output/missing" ] || { echo 'the configuration has not:'; cat "$output/missing"; return 1; }
	kbuild "$source" "$output" modules_prepare || return
	: >"$output/.kma-prepared"
}

# exports SOURCE: the names that the source exports, and those of its tracepoints
exports() {
	grep -rhoE --include='*.[chS]' \
		'EXPORT_(PER_CPU_|TRACEPOINT_)?SYMBOL(_GPL|_NS|_NS_GPL|_FOR_KVM|_FOR_MODULES|_NOKASAN)?\([a-zA-Z0-9_]+' "$1" |
		sed -E '
		s/^EXPORT_TRACEPOINT_SYMBOL[A-Z_]*\((.*)/__tracepoint_\1\n__traceiter_\1\n__SCK__tp_func_\1\n__SCT__tp_func_\1/
		s/^EXPORT[A-Z_]*\(//' | sort -u
	# made by the compiler, the linker, and a macro of kernel/params.c
	printf '%s\n' __fentry__ __this_module _mcount _GLOBAL_OFFSET_TABLE_ \
		param_{ops,get,set}_{byte,short,ushort,int,uint,long,ulong,ullong,hexint}
	# and by a macro of lib/atomic64.c, for machines without 64-bit atomics such as ARMv5
	! grep -q '^EXPORT_SYMBOL(generic_atomic64_##op);$' "$1/lib/atomic64.c" ||
		sed -nE 's/^ATOMIC64_OPS\(([a-z]+),.*/generic_atomic64_\1/p' "$1/lib/atomic64.c"
}

# What the compiler says with W=1 of headers of the kernel, whoever includes them: 5.10 without NUMA.
known_words='[/]include[/]linux[/]mmzone[.]h:[0-9:]+ warning: variable [^ ]*nid[^ ]* set but not used'

# The compiler's words without those, the lines before them that say where, and the lines of source
# behind them.
without_known() {
	LC_ALL=C awk -v known="$known_words" '
	/^In file included from |^ +from |: In function / { where = where $0 "\n"; skip = 0; next }
	$0 ~ known { where = ""; skip = 1; next }
	skip && /^ +([0-9]+ )?\|/ { next }
	{ printf "%s", where; print; where = ""; skip = 0 }
	END { printf "%s", where }'
}

# build KERNEL SOURCE NAME
build() {
	local kernel=$1 source=$2 name=$3 refusal='' word output=$base/$1-$3
	local -a row changes=()

	read -r -a row <<<"$(awk -v name="$name" '$1 == name' <<<"$configs")"
	arch=${row[1]} prefix=${row[2]}
	for word in "${row[@]:5}"; do
		case $word in
		=*)	refusal=${word#=} ;;
		*)	changes+=("$word") ;;
		esac
	done
	prepared "$source" "$output" "${row[4]}" ${changes[@]+"${changes[@]}"} >"$output.prepare" 2>&1 ||
		{ tail -n 5 "$output.prepare"; return 1; }
	rm -rf "$output.module"
	mkdir "$output.module"
	cp -r Kbuild module "$output.module/"
	if kbuild "$source" "$output" "M=$output.module" W=1 KBUILD_MODPOST_WARN=1 modules >"$output.words" 2>&1; then
		[ -z "$refusal" ] || { echo "it was built, though $refusal is missing"; return 1; }
	else
		[ -n "$refusal" ] || { grep -m 5 -E 'error|Error' "$output.words"; return 1; }
		grep -F -m 1 "$refusal" "$output.words"
		return
	fi
	# there is no list of the kernel's symbols: modpost reports all of them
	! without_known <"$output.words" |
		grep -vE 'modpost.*(undefined!|suppressed)|Module.symvers|Symbol info of vmlinux|Modules may not have|You may get many|You can set KBUILD_MODPOST_WARN|if you want to proceed' || return
	# and of those that macros export, no line has the name
	nm -u "$output.module/module/kmem_account.ko" | awk '{ print $2 }' | sort -u |
		grep -vE '^__(x86|sanitizer|cfi|kcfi|stack_chk|llvm)|^(arm64|riscv|s390)_|^__SCT__|^atomic64_.*_cx8$|^get_random_u32$' >"$output.needed"
	comm -23 "$output.needed" "$base/$kernel.exports" >"$output.unexported"
	[ ! -s "$output.unexported" ] || { echo 'needs symbols that are not exported:'; cat "$output.unexported"; return 1; }
	size "$output.module/module/kmem_account.ko" | tail -n 1
}

# no_compiler NAME: the compiler that the row needs and this machine lacks; fails if it is there
no_compiler() {
	local prefix compiler

	prefix=$(awk -v name="$1" '$1 == name { print $3 }' <<<"$configs")
	case $prefix in
	-)	return 1 ;;
	LLVM16)	newer_llvm >/dev/null && return 1
		echo 'no clang 16 or later (Debian 12: clang-16 lld-16 llvm-16)'
		return ;;
	LLVM)	compiler=clang ;;
	*)	compiler=${prefix}gcc ;;
	esac
	! command -v "$compiler" >/dev/null && echo "no $compiler; see scripts/setup.sh cross"
}

# version_of KERNEL: of what its rows depend on; newest is after all others
version_of() {
	case $1 in
	newest)	echo 99 ;;
	*/*)	awk '/^(VERSION|PATCHLEVEL) =/ { print $3 }' "$1/Makefile" | paste -sd. ;;
	*)	echo "$1" ;;
	esac
}

# reason KERNEL: why its source cannot be had; fails if it can
reason() {
	local status=0

	case $1 in */*) return 1 ;; esac
	tests/qemu/kernel.sh have "$1:source" >"$base/have" 2>&1 || status=$?
	[ "$status" -eq 69 ] && tail -n 1 "$base/have"
}

# in_order A B: version A is not after B
in_order() { [ "$(printf '%s\n' "$1" "$2" | sort -V | sed -n 1p)" = "$1" ]; }

tasks=()
for kernel; do
	version=$(version_of "$kernel")
	while read -r name _ _ from _; do
		[ -n "$name" ] || continue
		[ -z "${ROWS-}" ] || [[ " $ROWS " == *" $name "* ]] || continue
		case $from in
		-)	;;
		-*)	in_order "$version" "${from#-}" || continue ;;
		*)	in_order "$from" "$version" || continue ;;
		esac
		tasks+=("$name $kernel")
	done <<<"$configs"
done
ktap_plan ${#tasks[@]}
at=''
for task in "${tasks[@]}"; do
	read -r name kernel <<<"$task"
	if [ "$kernel" != "$at" ]; then
		at=$kernel key=$kernel why=$(reason "$kernel") || why=''
		if [ -z "$why" ]; then
			case $kernel in
			*/*)	source=$(realpath "$kernel") key=$(version_of "$kernel") ;;
			*)	source=$(tests/qemu/source.sh "$kernel") ;;
			esac
			exports "$source" >"$base/$key.unsorted"
			sort -u "$base/$key.unsorted" >"$base/$key.exports"
			# another source of the same name was unpacked
			[ "$(cat "$base/$key.source" 2>/dev/null)" = "$source" ] || rm -rf "$base/$key"-*
			echo "$source" >"$base/$key.source"
		fi
	fi
	[ -z "$why" ] || { ktap_skip "$key $name" "$why"; continue; }
	if lacks=$(no_compiler "$name"); then ktap_skip "$key $name" "$lacks"; continue; fi
	ktap "$key $name" build "$key" "$source" "$name"
done
ktap_end
