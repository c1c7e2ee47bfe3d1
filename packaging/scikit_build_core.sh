#!/bin/sh
# scikit_build_core.sh FOLDER: (an absolute path) unpacks scikit-build-core and what it needs in FOLDER, for PYTHONPATH.
#
# Debian 12 has it only among its backports, with a later python3-packaging. Unpacked here, nothing of the system changes, and no
# rights are needed. The mirror is the system's.
set -eu
folder=$1
[ ! -d "$folder/scikit_build_core" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/parts" "$work/lists/partial" "$work/cache/archives/partial" "$work/files"
cp -R /etc/apt/sources.list.d/. "$work/parts/" 2>/dev/null || true
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
set -- -o Dir::Etc::sourceparts="$work/parts" -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" \
    -o APT::Sandbox::User="$(id -un)"
apt-get "$@" update
# shellcheck disable=SC2016
mirror=$(apt-get "$@" indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' "Codename: $codename" | head -n 1)
if [ -z "$mirror" ]; then
    echo "scikit_build_core.sh: the system has no source of Debian $codename" >&2
    exit 1
fi
cat >"$work/parts/backports.sources" <<EOF
Types: deb
URIs: $mirror
Suites: $codename-backports
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
EOF
apt-get "$@" update
cd "$work/files"
apt-get "$@" --target-release "$codename-backports" download python3-scikit-build-core python3-packaging python3-pathspec \
    python3-pyproject-metadata
for file in *.deb; do
    dpkg-deb --extract "$file" "$work/root"
done
mkdir -p "$(dirname "$folder")"
rm -rf "$folder"
mv "$work/root/usr/lib/python3/dist-packages" "$folder"
