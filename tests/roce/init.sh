#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The first process of a guest: mounts what every Linux has, takes the folder that it
# shares with its host, runs one test script and leaves its exit status there.
# VOLLEY_TEST and VOLLEY_GUEST come from the kernel's command line.

export PATH=/bin HOME=/root TERM=dumb
export GUEST=$VOLLEY_GUEST OUT=/out

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
ln -sf /proc/self/fd /dev/fd
mkdir -p /dev/shm
mount -t tmpfs shm /dev/shm
mount -t tmpfs run /run
mount -t tmpfs -o size=75% srv /srv
mkdir -p /run/nfs
hostname "guest-$GUEST"
ip link set lo up
ulimit -l unlimited

modprobe -a virtio_pci 9pnet_virtio 9p
if mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 out /out; then
	: >"/out/up-$GUEST"
	bash "/guest/$VOLLEY_TEST" </dev/null 2>&1
	echo $? >"/out/status-$GUEST"
	umount /out
fi
sync
poweroff -f
