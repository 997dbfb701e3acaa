# SPDX-License-Identifier: Apache-2.0
#
# awk -f chi-square.awk A B: do the lines of both files come from one distribution?
# Chi-square of two samples, over cells that hold 20 or more together; the limit is
# exceeded once in some 100,000 (Wilson and Hilferty).
NR == FNR { a[$1]++; na++; next }
{ b[$1]++; nb++ }
END {
	for (k in a) keys[k] = 1
	for (k in b) keys[k] = 1
	ka = sqrt(nb / na); kb = sqrt(na / nb)
	for (k in keys) {
		n = a[k] + b[k]
		if (n < 20) { ra += a[k]; rb += b[k]; continue }
		x += (ka * a[k] - kb * b[k]) ^ 2 / n; cells++
	}
	if (ra + rb >= 20) { x += (ka * ra - kb * rb) ^ 2 / (ra + rb); cells++ }
	d = cells - 1
	limit = d > 0 ? d * (1 - 2 / (9 * d) + 4.27 * sqrt(2 / (9 * d))) ^ 3 : 0
	printf "%.1f of %.1f (%d cells)\n", x, limit, cells
	exit(x > limit)
}
