/* SPDX-License-Identifier: MIT */

/* The engine in a program that does not link it: libWaxwingPreload.so is loaded before the program,
 * and begins to listen before the program's `main`, after the program's constructors. */

#ifndef WAX_PRELOAD_H
#define WAX_PRELOAD_H

#include <stdbool.h>

/* Begins to listen. Defined in Swift.
 *
 * must_listen        end the process if that fails
 * allows_unsigned    patches need no signature
 * instance           the name of this process; NULL: none */
void waxwing_preload_begin(bool must_listen, bool allows_unsigned, const char *instance);

#endif
