/* SPDX-License-Identifier: Apache-2.0 */
/* See steady.h. */
#include "lib/fiojson/steady.h"

#include <math.h>

#include "lib/work/steady.h"

static json_t *
data_json(const struct steady *steady)
{
	struct steady_second mean = steady_mean(steady);
	json_t *ios = json_array(), *bw = json_array();

	for (size_t i = 0; i < steady->n; i++) {
		json_array_append_new(
		    ios, json_integer((json_int_t)steady->seconds[i].ios));
		json_array_append_new(
		    bw, json_integer((json_int_t)steady->seconds[i].bytes));
	}
	return json_pack("{s:I, s:I, s:o, s:o}", "bw_mean", (json_int_t)mean.bytes,
	    "iops_mean", (json_int_t)mean.ios, "iops", ios, "bw", bw);
}

json_t *
fio_steady_json(const struct job *job, const struct tally *tally)
{
	struct str what = {0}, criterion = {0};
	struct steady steady;
	json_t *ret;

	steady_replay(&steady, job, tally);
	steady_describe(&steady, &what);
	str_addf(&criterion, "%f%s", isfinite(steady.criterion) ? steady.criterion : 0,
	    steady.is_percent ? "%" : "");
	ret = json_pack("{s:s, s:I, s:i, s:s, s:f, s:f, s:o}", "ss", what.s, "duration",
	    (json_int_t)steady.wanted, "attained", steady.attained, "criterion",
	    criterion.s, "max_deviation", steady.deviation, "slope", steady.slope, "data",
	    data_json(&steady));
	str_free(&what);
	str_free(&criterion);
	steady_free(&steady);
	return ret;
}
