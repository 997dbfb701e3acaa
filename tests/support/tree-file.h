/* SPDX-License-Identifier: Apache-2.0 */
/* Trees for the probes, each one file (tests/fixtures/probe/SOURCES). */
#ifndef VOLLEY_TESTS_SUPPORT_TREE_FILE_H
#define VOLLEY_TESTS_SUPPORT_TREE_FILE_H

/* Unpacks tests/fixtures/probe/NAME into a new folder, whose path it returns; ends the
 * test when it cannot. */
char *tree_file_unpack(const char *name);
void tree_file_remove(char *root); /* and frees it */

#endif
