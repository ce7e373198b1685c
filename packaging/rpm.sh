#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build rpm packages of the current commit: the program, the recorder and the documents of the
# module as packages, and the module as a source package for akmods.
#
#	rpm.sh
#
# The results are in $O/rpm: RPMS/, SRPMS/ and the log of rpmlint. On a machine without an rpm
# database (Debian) the build dependencies cannot be checked: rpmbuild then gets --nodeps.
# D3=DIR names the modules of d3. Changes that are not committed are not in the packages.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"

out=${O:-$top/out}/rpm
version=$("$top/scripts/version.sh")
command -v rpmbuild >/dev/null || die "rpmbuild is missing; install it (Debian, Fedora: the package rpm or rpm-build)"
rm -rf "$out"
mkdir -p "$out"/{SOURCES,SPECS}
out=$(cd "$out" && pwd)
need_space "$out" 256 "name another directory with O=DIR"
"$top/scripts/dist.sh" "$out/SOURCES" >/dev/null
rm -f "$out"/SOURCES/*.sha256
for spec in kmem-account kmem-account-kmod; do
	sed "s/@VERSION@/$version/" "$top/packaging/$spec.spec.in" >"$out/SPECS/$spec.spec"
done
nodeps=()
[ -e /etc/fedora-release ] || [ -e /etc/redhat-release ] || [ -e /etc/SUSE-brand ] || nodeps=(--nodeps)

# build KIND SPEC: rpmbuild, whose log is $out/SPEC.log
build() {
	rpmbuild "$1" "${nodeps[@]}" --define "_topdir $out" ${D3:+--define "d3 $D3"} \
		"$out/SPECS/$2.spec" >"$out/$2.log" 2>&1 ||
		{ tail -n 20 "$out/$2.log"; die "$2: rpmbuild failed; see $out/$2.log"; }
}

build -ba kmem-account
build -bs kmem-account-kmod
if command -v rpmlint >/dev/null; then
	rpmlint "$out"/SPECS/*.spec "$out"/RPMS/*/*.rpm "$out"/SRPMS/*.rpm >"$out/rpmlint.log" 2>&1 || true
	tail -n 1 "$out/rpmlint.log"
fi
(cd "$out" && find RPMS SRPMS -name '*.rpm' | sort)
