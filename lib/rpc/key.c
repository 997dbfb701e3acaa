/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private keys: making, keeping and reading them, and the text of public ones.
 */
#include "lib/rpc/key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/rpc/key-impl.h"

#define KEY_FILE_MAX 4096u
#define KEY_TYPE "volley-ed25519"
/* Base64 of KEY_PUBLIC_LEN bytes. */
#define KEY_BASE64_LEN 44u

int
key_openssl_failed(struct err *err, const char *doing)
{
	unsigned long code = ERR_get_error();
	const char *reason = code ? ERR_reason_error_string(code) : NULL;

	ERR_clear_error();
	return err_set(err, ERR_INTERNAL, "%s: OpenSSL: %s", doing,
	    reason ? reason : "unknown error");
}

static int
file_write_new(
    const char *path, mode_t mode, const char *data, size_t len, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	size_t done = 0;

	if (fd < 0)
		return err_sys(err, errno, "create %s", path);
	while (done < len) {
		ssize_t n = write(fd, data + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			goto failed;
		done += (size_t)n;
	}
	if (fsync(fd))
		goto failed;
	close(fd);
	return 0;
failed:
	err_sys(err, errno, "write %s", path);
	close(fd);
	unlink(path);
	return -1;
}

static int
key_write_private(EVP_PKEY *pkey, const char *path, struct err *err)
{
	BIO *pem = BIO_new(BIO_s_secmem());
	char *data;
	int result = -1;

	if (!pem || !PEM_write_bio_PrivateKey(pem, pkey, NULL, NULL, 0, NULL, NULL)) {
		key_openssl_failed(err, "write a key");
	} else {
		long len = BIO_get_mem_data(pem, &data);

		result = file_write_new(path, 0600, data, (size_t)len, err);
	}
	BIO_free(pem);
	return result;
}

static void
pkey_public(EVP_PKEY *pkey, uint8_t raw[KEY_PUBLIC_LEN])
{
	size_t len = KEY_PUBLIC_LEN;

	EVP_PKEY_get_raw_public_key(pkey, raw, &len);
}

/* What was there is replaced at once: nobody reads half a file. */
static int
file_replace(const char *path, mode_t mode, const char *data, size_t len, struct err *err)
{
	char *fresh = mem_printf("%s.new", path);
	int result;

	unlink(fresh); /* of an agent that was killed here */
	result = file_write_new(fresh, mode, data, len, err);
	if (result == 0 && rename(fresh, path)) {
		result = err_sys(err, errno, "rename %s to %s", fresh, path);
		unlink(fresh);
	}
	free(fresh);
	return result;
}

/*
 * How the public half is written: never over another one, or over a stale one
 * whose private half is gone.
 */
typedef int (*write_fn)(
    const char *path, mode_t mode, const char *data, size_t len, struct err *err);

static int
key_write_pair(EVP_PKEY *pkey, const char *path, const char *pub_path,
    const char *comment, write_fn write_pub, struct err *err)
{
	struct key_public pub = {.comment = (char *)comment};
	struct str line = {0};
	char *text;
	int result;

	if (key_write_private(pkey, path, err))
		return -1;
	pkey_public(pkey, pub.raw);
	text = key_public_format(&pub);
	str_addf(&line, "%s\n", text);
	result = write_pub(pub_path, 0644, line.s, line.len, err);
	if (result)
		unlink(path);
	free(text);
	str_free(&line);
	return result;
}

static int
key_make(struct key **ret, const char *path, const char *pub_path, const char *comment,
    write_fn write_pub, struct err *err)
{
	EVP_PKEY *pkey = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");

	if (!pkey)
		return key_openssl_failed(err, "make a key");
	if (key_write_pair(pkey, path, pub_path, comment, write_pub, err)) {
		EVP_PKEY_free(pkey);
		return -1;
	}
	*ret = mem_alloc(sizeof **ret);
	(*ret)->pkey = pkey;
	return 0;
}

int
key_create(const char *name, const char *comment, struct err *err)
{
	char *path = mem_printf("%s.key", name), *pub_path = mem_printf("%s.pub", name);
	struct key *key = NULL;
	int result = key_make(&key, path, pub_path, comment, file_write_new, err);

	key_free(key);
	free(path);
	free(pub_path);
	return result;
}

/* Never asks on the terminal. */
static int
no_passphrase(char *buf, int size, int writing, void *arg)
{
	(void)buf;
	(void)size;
	(void)writing;
	(void)arg;
	return -1;
}

static int
key_parse(
    struct key **ret, const char *path, const char *data, size_t len, struct err *err)
{
	BIO *pem = BIO_new_mem_buf(data, (int)len);
	EVP_PKEY *pkey = PEM_read_bio_PrivateKey(pem, NULL, no_passphrase, NULL);

	BIO_free(pem);
	ERR_clear_error();
	if (!pkey)
		return err_set(err, ERR_AUTH,
		    "%s: not a private key in PEM form without a passphrase", path);
	if (EVP_PKEY_get_id(pkey) != EVP_PKEY_ED25519) {
		EVP_PKEY_free(pkey);
		return err_set(err, ERR_AUTH, "%s: not an Ed25519 key", path);
	}
	*ret = mem_alloc(sizeof **ret);
	(*ret)->pkey = pkey;
	return 0;
}

static int
key_check_mode(const struct stat *st, const char *path, struct err *err)
{
	if (st->st_mode & 077)
		return err_set(err, ERR_POLICY,
		    "%s: others may read or write it (mode %04o): chmod 600 %s", path,
		    (unsigned)st->st_mode & 07777, path);
	return 0;
}

/* The mode comes last: that of a file that is no key is nobody's business. */
static int
key_read(struct key **ret, int fd, const char *path, struct err *err)
{
	char data[KEY_FILE_MAX];
	struct stat st;
	ssize_t len;
	int result;

	if (fstat(fd, &st))
		return err_sys(err, errno, "stat %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_AUTH, "%s: not a regular file", path);
	len = read(fd, data, sizeof data);
	if (len < 0)
		return err_sys(err, errno, "read %s", path);
	result = key_parse(ret, path, data, (size_t)len, err);
	OPENSSL_cleanse(data, sizeof data);
	if (result == 0 && key_check_mode(&st, path, err)) {
		key_free(*ret);
		result = -1;
	}
	return result;
}

int
key_load(struct key **ret, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int result;

	if (fd < 0)
		return err_sys(err, errno, "open %s", path);
	result = key_read(ret, fd, path, err);
	close(fd);
	return result;
}

int
key_load_or_create(
    struct key **ret, const char *path, const char *comment, struct err *err)
{
	struct err why = ERR_INIT;
	size_t stem = strlen(path);
	char *pub_path;
	int result;

	if (key_load(ret, path, &why) == 0)
		return 0;
	if (why.errnum != ENOENT) {
		if (err)
			*err = why;
		return -1;
	}
	if (stem > 4 && strcmp(path + stem - 4, ".key") == 0)
		stem -= 4;
	pub_path = mem_printf("%.*s.pub", (int)stem, path);
	result = key_make(ret, path, pub_path, comment, file_replace, err);
	free(pub_path);
	return result;
}

void
key_free(struct key *key)
{
	if (!key)
		return;
	EVP_PKEY_free(key->pkey);
	free(key);
}

void
key_public(const struct key *key, struct key_public *ret)
{
	*ret = (struct key_public){0};
	pkey_public(key->pkey, ret->raw);
}

void
key_public_free(struct key_public *pub)
{
	free(pub->comment);
	pub->comment = NULL;
}

char *
key_fingerprint(const uint8_t raw[KEY_PUBLIC_LEN])
{
	unsigned char hash[EVP_MAX_MD_SIZE], text[2 * EVP_MAX_MD_SIZE];
	size_t len = 0;

	EVP_Q_digest(NULL, "SHA256", NULL, raw, KEY_PUBLIC_LEN, hash, &len);
	EVP_EncodeBlock(text, hash, (int)len);
	text[strcspn((char *)text, "=")] = '\0';
	return mem_printf("SHA256:%s", (char *)text);
}

char *
key_public_format(const struct key_public *pub)
{
	unsigned char text[KEY_BASE64_LEN + 1];
	const char *comment = pub->comment ? pub->comment : "";

	EVP_EncodeBlock(text, pub->raw, KEY_PUBLIC_LEN);
	return mem_printf("%s %s%s%.*s", KEY_TYPE, (char *)text, comment[0] ? " " : "",
	    (int)strcspn(comment, "\r\n"), comment);
}

static bool
base64_decode(uint8_t raw[KEY_PUBLIC_LEN], const char *text)
{
	unsigned char out[KEY_PUBLIC_LEN + 1], again[KEY_BASE64_LEN + 1];

	if (EVP_DecodeBlock(out, (const unsigned char *)text, KEY_BASE64_LEN) !=
	    (int)sizeof out)
		return false;
	/* Exactly one spelling for a key: padding and spare bits too. */
	EVP_EncodeBlock(again, out, KEY_PUBLIC_LEN);
	memcpy(raw, out, KEY_PUBLIC_LEN);
	return memcmp(again, text, KEY_BASE64_LEN) == 0;
}

int
key_public_parse(struct key_public *ret, const char *line, struct err *err)
{
	size_t blanks = strspn(line, " \t"), word;
	const char *rest;
	size_t len;

	*ret = (struct key_public){0};
	line += blanks;
	word = strcspn(line, " \t\r\n");
	if (word != strlen(KEY_TYPE) || strncmp(line, KEY_TYPE, word))
		return err_set(err, ERR_AUTH,
		    "not a public key: expected \"" KEY_TYPE " BASE64 [comment]\"");
	line += word;
	line += strspn(line, " \t");
	word = strcspn(line, " \t\r\n");
	if (word != KEY_BASE64_LEN || !base64_decode(ret->raw, line))
		return err_set(err, ERR_AUTH,
		    "not a public key: \"%.*s\" is not base64 of %u bytes", (int)word,
		    line, KEY_PUBLIC_LEN);
	rest = line + word + strspn(line + word, " \t");
	len = strcspn(rest, "\r\n");
	while (len && (rest[len - 1] == ' ' || rest[len - 1] == '\t'))
		len--;
	ret->comment = mem_strndup(rest, len);
	return 0;
}
