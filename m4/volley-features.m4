# SPDX-License-Identifier: Apache-2.0
#
# Libraries volley can do with or without (auto/yes/no), and libraries it needs.

# VOLLEY_NEED(PREFIX, PKG-CONFIG MODULES, DEBIAN PACKAGE)
# A mandatory library; a missing one is remembered, so that configure can name all
# of them at once (VOLLEY_NEED_DONE).
AC_DEFUN([VOLLEY_NEED], [
	PKG_CHECK_MODULES([$1], [$2], [], [
		AC_MSG_RESULT([missing])
		volley_missing="$volley_missing $3"])
])

# VOLLEY_NEED_PROG(VARIABLE, PROGRAM, DEBIAN PACKAGE)
AC_DEFUN([VOLLEY_NEED_PROG], [
	AC_PATH_PROG([$1], [$2])
	AS_IF([test -z "$$1"], [volley_missing="$volley_missing $3"])
])

AC_DEFUN([VOLLEY_NEED_DONE], [
	AS_IF([test -n "$volley_missing"], [
		AC_MSG_ERROR([these Debian packages are missing:$volley_missing
    install them with: apt-get install$volley_missing])])
])

# VOLLEY_FEATURE(NAME, PREFIX, HELP, DEBIAN PACKAGES, CHECK)
# --with-NAME=auto|yes|no. CHECK runs when it is not "no" and sets volley_have=yes and
# PREFIX_CFLAGS, PREFIX_LIBS when the library is there. Defines HAVE_PREFIX in config.h
# and the automake conditional HAVE_PREFIX; leaves with_NAME as yes or no (and why).
AC_DEFUN([VOLLEY_FEATURE], [
	AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1], [$3 @<:@auto@:>@])],
	    [], [with_$1=auto])
	volley_have=no
	AS_IF([test "x$with_$1" != xno], [$5])
	AS_IF([test "x$volley_have" = xyes], [
		with_$1=yes
		AC_DEFINE([HAVE_$2], [1], [Define to 1 to build with $1.])
	], [test "x$with_$1" = xyes], [
		AC_MSG_ERROR([--with-$1 was asked for, but it was not found;
    install it with: apt-get install $4])
	], [test "x$with_$1" = xauto], [
		with_$1="no (apt-get install $4)"
	])
	AC_SUBST([$2_CFLAGS])
	AC_SUBST([$2_LIBS])
	AM_CONDITIONAL([HAVE_$2], [test "x$volley_have" = xyes])
])
