#!/bin/sh
# static_hdf5.sh FOLDER: (an absolute path) builds HDF5 as a static library that a Python module can contain, in FOLDER/prefix.
#
# Debian's archive libhdf5.a is not position-independent, and its shared library needs libcurl and what that needs. So the
# source package of Debian is compiled again, without the filters and drivers that beadwave's files never use.
set -eu
folder=$1
[ ! -e "$folder/prefix/lib/libhdf5.a" ] || exit 0
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/build"
cd "$folder"
# The sources of the system, also where its lists have no deb-src.
{
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list 2>/dev/null || true
} >one_line.list
for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file"
    echo
done >deb822.sources
list=one_line.list
[ -s "$list" ] || list=deb822.sources
set -- -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o Dir::Etc::sourcelist="$folder/$list" \
    -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root
apt-get "$@" update
apt-get "$@" source --download-only hdf5
tar --extract --one-top-level=source --strip-components=1 --file hdf5_*.orig.tar.*
cd build # a check of HDF5 writes into the present folder
cmake ../source -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DBUILD_TESTING=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF \
    -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=OFF -DHDF5_ENABLE_SZIP_SUPPORT=OFF \
    -DCMAKE_INSTALL_PREFIX="$folder/prefix"
cmake --build . --parallel "$(nproc)"
cmake --install .
