#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the KUnit tests of the module in User Mode Linux: the kernel as a program, built
# from Debian's source with the module in it.  Prints KTAP.
#
#	uml.sh KERNEL		a version that kernel.sh knows: 6.1 or 7.2
#
# The kernel without the module is built once, in the cache, in a folder that is named
# by all it depends on: source package, configuration, compiler, recipe.  The module's
# sources are then copied into its tree, as mm/kmem_account/, and what changed is
# compiled and linked.  Checkouts use the same tree in turn, under a lock; what runs
# is a copy of the program, in $O/kunit/KERNEL with its log.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"

# kernel	what it is told besides the tests
boot='
6.1
7.2	ncpus=2 seccomp=on
'

# Counted up when the kernel is built in another way from the same configuration.
recipe=1
seconds=900		# the tests may take, in all
# What a kernel without hardware needs no source of.
leave_out=('*.rst' '*.dts*' '*/drivers/gpu/*.[ch]' '*/drivers/net/*/*.[ch]'
	'*/drivers/media/*.[ch]' '*/sound/*.[ch]')

cache=$(cache_dir)/kernels
# the kernel's make is not to see what was typed for ours
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT

uml_make() { make -s -C "$1" ARCH=um -j"$(nproc)" "${@:2}"; }

# Sets kernel, arguments, fragments (files).
choose() {
	kernel=$1
	read -r -a arguments < <(awk -v key="$kernel" '
		$1 == key { $1 = ""; print; found = 1 } END { exit !found }' <<<"$boot") ||
		die "no KUnit for kernel $kernel; there are:" "$(awk '{ print $1 }' <<<"$boot" | xargs)"
	fragments=("$here/uml.config" "$here/uml-$kernel.config" "$top/module/test/.kunitconfig")
}

# Sets source and entry. The tests' own fragment is for the configuration with them
# alone, and not in the sum.
locate() {
	local sum

	source=$("$here/../qemu/kernel.sh" dir source "$kernel")
	sum=$({ gcc --version; echo "$recipe"; cat "${fragments[@]:0:2}"; } |
		sha256sum | cut -c 1-12)
	entry=${source##*/}
	entry=$cache/${entry%.source}.uml.$sum
}

# In tree $1. A line that kconfig has dropped is an option that was renamed, or lacks
# what it depends on; but $2 of them, which are not there yet, may be.
configure() {
	local missing line

	cat "${fragments[@]}" >"$1/.config"
	uml_make "$1" olddefconfig || return
	missing=$(cat "${fragments[@]}" | grep -E '^(# )?CONFIG_' | grep -v "${2:-^$}" |
		while read -r line; do
			grep -qxF -e "$line" "$1/.config" || echo "$line"
		done)
	[ -z "$missing" ] || { echo "not in the configuration of $kernel: $missing"; return 1; }
}

# The shell does not stop at an error by itself in what step runs.
make_kernel() {
	local tree=$1

	mkdir -p "$tree/mm" &&
		xz -dc -T0 "$source/linux-source.tar.xz" |
		tar -x -C "$tree" --strip-components=1 "${leave_out[@]/#/--exclude=}" &&
		mkdir "$tree/mm/kmem_account" &&
		touch "$tree/mm/kmem_account/Kconfig" "$tree/mm/kmem_account/Kbuild" &&
		echo 'source "mm/kmem_account/Kconfig"' >>"$tree/mm/Kconfig" &&
		echo 'obj-y += kmem_account/' >>"$tree/mm/Makefile" &&
		configure "$tree" KMEM_ACCOUNT &&
		uml_make "$tree" linux
}

# The tree of the kernel, built where it is not there; the lock is held.
build() {
	local tmp

	# we hold the lock: what lies here is of a run that was killed
	rm -rf "$cache/.build.uml-$kernel".*
	tmp=$(mktemp -d "$cache/.build.uml-$kernel.XXXXXX")
	# shellcheck disable=SC2064 # the directory of now
	trap "rm -rf '$tmp'" EXIT
	say "uml.sh: building $kernel for UML, a matter of minutes"
	step "building $kernel for UML" make_kernel "$tmp" || die "cannot build $kernel for UML"
	mv -T "$tmp" "$entry"
	trap - EXIT
}

# The kernel with this module, as $work/linux. Kconfig is asked only when there is
# something new to ask: it takes as long as the rest.
make_linux() {
	local asked=$entry/.kma_asked wanted

	sync_sources "$top/module" "$entry/mm/kmem_account"
	wanted=$(cat "${fragments[@]}" "$top/module/Kconfig" | sha256sum)
	if [ "$(cat "$asked" 2>/dev/null)" != "$wanted" ]; then
		rm -f "$asked"
		configure "$entry" || return
		echo "$wanted" >"$asked"
	fi
	uml_make "$entry" linux || return
	cp "$entry/linux" "$work/linux"
}

# UML makes a terminal of what it reads from, and keeps its memory in TMPDIR.
run_linux() {
	(cd "$work" && TMPDIR=$work timeout -k 5 "$seconds" ./linux mem=512M console=tty \
		panic_on_warn=1 oops=panic kunit_shutdown=halt "${arguments[@]}" </dev/null >console 2>&1)
}

[ $# -eq 1 ] || die "usage: uml.sh KERNEL"
choose "$1"
work=${O:-$top/out}/kunit/$kernel
mkdir -p "$work" "$cache"
work=$(cd "$work" && pwd)
locate
exec 9>"$cache/.lock.uml-$kernel"
flock -n 9 || { say "uml.sh: waiting for another build of $kernel for UML"; flock 9; }
[ -d "$entry" ] || build
step "the module in $kernel" make_linux || die "cannot build the module into $kernel"
exec 9>&-
status=0
run_linux || status=$?
"$here/results.sh" "$work/console" "$status"
