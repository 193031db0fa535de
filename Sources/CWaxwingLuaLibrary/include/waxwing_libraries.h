/* SPDX-License-Identifier: MIT
 *
 * Lua's libraries for scripts: those that could run for ever, or make a string of any size, have
 * functions of ours in the place of Lua's.
 */
#ifndef WAXWING_LIBRARIES_H
#define WAXWING_LIBRARIES_H

#include <lua.h>

typedef enum waxwing_libraries {
  WAXWING_LIBRARIES_SAFE, /* base without loaders, coroutine, table, string, math, utf8 */
  WAXWING_LIBRARIES_FULL  /* all of Lua's own */
} waxwing_libraries;

/* Opens some of them in a new state. */
typedef void (*waxwing_library_opener)(lua_State *L);
waxwing_library_opener waxwing_opener_of(waxwing_libraries libraries);

#endif
