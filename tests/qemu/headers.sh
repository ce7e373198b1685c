#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# From a kernel's packages of headers to a tree in which this machine builds modules; sourced by
# kernel.sh, never run. host, machine, release and cache are kernel.sh's.
# shellcheck disable=SC2154

finish_headers() {
	local src=$1/root/usr/src compiler
	local build=$src/linux-headers-$release

	unpack_all "$1"
	# shellcheck disable=SC2016 # make expands it
	sed -i -e 's#^include /usr/src/#include $(dir $(lastword $(MAKEFILE_LIST)))../#' \
		-e 's#/usr/src/#$(abspath $(dir $(lastword $(MAKEFILE_LIST)))..)/#' "$build/Makefile"
	! grep -q '/usr/src/' "$build/Makefile" ||
		die "linux-headers-$release has absolute paths that are not understood"
	ln -s "usr/src/linux-headers-$release" "$1/root/build"
	# with it kbuild makes BTF, for which this machine's pahole, if any, is too old
	rm -f "$build/vmlinux"
	compiler=$(sed -n 's/.*\<\(gcc-[0-9]*\).*/\1/p' "$build/.kernelvariables" | sed -n 1p)
	[ -z "$compiler" ] || command -v "$compiler" >/dev/null || make_cc "$1/root/cc"
	[ ! -e "$(echo "$1"/linux-source-*.deb)" ] || make_tools "$1" "$build"
}

# In place of the compiler that the headers ask for: the machine's own, without
# what it does not know and does not change what a module looks like. kbuild exports the prefix of
# the tools of another machine to what it compiles, but not to its questions about the compiler's
# options.
make_cc() {
	local prefix=

	[ "$machine" = "$host" ] || prefix=$(machine_get machine "$machine" tools)
	sed "s/@PREFIX@/$prefix/" >"$1" <<-'EOT'
		#!/bin/bash
		args=(-Wno-attributes)
		for arg in "$@"; do
			case $arg in
			-fmin-function-alignment=*)	args+=("-falign-functions=${arg#*=}") ;;
			*)				args+=("$arg") ;;
			esac
		done
		exec "${CROSS_COMPILE-@PREFIX@}gcc" "${args[@]}"
	EOT
	chmod +x "$1"
}

# The host tools of the headers in $1, made from the kernel's source.  The module
# keeps the package's configuration and headers.
make_tools() {
	local kbuild tool other

	kbuild=$(echo "$1"/root/usr/lib/linux-kbuild-*)
	# those of another flavour are the same
	for other in "$cache/kernels"/*.headers/usr/lib/"${kbuild##*/}"; do
		[ -d "$other" ] || continue
		say "kernel.sh: the host tools of $release are there already"
		cp -a "$other/." "$kbuild/"
		return
	done
	say "kernel.sh: making the host tools of $release"
	mkdir -p "$1/source" "$1/tools"
	packed_source "$1" | xz -dc |
		tar -x -C "$1/source" --strip-components=1 --exclude='*/drivers/*.[ch]' \
			--exclude='*.rst' --exclude='*/sound/*.[ch]' --exclude='*.dts*'
	cp "$2/.config" "$1/tools/.config"
	CROSS_COMPILE='' make -s -j"$(nproc)" -C "$1/source" O="$(realpath "$1/tools")" CC="$(realpath "$1/root/cc")" \
		olddefconfig modules_prepare >"$1/tools.log" 2>&1 || { tail -n 20 "$1/tools.log" >&2; return 1; }
	for tool in scripts/mod/modpost scripts/basic/fixdep tools/objtool/objtool; do
		cp "$1/tools/$tool" "$kbuild/$tool"
	done
}
