/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Without libFuzzer: runs every file of the folders (or the files) given as arguments
 * through the fuzz target, so that what a fuzzer once found stays found.  Without
 * arguments: the target's folder under tests/fuzz/corpus, named as the program is.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* On an allocation of exactly its size, so that the sanitizers see its end. */
static bool
replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	bool good;

	if (!file || fstat(fileno(file), &st)) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	data = malloc(st.st_size ? (size_t)st.st_size : 1);
	good = data && fread(data, 1, (size_t)st.st_size, file) == (size_t)st.st_size;
	if (good)
		LLVMFuzzerTestOneInput(data, (size_t)st.st_size);
	else
		fprintf(stderr, "%s: cannot be read\n", path);
	free(data);
	fclose(file);
	return good;
}

static unsigned
replay(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	unsigned n = 0;

	if (!dir)
		return replay_file(path) ? 1 : 0;
	while ((entry = readdir(dir))) {
		char *file;

		if (entry->d_name[0] == '.')
			continue;
		file = mem_printf("%s/%s", path, entry->d_name);
		n += replay_file(file) ? 1 : 0;
		free(file);
	}
	closedir(dir);
	return n;
}

static char *
own_corpus(const char *program)
{
	const char *name = strrchr(program, '/');
	const char *top = getenv("abs_top_srcdir");

	name = name ? name + 1 : program;
	if (strncmp(name, "fuzz-", 5) == 0)
		name += 5;
	return mem_printf("%s/tests/fuzz/corpus/%s", top ? top : ".", name);
}

int
main(int argc, char **argv)
{
	char *corpus = own_corpus(argv[0]);
	unsigned n = 0;

	if (argc < 2)
		n = replay(corpus);
	for (int i = 1; i < argc; i++)
		n += replay(argv[i]);
	if (!n)
		fprintf(stderr, "no input in %s\n", argc < 2 ? corpus : argv[1]);
	else
		printf("%u inputs replayed\n", n);
	free(corpus);
	return n ? EXIT_SUCCESS : EXIT_FAILURE;
}
