/* SPDX-License-Identifier: MIT
 *
 * The functions of the engine's own that the prelude calls. They are the process's: a state makes
 * a Lua function of those alone that are asked for.
 */
#ifndef WAXWING_HOST_H
#define WAXWING_HOST_H

#include "waxwing_call.h"

typedef struct waxwing_host_function {
  const char *name;
  waxwing_callback *callback;
} waxwing_host_function;

/* They live as long as the process. */
typedef struct waxwing_host_functions {
  const waxwing_host_function *functions; /* sorted by the bytes of their names */
  size_t count;
} waxwing_host_functions;

/* [state entered]  Puts a function (table, name) -> function, for the table's `__index`, into a
   global variable: the table keeps what it has found. False: no memory. */
bool waxwing_define_host(waxwing_state *state, const char *name,
                         const waxwing_host_functions *functions);

#endif
