/* SPDX-License-Identifier: MIT
 *
 * The functions of the engine's own that the prelude calls. They are the process's: a state makes
 * a Lua function of those alone that are asked for.
 */
#ifndef WAX_PROXY_HOST_H
#define WAX_PROXY_HOST_H

#include "wax_lua_call.h"

typedef struct wax_proxy_host_function {
  const char *name;
  wax_lua_callback *callback;
} wax_proxy_host_function;

/* The host functions, which live as long as the process. */
typedef struct wax_proxy_host_functions {
  const wax_proxy_host_function *functions; /* sorted by the bytes of their names */
  size_t count;
} wax_proxy_host_functions;

/* [state entered]  Puts a function (table, name) -> function, for the table's `__index`, into a
   global variable: the table keeps what it has found. False: no memory. */
bool wax_proxy_define_host(wax_lua_state *state, const char *name,
                           const wax_proxy_host_functions *functions);

#endif
