/* SPDX-License-Identifier: Apache-2.0 */
/* What a case's job file said beyond the parameters, as JSON. */
#ifndef VOLLEY_REPORT_JSON_NOTES_H
#define VOLLEY_REPORT_JSON_NOTES_H

#include <jansson.h>

#include "lib/work/fio/note.h"

/* warnings[], translated_options[] and skipped_options[]. */
void json_set_notes(json_t *object, const fio_notes *notes);

#endif
