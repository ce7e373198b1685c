#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Libraries that the program loads when it needs them: the program is not linked with them, a command that
# needs one that is missing or another says so in one sentence, and all other commands work.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
small=$data/small.account
cd "$work"

# The dynamic loader finds these files first: no library, and a library without a function.
mkdir none empty
touch none/lib{cairo.so.2,microhttpd.so.12,gnutls.so.30,curl-gnutls.so.4,curl.so.4}
echo | ${CC:-gcc} -shared -x c -o other.so -
for file in none/*; do cp other.so "empty/${file##*/}"; done

loaded='lib(cairo|microhttpd|gnutls|curl)'

not_linked() {
	readelf -d "$program" >dynamic
	grep -q 'NEEDED.*libc\.so' dynamic && ! grep -E "NEEDED.*$loaded" dynamic
}

# refused DIRECTORY REASON ARGUMENT...: status 1, one sentence, no file
refused() {
	local directory=$1 reason=$2 status=0
	shift 2

	rm -rf out
	mkdir out
	LD_LIBRARY_PATH=$work/$directory timeout 60 "$program" "$@" >stdout 2>stderr || status=$?
	cat stderr
	[ "$status" = 1 ] && [ ! -s stdout ] && [ -z "$(ls out)" ] && [ "$(wc -l <stderr)" = 1 ] &&
		grep -qE "^kmem-account: (serve: )?$reason" stderr
}

missing() {
	local name=$1 file=$2 packages=$3 function=$4
	shift 4

	refused none "cannot load $name: .*$file.*; install $packages\$" "$@" &&
		refused empty "$name lacks the function $function\$" "$@"
}

# what needs none of them
others() {
	mkdir -p out
	LD_LIBRARY_PATH=$work/none "$program" report "$small" --by caller >table &&
		"$program" report "$small" --by caller | cmp - table &&
		LD_LIBRARY_PATH=$work/none "$program" rings "$small" -r out/a.svg &&
		"$program" rings "$small" -r out/b.svg && cmp out/a.svg out/b.svg || return
	LD_LIBRARY_PATH=$work/none "$program" --version >version
	cat version
	[ "$(sed 's/cairo .*/cairo missing)/' <("$program" --version))" = "$(cat version)" ] &&
		"$program" --version | grep -qE 'cairo [0-9.]+\)$'
}

ktap_plan 6
ktap "the program is linked with none of them" not_linked
ktap "a picture as PNG without cairo" missing cairo libcairo.so.2 'libcairo2 or cairo' cairo_arc \
	rings "$small" -r out/x.png
ktap "a picture as PDF without cairo" missing cairo libcairo.so.2 'libcairo2 or cairo' cairo_arc \
	rings "$small" -r out/x.pdf
ktap "a server without libmicrohttpd" missing libmicrohttpd libmicrohttpd.so.12 'libmicrohttpd12 or libmicrohttpd' \
	MHD_add_response_header serve --web.listen-address unix:out/socket "$small"
ktap "a question to a Prometheus without libcurl" missing libcurl 'libcurl(-gnutls)?.so.4' \
	'libcurl3-gnutls or libcurl' curl_easy_init leaks --prometheus http://127.0.0.1:1
ktap "reports, SVG and the version without all of them" others
ktap_end
