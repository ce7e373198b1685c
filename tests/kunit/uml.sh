#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the KUnit tests of the module in User Mode Linux: the kernel as a program, built
# from Debian's source with the module in it.  Prints KTAP.
#
#	uml.sh KERNEL		a key of tests/qemu/kernel.sh: 6.1
#
# UML has several CPUs and preemption where its source says so (6.19 and later); the
# fragment and the boot arguments are chosen by that, not by the key.
#
# The kernel is built once without the module, in the cache, in a folder that is named
# by everything it depends on: source package, configuration, compiler, recipe. The folder is
# a tree of links to the source that source.sh prints; only mm/ is its own, and build/. The
# module's sources are then copied into mm/kmem_account/, and the files that changed are
# compiled and linked. Checkouts use the same tree in turn, under a lock; the kernel that
# runs is a copy of the program, in $O/kunit/KERNEL with its log.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
# shellcheck source=tests/qemu/kconfig.sh
. "$top/tests/qemu/kconfig.sh"

# UML's kind	what the kernel is told besides the tests; the fragment is uml-KIND.config
kinds='
up	rcupdate.rcu_cpu_stall_timeout=300
smp	rcupdate.rcu_cpu_stall_timeout=300 ncpus=2 seccomp=on
'

# Counted up when the kernel is built in another way from the same configuration.
recipe=2
# What the tests may take in all: half a minute of CPU time, and much longer on a busy host.
seconds=3600

cache=$(cache_dir)/kernels
# the kernel's make is not to see what was typed for ours
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT
export ARCH=um

# uml_make TREE WORD...
uml_make() { make -s -C "$1" O="$1/build" -j"$(nproc)" "${@:2}"; }

# Sets source, kind, arguments, fragments and entry. The tests' own fragment is for the
# configuration with them alone, and not in the sum.
locate() {
	local sum

	source=$("$here/../qemu/source.sh" "$kernel")
	kind=up
	! grep -qx 'config SMP' "$source/arch/um/Kconfig" || kind=smp
	read -r -a arguments < <(awk -v kind="$kind" '$1 == kind { $1 = ""; print }' <<<"$kinds")
	fragments=("$here/uml.config" "$here/uml-$kind.config" "$top/module/test/.kunitconfig")
	sum=$({ gcc --version; echo "$recipe"; cat "${fragments[@]:0:2}"; } |
		sha256sum | cut -c 1-12)
	entry=${source##*/}
	entry=$cache/${entry%.tree}.uml.$sum
}

# link_tree TREE: make TREE, beside the source, a tree of relative links to it. The
# files of mm/ that name the module are copies.
link_tree() {
	local name=../${source##*/}

	mkdir "$1/build" "$1/mm" "$1/mm/kmem_account" &&
		find "$source" -mindepth 1 -maxdepth 1 ! -name mm -printf "$name/%f\0" |
		xargs -0 ln -s -t "$1" &&
		find "$source/mm" -mindepth 1 -maxdepth 1 ! -name Kconfig ! -name Makefile \
			-printf "../$name/mm/%f\0" | xargs -0 ln -s -t "$1/mm" &&
		cp "$source/mm/Kconfig" "$source/mm/Makefile" "$1/mm/" &&
		touch "$1/mm/kmem_account/Kconfig" "$1/mm/kmem_account/Kbuild" &&
		echo 'source "mm/kmem_account/Kconfig"' >>"$1/mm/Kconfig" &&
		echo 'obj-y += kmem_account/' >>"$1/mm/Makefile"
}

# The shell does not stop at an error by itself in a command that step runs. The module's
# options are not there yet.
make_kernel() {
	link_tree "$1" &&
		configure "$1" "$1/build" tinyconfig KMEM_ACCOUNT "${fragments[@]}" &&
		uml_make "$1" linux
}

# build NAME: make the tree $entry beside its place. The caller holds the lock of NAME.
build() {
	local tmp

	# no other process holds the lock: these are left by a run that was killed
	rm -rf "$cache/.build.$1".*
	tmp=$(mktemp -d "$cache/.build.$1.XXXXXX")
	# shellcheck disable=SC2064 # the directory of now
	trap "rm -rf '$tmp'" EXIT
	say "uml.sh: building $kernel for UML, which takes minutes"
	step "building $kernel for UML" make_kernel "$tmp" ||
		die "cannot build $kernel for UML: the end of the compiler's output is above;" \
			"it needs 500 MB of free disk space in ${tmp%/*}"
	mv -T "$tmp" "$entry"
	trap - EXIT
}

# Make $work/linux, the kernel with this module. kconfig runs only when its input has changed:
# it takes as long as the rest.
make_linux() {
	local asked=$entry/build/.kma_asked wanted

	sync_sources "$top/module" "$entry/mm/kmem_account" || return
	wanted=$(cat "${fragments[@]}" "$top/module/Kconfig" | sha256sum)
	if [ "$(cat "$asked" 2>/dev/null)" != "$wanted" ]; then
		rm -f "$asked"
		configure "$entry" "$entry/build" tinyconfig '' "${fragments[@]}" || return
		echo "$wanted" >"$asked"
	fi
	uml_make "$entry" linux || return
	cp "$entry/build/linux" "$work/linux"
}

# UML makes a terminal of what it reads from, and keeps its memory in TMPDIR.
run_linux() {
	(cd "$work" && TMPDIR=$work timeout -k 5 "$seconds" ./linux mem=512M console=tty \
		panic_on_warn=1 oops=panic kunit_shutdown=halt "${arguments[@]}" </dev/null >console 2>&1)
}

[ $# -eq 1 ] || die "usage: uml.sh KERNEL"
kernel=$1
work=${O:-$top/out}/kunit/$kernel
mkdir -p "$work" "$cache"
work=$(cd "$work" && pwd)
locate
# a kernel may have several keys: the lock is that of the package
name=$(basename "${entry%.*}")
exec 9>"$cache/.lock.$name"
flock -n 9 || { say "uml.sh: waiting for another build of $kernel for UML"; flock 9; }
[ -d "$entry" ] || build "$name"
step "the module in $kernel" make_linux || die "cannot build the module into $kernel"
exec 9>&-
status=0
run_linux || status=$?
"$here/results.sh" "$work/console" "$status"
