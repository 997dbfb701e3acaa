# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What test scripts do inside a guest; README.md lists it.

ADDR=10.1.0.$GUEST		# ours
PEER=10.1.0.$((3 - GUEST))	# the other guest, or the other end of the wire
HW=/sys/class/infiniband
AGENTS=()
KEYS=(--key /run/poc.key --known-agents /run/known_agents)

say() {
	echo "== $*"
}

fail() {
	local log
	for log in "$OUT"/*.log "$OUT"/*.err; do
		[ -s "$log" ] || continue
		echo "---- ${log##*/}"
		tail -n 15 "$log"
	done
	dmesg | grep -aE 'segfault|trap |BUG|Oops|WARNING' | tail -n 5
	echo "FAIL: $*"
	exit 1
}

skip() {
	echo "SKIP: $*"
	exit 77
}

pause() {
	read -r -t "$1" _ <> <(:) || :
}

# until_true SECONDS COMMAND...
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		pause 0.1
	done
}

expect() {
	[ "$2" = "$3" ] || fail "$1 is '$2' instead of '$3'"
}

# ---- networks

rdma_up() {
	modprobe -a rdma_rxe rdma_ucm ib_uverbs || fail "no RDMA modules"
}

# wire [sick]: v0 (10.1.0.1, rxe0) and v1 (10.1.0.2, rxe1), two ends of one cable; what
# goes from one address to the other really takes it. Soft-RoCE cannot cope with packets
# out of order, and one receive queue served by two CPUs makes them: "sick" leaves that.
wire() {
	local end
	rdma_up
	modprobe veth
	ip link add v0 type veth peer name v1
	for end in v0 v1; do
		echo 1 >"/proc/sys/net/ipv6/conf/$end/disable_ipv6"
		echo 1 >"/proc/sys/net/ipv4/conf/$end/accept_local"
		echo 0 >"/proc/sys/net/ipv4/conf/$end/rp_filter"
		echo 1 >"/proc/sys/net/ipv4/conf/$end/arp_ignore"
		ip link set "$end" mtu 4500
		[ "${1-}" = sick ] || echo 1 >"/sys/class/net/$end/queues/rx-0/rps_cpus"
	done
	ip addr add 10.1.0.1/32 dev v0
	ip addr add 10.1.0.2/32 dev v1
	ip link set v0 up
	ip link set v1 up
	# The table of local addresses comes last, but for what arrives by the wire.
	ip route add 10.1.0.2 dev v0 src 10.1.0.1 table 100
	ip route add 10.1.0.1 dev v1 src 10.1.0.2 table 100
	ip rule add pref 1 iif v0 lookup local
	ip rule add pref 1 iif v1 lookup local
	ip rule add pref 2 lookup 100
	ip rule add pref 3 lookup local
	ip rule del pref 0
	rdma link add rxe0 type rxe netdev v0 || fail "no rxe0"
	rdma link add rxe1 type rxe netdev v1 || fail "no rxe1"
}

# cable: eth0 to the other guest, with rxe0
cable() {
	rdma_up
	modprobe virtio_net
	ip link set eth0 mtu 4500
	ip addr add "$ADDR/24" dev eth0
	ip link set eth0 up
	rdma link add rxe0 type rxe netdev eth0 || fail "no rxe0"
}

# hw DEVICE COUNTER
hw() {
	cat "$HW/$1/ports/1/hw_counters/$2"
}

# meet WORD: waits until the other guest has come to the same point; fails when it ended.
meet() {
	local other=$((3 - GUEST))
	: >"$OUT/$1-$GUEST"
	until_true 600 eval "[ -e '$OUT/$1-$other' ] || [ -e '$OUT/status-$other' ]"
	[ -e "$OUT/$1-$other" ] || fail "the other guest did not come to '$1'"
}

# ---- storages

# nfs_server: /srv at all addresses, by NFS 4.2 over TCP and RDMA
nfs_server() {
	modprobe -a sunrpc nfsd rpcrdma || fail "no NFS modules"
	: >/var/lib/nfs/etab
	: >/var/lib/nfs/rmtab
	mount -t nfsd nfsd /proc/fs/nfsd
	echo '/srv 10.1.0.0/24(rw,async,no_subtree_check,no_root_squash,insecure,fsid=0)' \
		>/etc/exports
	exportfs -ra || fail "no export"
	rpc.mountd -N 3 -V 4
	rpc.nfsd -N 3 -V 4 -t --rdma=20049 4 2>/dev/null
	grep -q rdma /proc/fs/nfsd/portlist || echo "rdma 20049" >/proc/fs/nfsd/portlist
	echo Y >/proc/fs/nfsd/v4_end_grace
}

