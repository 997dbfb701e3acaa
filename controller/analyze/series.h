/* SPDX-License-Identifier: Apache-2.0 */
/* A run's slots and latencies, reduced to what rules ask of them. */
#ifndef VOLLEY_ANALYZE_SERIES_H
#define VOLLEY_ANALYZE_SERIES_H

#include "controller/analyze/model.h"
#include "lib/stats/hist.h"
#include "lib/stats/slots.h"

#define SERIES_SECONDS_MIN 12 /* fewer say nothing about a course */

/* Of whole seconds inside of [from_ns, to_ns); `ios` counts I/Os instead of bytes. */
void series_course(const struct slots *slots, uint64_t from_ns, uint64_t to_ns,
    bool ios, struct sample_course *ret);
/* The same from the values themselves, one a second. */
void series_course_of(const double *seconds, size_t n, struct sample_course *ret);
/* Two humps that are at least a factor of two apart, each with a tenth of all I/Os,
 * and next to nothing between. */
void series_modes(const struct hist *hist, struct sample_modes *ret);

#endif
