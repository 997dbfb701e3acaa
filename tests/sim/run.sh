#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The simulator over many small fleets and some large ones.
set -eu

sim=${abs_top_builddir:?}/tests/sim/sim
"$sim" --seeds 1-"${SIM_SEEDS:-30000}" --agents 30
"$sim" --seeds 1-"${SIM_SEEDS_LARGE:-300}" --agents 300-1000
