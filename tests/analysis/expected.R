#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
#
# Regenerates tests/analysis/expected.h: reference values for lib/stats, computed by R
# (Debian: r-base-core). The tests read the committed file and need no R.
#
#     Rscript tests/analysis/expected.R > tests/analysis/expected.h

x3 <- c(10.1, 10.4, 9.7)
y3 <- c(9.2, 9.6, 8.9)
x5 <- c(43.1, 42.2, 44.0, 43.6, 41.9)
y5 <- c(40.3, 41.7, 39.8, 42.4, 40.9)
x8 <- c(812, 790, 845, 801, 779, 833, 820, 808)
y6 <- c(850, 861, 838, 872, 829, 844)
tied_x <- c(5, 5, 6, 7, 7)
tied_y <- c(6, 7, 8, 8, 9, 5)
p <- c(0.012, 0.2, 0.0004, 0.03, 0.03, 0.9)
clients <- c(1, 2, 4, 8, 16, 30)
rising <- c(9.8, 18.9, 34.1, 52.0, 60.5, 52.3)
flat <- c(5.1, 9.9, 20.3, 39.2, 46.2, 45.8)

number <- function(v) sub("NaN|NA", "NAN", trimws(formatC(v, digits = 17, format = "g")))
array <- function(name, v)
	cat(strwrap(sprintf("static const double %s[] = {%s};", name,
		paste(number(v), collapse = ", ")), width = 88, exdent = 4), sep = "\n")

cat("/* SPDX-License-Identifier: Apache-2.0 */\n")
cat("/* Reference values by R, written by tests/analysis/expected.R. */\n")
cat("#ifndef VOLLEY_TESTS_EXPECTED_H\n#define VOLLEY_TESTS_EXPECTED_H\n\n")
for (name in c("x3", "y3", "x5", "y5", "x8", "y6", "tied_x", "tied_y", "clients",
	"rising", "flat"))
	array(paste0("r_", name), get(name))

cat("\n/* t quantile: p, df, t; cdf: t, df, p */\n")
for (df in c(1, 2, 3.7, 8, 120))
	array(sprintf("r_qt_%g", df * 10), qt(c(0.6, 0.9, 0.975, 0.999), df))
array("r_pt_5", pt(c(-4, -1, 0, 0.3, 2.5), 5))
array("r_pbeta", c(pbeta(0.2, 2, 3), pbeta(0.9, 0.5, 7), pbeta(0.5, 30, 28)))

interval <- function(name, t, estimate)
	array(name, c(estimate, t$conf.int[1], t$conf.int[2], t$parameter, t$p.value))
cat("\n/* estimate, low, high, df, p */\n")
for (n in c("3", "5")) {
	x <- get(paste0("x", n)); y <- get(paste0("y", n))
	t <- t.test(log(y), log(x), paired = TRUE)
	interval(paste0("r_paired_", n), t, mean(log(y) - log(x)))
	t <- t.test(log(y), log(x))
	interval(paste0("r_welch_", n), t, mean(log(y)) - mean(log(x)))
}
t <- t.test(y6, x8)
interval("r_welch_68", t, mean(y6) - mean(x8))
t <- t.test(y6, x8, conf.level = 0.99)
interval("r_welch_68_99", t, mean(y6) - mean(x8))

cat("\n/* Hodges-Lehmann */\n")
walsh <- function(d) {
	m <- outer(d, d, "+") / 2
	median(m[upper.tri(m, diag = TRUE)])
}
array("r_hl", c(median(outer(y3, x3, "-")), median(outer(y5, x5, "-")),
	median(outer(y6, x8, "-"))))
array("r_hl_paired", c(walsh(y3 - x3), walsh(y5 - x5)))

cat("\n/* Mann-Whitney, two-sided, exact; with ties by enumeration */\n")
by_hand <- function(x, y) {
	r <- rank(c(x, y)); n <- length(x)
	sums <- combn(length(r), n, function(i) sum(r[i]))
	w <- sum(r[1:n])
	min(1, 2 * min(mean(sums <= w + 1e-9), mean(sums >= w - 1e-9)))
}
array("r_mann_whitney", c(wilcox.test(x3, y3, exact = TRUE)$p.value,
	wilcox.test(x5, y5, exact = TRUE)$p.value,
	wilcox.test(x8, y6, exact = TRUE)$p.value, by_hand(tied_x, tied_y)))

cat("\n/* Holm; spread; slope and its p; power of t tests */\n")
array("r_p", p)
array("r_holm", p.adjust(p, "holm"))
array("r_spread", c(sd(x8) / mean(x8), median(x8), mad(x8), sum(x8)^2 / (8 * sum(x8^2)),
	sqrt((sum((x8 - mean(x8))^2) + sum((y6 - mean(y6))^2)) / 12)))
line <- summary(lm(x8 ~ seq_along(x8)))$coefficients
array("r_slope", c(line[2, 1], line[2, 4]))
detect <- function(n, type)
	power.t.test(n = n, sd = 1, power = 0.8, type = type, strict = TRUE,
		tol = 1e-12)$delta
array("r_detect_paired", sapply(c(3, 5, 8), detect, type = "paired"))
array("r_detect", sapply(c(3, 5, 8), detect, type = "two.sample"))

cat("\n/* Scalability law: lambda, sigma, kappa; weighted linear fit of n / T */\n")
law <- function(n, t) {
	fits <- list(n / t ~ I(n - 1) + I(n * (n - 1)), n / t ~ I(n - 1),
		n / t ~ I(n * (n - 1)))
	best <- NULL
	for (f in fits) {
		m <- lm(f, weights = (t / n)^2)
		c <- c(coef(m)[1], coef(m)["I(n - 1)"], coef(m)["I(n * (n - 1))"])
		c[is.na(c)] <- 0
		if (all(c >= 0) && (is.null(best) || deviance(m) < best$rest))
			best <- list(rest = deviance(m), c = c)
	}
	c(1 / best$c[1], best$c[2] / best$c[1], best$c[3] / best$c[1])
}
array("r_usl_rising", law(clients, rising))
array("r_usl_flat", law(clients, flat))

cat("\n/* Ray and plateau: slope, plateau, clients */\n")
knee <- function(n, t) {
	best <- NULL
	for (k in 1:(length(n) - 1)) {
		i <- seq_along(n) <= k
		s <- mean(log(t[i] / n[i])); p <- mean(log(t[!i]))
		rest <- sum((log(t[i] / n[i]) - s)^2) + sum((log(t[!i]) - p)^2)
		if (is.null(best) || rest < best$rest)
			best <- list(rest = rest, s = exp(s), p = exp(p))
	}
	c(best$s, best$p, best$p / best$s)
}
array("r_knee", knee(clients, flat))
cat("\n#endif\n")
