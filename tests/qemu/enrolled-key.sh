#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The key and the certificate that the firmware of Debian's package ovmf has enrolled for tests
# (OVMF_VARS_4M.snakeoil.fd): PREFIX.pem (the key, without its passphrase), PREFIX.crt, and
# PREFIX.der (the certificate, as sign-file wants it).
#
#	enrolled-key.sh PREFIX
set -euo pipefail

dir=/usr/share/ovmf
openssl rsa -in "$dir/PkKek-1-snakeoil.key" -passin pass:snakeoil -out "$1.pem" 2>/dev/null
cp "$dir/PkKek-1-snakeoil.pem" "$1.crt"
openssl x509 -in "$1.crt" -outform DER -out "$1.der"
