# SPDX-License-Identifier: Apache-2.0
#
# What is asked of the compiler: warnings, sanitizers, fuzzers, coverage. All of it ends
# in VOLLEY_CFLAGS and VOLLEY_LDFLAGS; CFLAGS and LDFLAGS stay the user's.

# VOLLEY_FLAG(FLAG): add FLAG to VOLLEY_CFLAGS when the compiler knows it.
AC_DEFUN([VOLLEY_FLAG], [
	VOLLEY_TRY_FLAGS([$1], [VOLLEY_CFLAGS="$VOLLEY_CFLAGS $1"], [])
])

# VOLLEY_TRY_FLAGS(FLAGS, IF-YES, IF-NO): do FLAGS compile and link?
AC_DEFUN([VOLLEY_TRY_FLAGS], [
	AC_MSG_CHECKING([whether $CC takes $1])
	volley_saved_cflags=$CFLAGS
	CFLAGS="$CFLAGS -Werror $1"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
	    [volley_flag=yes], [volley_flag=no])
	CFLAGS=$volley_saved_cflags
	AC_MSG_RESULT([$volley_flag])
	AS_IF([test $volley_flag = yes], [$2], [$3])
])

AC_DEFUN([VOLLEY_WARNINGS], [
	AC_ARG_ENABLE([werror],
	    [AS_HELP_STRING([--enable-werror], [a warning is an error])],
	    [], [enable_werror=no])
	m4_foreach_w([flag], [-Wall -Wextra -Wshadow -Wstrict-prototypes
	    -Wmissing-prototypes], [VOLLEY_FLAG(flag)])
	AS_IF([test "x$enable_werror" = xyes],
	    [VOLLEY_CFLAGS="$VOLLEY_CFLAGS -Werror"])
])

AC_DEFUN([VOLLEY_SANITIZERS], [
	AC_ARG_ENABLE([sanitizers],
	    [AS_HELP_STRING([--enable-sanitizers=LIST],
	    [build with sanitizers: address,undefined or thread])],
	    [], [enable_sanitizers=no])
	AS_CASE([$enable_sanitizers],
	    [no], [],
	    [yes], [enable_sanitizers=address,undefined])
	AS_IF([test "x$enable_sanitizers" != xno], [
		volley_san="-fsanitize=$enable_sanitizers"
		volley_san="$volley_san -fno-sanitize-recover=all"
		volley_san="$volley_san -fno-omit-frame-pointer"
		VOLLEY_TRY_FLAGS([$volley_san], [
			VOLLEY_CFLAGS="$VOLLEY_CFLAGS $volley_san"
			VOLLEY_LDFLAGS="$VOLLEY_LDFLAGS -fsanitize=$enable_sanitizers"
		], [AC_MSG_ERROR([$CC cannot build with -fsanitize=$enable_sanitizers])])
	])
	AM_CONDITIONAL([WITH_TSAN], [test "x$enable_sanitizers" = xthread])
])

# With clang's libFuzzer the programs in tests/fuzz search; without it they replay their
# corpus in a plain make check.
AC_DEFUN([VOLLEY_FUZZERS], [
	AC_ARG_ENABLE([fuzzers],
	    [AS_HELP_STRING([--enable-fuzzers], [link tests/fuzz with libFuzzer (clang)])],
	    [], [enable_fuzzers=no])
	AS_IF([test "x$enable_fuzzers" = xyes], [
		VOLLEY_TRY_FLAGS([-fsanitize=fuzzer-no-link], [
			VOLLEY_CFLAGS="$VOLLEY_CFLAGS -fsanitize=fuzzer-no-link"
			FUZZ_LDFLAGS="-fsanitize=fuzzer"
		], [AC_MSG_ERROR([--enable-fuzzers needs clang: configure CC=clang])])
	])
	AC_SUBST([FUZZ_LDFLAGS])
	AM_CONDITIONAL([ENABLE_FUZZERS], [test "x$enable_fuzzers" = xyes])
])

AC_DEFUN([VOLLEY_GCOV], [
	AC_ARG_ENABLE([gcov],
	    [AS_HELP_STRING([--enable-gcov], [measure test coverage])],
	    [], [enable_gcov=no])
	AS_IF([test "x$enable_gcov" = xyes], [
		VOLLEY_TRY_FLAGS([--coverage], [
			VOLLEY_CFLAGS="$VOLLEY_CFLAGS --coverage -fprofile-update=atomic"
			VOLLEY_LDFLAGS="$VOLLEY_LDFLAGS --coverage"
		], [AC_MSG_ERROR([$CC cannot measure coverage])])
	])
])
