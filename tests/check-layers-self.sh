#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check-layers.sh finds each kind of violation in a tree that has just that one, and
# nothing in a tree without any.
set -u

check=${abs_top_srcdir:-$(dirname "$0")/..}/tests/check-layers.sh
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
failed=0

# plant FILE LINE...: an otherwise empty tree with one file in it
plant()
{
	rm -rf "${tree:?}"/*
	mkdir -p "$tree"/{lib,agent,controller,tests} "$tree/$(dirname "$1")"
	printf '%s\n' "${@:2}" >"$tree/$1"
}

good()
{
	plant "$@"
	bash "$check" "$tree" >/dev/null && return
	echo "FAIL: complained about $1: ${*:2}"
	failed=1
}

# bad REASON FILE LINE...: the complaint names the file and says REASON
bad()
{
	local out
	plant "${@:2}"
	if out=$(bash "$check" "$tree"); then
		echo "FAIL: not found in $2: ${*:3}"
		failed=1
	elif [[ $out != "$2:"*"$1"* ]]; then
		echo "FAIL: wrong complaint for $2: $out"
		failed=1
	fi
}

# 1: direction
bad 'may not include' lib/base/a.c '#include "lib/stats/hist.h"'
bad 'may not include' lib/stats/a.c '#include "lib/work/job.h"'
bad 'may not include' lib/work/a.c '#include "lib/wire/conv-job.h"'
bad 'may not include' lib/rpc/a.c '#include "lib/wire/conv-job.h"'
bad 'may not include' lib/wire/a.c '#include "agent/run.h"'
bad 'may not include' agent/a.c '#include "controller/cli.h"'
bad 'may not include' controller/fleet/a.h '  #  include "agent/run.h"'
good lib/wire/a.c '#include "lib/stats/hist.h"' '#include "lib/work/job.h"'
good agent/worker/a.c '#include "agent/engine/engine.h"' '#include "lib/rpc/chan.h"'
# 2: generated headers
bad 'belongs to' controller/fleet/a.c '#include "proto/hello.pb-c.h"'
good lib/rpc/a.c '#include "proto/hello.pb-c.h"'
# 3: private libraries
bad 'belongs to' agent/run.c '#include <event2/event.h>'
bad 'belongs to' lib/base/a.c '#include <event2/event.h>'
bad 'belongs to' agent/engine/psync.c '#include <infiniband/verbs.h>'
bad 'belongs to' controller/report/a.c '#include <sqlite3.h>'
good agent/agentd.c '#include <event2/event.h>'
good agent/engine/net-rdma.c '#include <rdma/rdma_cma.h>'
good controller/store/db.c '#include <sqlite3.h>'
# 4: engines
bad 'an engine' agent/engine/psync.c '#include "lib/base/log.h"'
bad 'may not include' agent/engine/psync.c '#include "lib/stats/hist.h"'
bad 'may not include' agent/engine/psync.c '#include "lib/rpc/chan.h"'
good agent/engine/engine.h '#include "lib/stats/dir.h"'
good agent/engine/psync.c '#include "lib/base/err.h"' '#include <unistd.h>'
# 5: pure code
bad 'pure code' lib/stats/hist.c '#include <pthread.h>'
bad 'pure code' controller/plan/plan.c '#include <sys/socket.h>'
bad 'pure code' controller/fleet/drive.c '#include "lib/base/clock.h"'
bad 'pure code' agent/run.c '	now = time(NULL);'
bad 'pure code' controller/expand/order.c '	x = rand();'
good lib/stats/meter.c '#include <stdatomic.h>'
good controller/report/text.c '	gmtime_r(&t, &tm);' '	log("time(");' ' * a time (s)'
good lib/work/pace.c '	pace->time(1);' '	run_time(2);'
# 6: written from the root
bad 'from the root' lib/base/err.c '#include "err.h"'
bad 'leaves its folder' agent/a.c '#include "../lib/base/err.h"'

[ "$failed" -ne 0 ] || echo "every planted violation is found"
exit "$failed"
