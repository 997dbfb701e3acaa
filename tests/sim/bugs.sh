#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Plants one bug at a time into a copy of agent/run.c or of the drive and lets
# the simulator look for it. Each must be found, and the seed that found it must find it
# again. Needs SIM_CC (compiler with its flags) and the built libraries.
set -u

src=${abs_top_srcdir:?}
build=${abs_top_builddir:?}
cc=${SIM_CC:?}
seeds=${SIM_BUG_SEEDS:-60000}
work=$(mktemp -d "$build/tests/sim/bugs.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
bad=0

# Name, file, sed script.
bugs=(
	'start-without-go' agent/run.c
	's/act(step, RUN_ACT_WORKER_ARM);/&\n\t\tact(step, RUN_ACT_WORKER_GO);/'

	'agent-forgets-run-id' agent/run.c
	's/run->state != REPORT_NONE && run->run_id == order->run_id;/run->state != REPORT_NONE;/'

	'agent-forgets-ended-runs' agent/run.c
	's/if (has_ended(run, order->run_id)) {/if (false) {/'

	'go-while-not-armed' agent/run.c
	's/if (run->state == REPORT_ARMED && run->ending == REPORT_NONE) {/if (run->ending == REPORT_NONE) {/'

	'no-lease' agent/run.c
	's/return run->lease_until_ns && is_open(run)/return false \&\& is_open(run)/'

	'no-deadline-while-running' agent/run.c
	's/run->deadline_ns = run->start_ns + run->finish_timeout_ns;/run->deadline_ns = 0;/'

	'stopped-is-finished' agent/run.c
	's/become_final(step, run->ending, true);/become_final(step, run->go ? REPORT_FINISHED : run->ending, true);/'

	'abandon-never' agent/run.c
	's/if (run->worker_killed \&\& is_open(run))/if (false)/'

	'controller-forgets-run-id' controller/fleet/drive.c
	's/if (event->report->run_id != drive->config.run_id)/if (event->report->run_id == 0)/'

	'double-count-after-reconnect' controller/fleet/drive-phases.c
	's/return client->result_waits \&\& !client->has_result;/return client->result_waits;/'

	'go-before-all-are-armed' controller/fleet/drive-phases.c
	's/if (drive->clients\[i\].state != state)/if (i == 0 \&\& drive->clients[i].state != state)/'

	'go-for-an-old-t' controller/fleet/drive-phases.c
	's/client->state = REPORT_READY; .* not for this T .*/;/'

	'go-too-late' controller/fleet/drive-phases.c
	's/step->now > drive->deadline_ns ||/false ||/'

	'partial-result-is-ok' controller/fleet/drive.c
	's/client->outcome == CLIENT_PENDING \&\& client->state == REPORT_FINISHED) {/client->state != REPORT_NONE) {/'

	'running-has-no-deadline' controller/fleet/drive-phases.c
	's/drive->start_ns + drive->config.finish_timeout_ns + DRIVE_GRACE_NS);/0);/'

	'lost-connection-fails-at-once' controller/fleet/drive-phases.c
	's/return !client->connected \&\&/return !client->connected || false \&\&/'

	'what-time-decided-waits' controller/fleet/drive.c
	's/if (drive->phase == before)$/if (false)/'

	'release-is-forgotten' controller/fleet/drive-phases.c
	's/order(step, i, ORDER_RELEASE);/drive_act(step, DRIVE_ACT_SYNC, i);/'
)

build_bug()
{
	local file=$1 script=$2

	sed -e "$script" "$src/$file" >"$work/bug.c"
	if cmp -s "$src/$file" "$work/bug.c"; then
		echo "the patch does not apply to $file"
		return 1
	fi
	# shellcheck disable=SC2086 # a compiler with its flags
	$cc -w -D_GNU_SOURCE -I"$src" -o "$work/sim" "$work/bug.c" "$src/tests/sim/main.c" \
		"$build/tests/sim/libsim.a" "$build/agent/libagent.a" \
		"$build/controller/fleet/libfleet.a" \
		"$build/controller/attempt/libattempt.a" "$build/lib/work/libwork.a" \
		"$build/lib/stats/libstats.a" "$build/lib/base/libbase.a" -lm
}

for ((i = 0; i < ${#bugs[@]}; i += 3)); do
	name=${bugs[i]}
	if ! why=$(build_bug "${bugs[i + 1]}" "${bugs[i + 2]}" 2>&1); then
		printf 'FAIL %s: %s\n' "$name" "$why"
		bad=1
	elif found=$("$work/sim" --seeds "1-$seeds" --agents 30); then
		printf 'FAIL %s: not found in %s seeds\n' "$name" "$seeds"
		bad=1
	else
		seed=${found#seed }
		seed=${seed%%:*}
		if [ "$("$work/sim" --seed "$seed" --agents 30)" = "$found" ]; then
			printf 'PASS %s: %s\n' "$name" "${found%%$'\n'*}"
		else
			printf 'FAIL %s: seed %s does not repeat\n' "$name" "$seed"
			bad=1
		fi
	fi
done
exit "$bad"
