#!/usr/bin/env bash
# Builds the image where there is no Docker engine and no registry of images: buildah in a chroot, on a base made of
# Debian's own packages and the Node that is installed here. As root on Debian, with buildah and debootstrap.
#   docker/build-without-engine.sh FOLDER    keeps images in FOLDER, and names this one localhost/waypost
set -euo pipefail
cd "$(dirname "$0")/.."
folder="$(realpath "$1")"

export BUILDAH_ISOLATION=chroot
storage=(--root "$folder/images" --runroot "$folder/run" --storage-driver vfs)
base='localhost/node:20-bookworm-slim'

if ! buildah "${storage[@]}" inspect --type image "$base" >/dev/null 2>&1; then
  debootstrap --variant=minbase --include=ca-certificates bookworm "$folder/debian" >"$folder/debootstrap.log" ||
    { tail -n 20 "$folder/debootstrap.log" >&2; exit 1; }
  node="$(realpath "$(command -v node)")"
  modules="$(realpath "$(dirname "$node")/../lib/node_modules")"
  install -D "$node" "$folder/debian/usr/local/bin/node"
  mkdir -p "$folder/debian/usr/local/lib/node_modules"
  cp -a "$modules/npm" "$folder/debian/usr/local/lib/node_modules/"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder/debian/usr/local/bin/npm"
  chroot "$folder/debian" useradd --uid 1000 --create-home node
  rm -rf "$folder"/debian/var/cache/apt/archives/*.deb "$folder"/debian/var/lib/apt/lists/*
  container="$(buildah "${storage[@]}" from scratch)"
  buildah "${storage[@]}" add --quiet "$container" "$folder/debian" / >/dev/null
  buildah "${storage[@]}" commit --quiet --rm "$container" "$base" >/dev/null
  rm -rf "$folder/debian"
fi

# What npm has fetched already is not fetched again; its settings and the authorities that are trusted here hold inside.
cache="$(npm config get cache 2>/dev/null)"
mkdir -p "$cache"
authorities=/etc/ssl/certs/ca-certificates.crt
{
  cat "$(npm config get userconfig 2>/dev/null)" 2>/dev/null || true
  printf '\ncafile=%s\n' "$authorities"
} >"$folder/npmrc"
buildah "${storage[@]}" build --format docker --layers=false --pull-never \
  --build-arg BASE="$base" --ulimit nofile="$(ulimit -Hn):$(ulimit -Hn)" \
  --volume "$cache:/root/.npm" --volume "$folder/npmrc:/root/.npmrc:ro" --volume "$authorities:$authorities:ro" \
  --file docker/Dockerfile --tag localhost/waypost .
