/* SPDX-License-Identifier: MIT
 *
 * Lua's own opinion of a text, without running any of it.
 */
#ifndef WAX_LUA_SYNTAX_H
#define WAX_LUA_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

/* Compiles source text in a state of its own, and throws the result away. Returns whether it is a
   Lua chunk. If it is not, `message` has Lua's message, cut to `size` bytes with their end:
   `patch:LINE: …`; it is empty if there was no memory. */
bool wax_lua_is_chunk(const char *source, size_t count, char *message, size_t size);

#endif
