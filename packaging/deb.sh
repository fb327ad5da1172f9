#!/usr/bin/env bash
# Makes a Debian package of a static binary: deb.sh BINARY PACKAGE VERSION. Needs dpkg-deb.
set -euo pipefail
binary=$(realpath "$1") package=$2 version=$3
here=$(realpath "$(dirname "$0")")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
umask 022
chmod 755 "$root"

install -D -m 755 "$binary" "$root/usr/bin/ferz"
install -D -m 644 "$here/ferz.service" "$root/usr/lib/systemd/system/ferz.service"
doc=$root/usr/share/doc/ferz
mkdir -p "$doc" "$root/usr/share/man/man1" "$root/DEBIAN"
cp "$here/../formats/guide/operator.md" "$here/../formats"/*.md "$doc/"
cp "$here/copyright" "$doc/copyright"
gzip -9n <"$here/../CHANGELOG.md" >"$doc/changelog.gz"
"$binary" manual | gzip -9n >"$root/usr/share/man/man1/ferz.1.gz"
completions() { mkdir -p "$root/$(dirname "$2")" && "$binary" completions "$1" >"$root/$2"; }
completions bash usr/share/bash-completion/completions/ferz
completions zsh usr/share/zsh/vendor-completions/_ferz
completions fish usr/share/fish/vendor_completions.d/ferz.fish

cat >"$root/DEBIAN/control" <<END
Package: ferz
Version: $version
Section: games
Priority: optional
Architecture: amd64
Maintainer: The authors of ferz <ferz@localhost>
Installed-Size: $(du -sk "$root" | cut -f1)
Recommends: ca-certificates
Description: referee's desk for chess and its variants
 Reads game records of chess variants in the notation their players used,
 replays them by the exact rules, and says what happened and why: legality
 with the article, results, claims with evidence that others can check,
 conversion between notations, and an archive served over HTTP.
 .
 The service is not enabled by the package: systemctl enable --now ferz.
END
cat >"$root/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
END
cat >"$root/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl --no-reload disable --now ferz.service || true; fi
END
cp "$root/DEBIAN/postinst" "$root/DEBIAN/postrm"
chmod 755 "$root/DEBIAN/"{postinst,prerm,postrm}
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package: $(stat -c %s "$package") bytes"
