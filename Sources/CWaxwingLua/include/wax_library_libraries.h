/* SPDX-License-Identifier: MIT
 *
 * Lua's libraries for scripts: those that could run for ever, or make a string of any size, have
 * functions of ours in the place of Lua's.
 */
#ifndef WAX_LIBRARY_LIBRARIES_H
#define WAX_LIBRARY_LIBRARIES_H

#include <lua.h>

typedef enum wax_library_libraries {
  WAX_LIBRARY_LIBRARIES_SAFE, /* base without loaders, coroutine, table, string, math, utf8 */
  WAX_LIBRARY_LIBRARIES_FULL  /* all of Lua's own */
} wax_library_libraries;

/* Opens some of them in a new state. */
typedef void (*wax_library_opener)(lua_State *L);
wax_library_opener wax_library_opener_of(wax_library_libraries libraries);

#endif