# nfs_mount tcp|rdma FOLDER [SERVER]. A client that goes by one name reuses the transport
# of its first mount for all of a server's, whatever the mount says; under a name for each
# transport they are two clients.
nfs_mount() {
	local options=proto=tcp
	[ "$1" != rdma ] || options=proto=rdma,port=20049
	modprobe -a nfs nfsv4
	mkdir -p "$2"
	echo "$1" >/sys/fs/nfs/net/nfs_client/identifier
	timeout 60 mount.nfs "${3:-10.1.0.2}:/" "$2" -o "vers=4.2,$options" ||
		fail "cannot mount over $1"
}

# nfs_transport FOLDER: what the kernel says that the mount uses
nfs_transport() {
	awk -v at="$1" '$3 == "mounted" { here = $5 == at }
		here && $1 == "xprt:" { print $2; exit }' /proc/self/mountstats
}

# nvme_target DEVICE: over both transports at 10.1.0.2, under NQNs "tcp" and "rdma"
nvme_target() {
	local at=/sys/kernel/config/nvmet kind port=4419
	modprobe -a nvmet nvmet_tcp nvmet_rdma || fail "no NVMe target"
	mount -t configfs configfs /sys/kernel/config 2>/dev/null
	for kind in tcp rdma; do
		port=$((port + 1))
		mkdir -p "$at/subsystems/$kind/namespaces/1" "$at/ports/$port"
		echo 1 >"$at/subsystems/$kind/attr_allow_any_host"
		echo "$1" >"$at/subsystems/$kind/namespaces/1/device_path"
		echo 1 >"$at/subsystems/$kind/namespaces/1/enable"
		echo ipv4 >"$at/ports/$port/addr_adrfam"
		echo "$kind" >"$at/ports/$port/addr_trtype"
		echo 10.1.0.2 >"$at/ports/$port/addr_traddr"
		echo "$port" >"$at/ports/$port/addr_trsvcid"
		ln -s "$at/subsystems/$kind" "$at/ports/$port/subsystems/$kind" ||
			fail "no NVMe port for $kind"
	done
}

# nvme_connect tcp|rdma: prints the block device
nvme_connect() {
	local port=4420 answer device
	[ "$1" != rdma ] || port=4421
	modprobe -a nvme_fabrics "nvme_$1"
	answer=$({
		echo "transport=$1,traddr=10.1.0.2,trsvcid=$port,nqn=$1,hostnqn=$1" >&5
		cat <&5
	} 5<>/dev/nvme-fabrics) || return 1
	device=nvme${answer#*instance=}
	device=${device%%,*}n1
	until_true 20 test -b "/dev/$device" || return 1
	echo "/dev/$device"
}

# ---- volley

# agent NAME ADDRESS:PORT [OPTION...]
agent() {
	local name=$1 at=$2 ready
	shift 2
	[ -e /run/poc.pub ] || volley key new /run/poc >/dev/null || fail "no key"
	ready=/run/ready-$name
	mkfifo "$ready"
	volleyd --listen "$at" --trust /run/poc.pub --key "/run/$name.key" --name "$name" \
		"$@" --ready-fd 9 9>"$ready" 2>>"$OUT/$name.log" &
	AGENTS+=($!)
	read -r -t 30 _ <>"$ready" || fail "agent $name did not start"
}

agents_down() {
	kill "${AGENTS[@]}"
	wait "${AGENTS[@]}"
	AGENTS=()
}

# volley_do STATUS NAME ARGUMENT...: its output goes to $OUT/NAME.out and NAME.err;
# what talks to agents wants "${KEYS[@]}".
volley_do() {
	local want=$1 name=$2 status=0
	shift 2
	volley "$@" >"$OUT/$name.out" 2>"$OUT/$name.err" || status=$?
	[ "$status" -eq "$want" ] || fail "volley $1 ($name): status $status, not $want"
}

# run_plan STATUS NAME AGENTS [OPTION...] <PLAN: results in $OUT/NAME.json and NAME.db
run_plan() {
	local want=$1 name=$2 agents=$3
	shift 3
	cat >"$OUT/$name.yaml"
	volley_do "$want" "$name" run "$OUT/$name.yaml" --agents "$agents" \
		"${KEYS[@]}" --db "/run/$name.db" -o json "$@"
	mv "$OUT/$name.out" "$OUT/$name.json"
	cp "/run/$name.db" "$OUT/"
}

# json NAME FILTER: of a run's results
json() {
	jq -r "$2" "$OUT/$1.json"
}
