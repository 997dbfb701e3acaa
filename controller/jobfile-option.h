/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that take a plan take a fio job file too: a plan with its jobs. */
#ifndef VOLLEY_JOBFILE_OPTION_H
#define VOLLEY_JOBFILE_OPTION_H

#include "controller/cli.h"
#include "controller/plan/plan.h"

#define JOBFILE_OPTIONS \
	{"clients", "N", \
	    "job file: clients of the plan (default: all agents given, or 1)", false}, \
	    {"as-fio", NULL, \
		"job file: take odd syntax as fio does, instead of stopping", false}, \
	{ \
		"ignore-unsupported", NULL, \
		    "job file: warn of options that are not supported", false \
	}

/* The plan of the first argument; warnings of job files are printed. */
struct plan *jobfile_or_plan(const struct cli *cli, struct err *err);
/* A job file by its name, or by its first two lines that say anything. */
bool jobfile_is(const char *path);

#endif
