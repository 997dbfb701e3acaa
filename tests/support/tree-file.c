/* SPDX-License-Identifier: Apache-2.0 */
/* Lines "path<TAB>content" and "path<TAB>-> target" become files and links. */
#include "tests/support/tree-file.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"

static void
die(const char *what, const char *path)
{
	perror(path);
	fprintf(stderr, "tree-file: %s\n", what);
	exit(1);
}

static void
make_folders(char *path, size_t from)
{
	for (char *p = path + from; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
}

static void
put_line(const char *root, char *line)
{
	char *content = strchr(line, '\t');

	if (!content)
		die("a line without a tab", line);
	*content++ = '\0';
	char *path = mem_printf("%s/%s", root, line);
	make_folders(path, strlen(root) + 1);
	if (str_starts(content, "-> ")) {
		content[strcspn(content, "\n")] = '\0';
		if (symlink(content + 3, path) < 0)
			die("symlink", path);
	} else {
		FILE *file = fopen(path, "a");
		if (!file || fputs(content, file) < 0)
			die("write", path);
		fclose(file);
	}
	free(path);
}

char *
tree_file_unpack(const char *name)
{
	const char *source = getenv("abs_top_srcdir");
	char *from =
	    mem_printf("%s/tests/fixtures/probe/%s", source ? source : ".", name);
	char *root = mem_strdup("/tmp/volley-tree-XXXXXX"), *line = NULL;
	FILE *file = fopen(from, "r");
	size_t cap = 0;

	if (!file || !mkdtemp(root))
		die("open", from);
	while (getline(&line, &cap, file) > 0)
		put_line(root, line);
	free(line);
	fclose(file);
	free(from);
	return root;
}

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void
tree_file_remove(char *root)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(root);
}
