# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Statistics of a handful of ratios, one a line on stdin.

# Prints "MEDIAN LOW HIGH": the interval in which the typical ratio lies with 95 %
# confidence, by Student's t of the logarithms (ratios multiply).
stats_interval() {
	sort -g | awk '
		BEGIN {split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262", t, " ")}
		{x[NR] = $1; sum += log($1); squares += log($1) ^ 2}
		END {
			if (NR == 0)
				exit 1
			median = NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2
			if (NR == 1) {
				printf "%.3g 0 inf\n", median
				exit
			}
			mean = sum / NR
			variance = (squares - NR * mean ^ 2) / (NR - 1)
			half = (NR - 1 in t ? t[NR - 1] : 2) * sqrt((variance > 0 ? variance : 0) / NR)
			printf "%.4g %.4g %.4g\n", median, exp(mean - half), exp(mean + half)
		}'
}
