/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening and closing results.db: who may write, is it ours, which version, and
 * the tables of a new one.
 */
#include "controller/store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "controller/store/schema.h"

#define BUSY_MS 2000 /* a reader's checkpoint, not another controller */

static int
lock_taken(const char *path, int fd, struct err *err)
{
	struct flock who = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(fd, F_GETLK, &who) == 0 && who.l_type != F_UNLCK && who.l_pid > 0)
		return err_set(err, ERR_BUSY,
		    "%s: another volley (process %ld) is writing to it", path,
		    (long)who.l_pid);
	return err_set(err, ERR_BUSY, "%s: another volley is writing to it", path);
}

/*
 * The writer holds a record lock on a file beside the database: the kernel drops
 * it when the process dies, however it dies, and a fork does not inherit it.  The
 * database itself cannot carry it, since closing any handle of a file drops the
 * locks that SQLite has on it.
 */
static int
lock_writer(struct store *store, struct err *err)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct stat st;

	store->lock_path = mem_printf("%s-writer", store->path);
	for (;;) {
		store->lock_fd =
		    open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (store->lock_fd < 0)
			return err_sys(err, errno, "%s", store->path);
		if (fcntl(store->lock_fd, F_SETLK, &lock) != 0) {
			int result =
			    errno == EACCES || errno == EAGAIN
				? lock_taken(store->path, store->lock_fd, err)
				: err_sys(err, errno, "lock %s", store->lock_path);

			close(store->lock_fd);
			store->lock_fd = -1;
			return result;
		}
		/* its last owner may have removed it between our two calls */
		if (fstat(store->lock_fd, &st) == 0 && st.st_nlink > 0)
			return 0;
		close(store->lock_fd);
	}
}

static int
read_number(struct store *store, const char *sql, int64_t *ret, struct err *err)
{
	struct stmt stmt;
	int result;

	if (stmt_open(&stmt, store, sql, err) != 0) {
		stmt_close(&stmt);
		return -1;
	}
	result = stmt_row(&stmt, err);
	if (result == 1)
		*ret = col_int(&stmt);
	stmt_close(&stmt);
	return result < 0 ? -1 : 0;
}

/* Our version, 0 for a file with nothing in it; anything else is an error. */
static int
read_version(struct store *store, int64_t *ret_version, struct err *err)
{
	int64_t application = 0, objects = 0;

	if (read_number(store, "PRAGMA application_id", &application, err) != 0 ||
	    read_number(store, "PRAGMA user_version", ret_version, err) != 0 ||
	    read_number(store, "SELECT count(*) FROM sqlite_schema", &objects, err) !=
		0) {
		if (sqlite3_errcode(store->db) == SQLITE_NOTADB)
			return err_set(err, ERR_USAGE,
			    "%s: not a database of results (not SQLite at all)",
			    store->path);
		return -1;
	}
	if (application == 0 && objects == 0 && *ret_version == 0)
		return 0;
	if (application != SCHEMA_APPLICATION_ID)
		return err_set(err, ERR_USAGE,
		    "%s: a database, but not one of volley's results", store->path);
	if (*ret_version != SCHEMA_VERSION)
		return err_set(err, ERR_UNSUPPORTED,
		    "%s: has results schema version %lld, this volley knows version %d",
		    store->path, (long long)*ret_version, SCHEMA_VERSION);
	return 0;
}

/* In one transaction, header fields too: a kill leaves an empty file or all. */
static int
create_tables(struct store *store, struct err *err)
{
	char *header =
	    mem_printf("PRAGMA application_id=%d; PRAGMA user_version=%d;"
		       "INSERT INTO meta VALUES('schema', 'volley.results-db'),"
		       "('schema_version', '%d')",
		SCHEMA_APPLICATION_ID, SCHEMA_VERSION, SCHEMA_VERSION);
	int result = db_begin(store, err);

	for (size_t i = 0; result == 0 && schema_sql[i]; i++)
		result = db_exec(store, schema_sql[i], err);
	if (result == 0)
		result = db_exec(store, header, err);
	free(header);
	return db_finish(store, result, err);
}

/* To a file of an earlier volley, too. */
static int
add_tables(struct store *store, struct err *err)
{
	int result = db_begin(store, err);

	for (size_t i = 0; result == 0 && schema_later_sql[i]; i++)
		result = db_exec(store, schema_later_sql[i], err);
	return db_finish(store, result, err);
}

static int
open_writer(struct store *store, struct err *err)
{
	int64_t version = 0;

	if (lock_writer(store, err) != 0)
		return -1;
	if (sqlite3_open_v2(store->path, &store->db,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
		return db_fail(store, "cannot be opened", err);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	/* look before touching: it may be somebody else's file */
	if (read_version(store, &version, err) != 0)
		return -1;
	if (db_exec(store,
		"PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
		"PRAGMA foreign_keys=ON",
		err) != 0)
		return -1;
	if (version == 0 && create_tables(store, err) != 0)
		return -1;
	return add_tables(store, err);
}

/* SQLite's URI form of a path, for a file that nobody can be changing. */
static char *
immutable_uri(const char *path)
{
	size_t len = strlen(path);
	char *uri = mem_alloc(len * 3 + 32), *p = uri;

	p += sprintf(p, "file:");
	for (size_t i = 0; i < len; i++)
		if (strchr("%?#", path[i]))
			p += sprintf(p, "%%%02X", (unsigned char)path[i]);
		else
			*p++ = path[i];
	strcpy(p, "?immutable=1");
	return uri;
}

/*
 * A WAL database needs its -shm file even for reading.  Where the folder cannot be
 * written (results on read-only media) and no writer left a -wal, the file is
 * complete by itself.
 */
static int
reopen_immutable(struct store *store, struct err *err)
{
	char *wal = mem_printf("%s-wal", store->path);
	bool complete = access(wal, F_OK) != 0;
	char *uri = immutable_uri(store->path);
	int result = -1;

	if (complete) {
		db_close(store);
		store->db = NULL;
		result = sqlite3_open_v2(
		    uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	}
	free(uri);
	free(wal);
	return result == SQLITE_OK ? 0 : db_fail(store, "cannot be opened", err);
}

static int
open_reader(struct store *store, struct err *err)
{
	int64_t version = 0;
	int result;

	if (access(store->path, R_OK) != 0)
		return err_sys(err, errno, "%s", store->path);
	if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READONLY, NULL) !=
	    SQLITE_OK)
		return db_fail(store, "cannot be opened", err);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	result = read_version(store, &version, err);
	if (result != 0 && (sqlite3_errcode(store->db) == SQLITE_CANTOPEN ||
			       sqlite3_errcode(store->db) == SQLITE_READONLY)) {
		if (reopen_immutable(store, err) != 0)
			return -1;
		result = read_version(store, &version, err);
	}
	if (result == 0 && version == 0)
		return err_set(err, ERR_USAGE, "%s: holds no results", store->path);
	return result;
}

struct store *
store_open(const char *path, enum store_mode mode, struct err *err)
{
	struct store *store = mem_alloc(sizeof *store);

	store->path = mem_strdup(path);
	store->mode = mode;
	store->lock_fd = -1;
	if ((mode == STORE_WRITE ? open_writer : open_reader)(store, err) == 0)
		return store;
	store_close(store);
	return NULL;
}

void
store_close(struct store *store)
{
	if (!store)
		return;
	db_close(store);
	if (store->lock_fd >= 0) {
		unlink(store->lock_path); /* before the lock is dropped */
		close(store->lock_fd);
	}
	free(store->lock_path);
	free(store->path);
	free(store);
}
