/* SPDX-License-Identifier: MIT
 *
 * Lua calls a finalizer once, on the thread that happens to collect. Where that has no stack left,
 * its own or C's, the call fails: Lua warns, and frees the object later as if it had been called.
 * What the object holds would never be released, and what points to it would go on doing so. So it
 * gets its finalizer back, and the next collection calls it again.
 *
 * The warning does not say which object it is. It has just become the first one of all that have no
 * finalizer (udata2finalize in lgc.c), and what came before it since is the error message. That is
 * compared with what Lua does, once in a process: where it is otherwise, nothing is given back.
 */
#include "wax_lua_finalizers.h"

#include <lauxlib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "wax_lua_sequence.h"

/* What every object of Lua's begins with: CommonHeader in lobject.h. */
typedef struct header {
  const struct header *next; /* the one that was made before it */
  uint8_t type;
} header;

/* As wax_lua_raw_value has it: LUA_VUSERDATA, collectable. */
#define RAW_USERDATA (LUA_TUSERDATA | 0x40)

/* That may have been made since the call failed: a message, and a string that it is made of. */
#define MOST_SINCE 16

/* [-0, +1, m]  A table with room for one value, which is the youngest object of all. */
static wax_lua_raw_value *push_room(lua_State *L) {
  size_t count;
  lua_createtable(L, 1, 0);
  lua_pushboolean(L, 1);
  lua_rawseti(L, -2, 1);
  return (wax_lua_raw_value *)wax_lua_find_sequence(L, -1, &count);
}

/* [-0, +1, m]  The userdata that was made, or became one without a finalizer, last; or nil. */
static void push_youngest(lua_State *L) {
  wax_lua_raw_value *room = push_room(L);
  const header *object = lua_topointer(L, -1);
  for (int i = 0; room && object && object->type != LUA_TUSERDATA; i++)
    object = i < MOST_SINCE ? object->next : NULL;
  if (room && object) {
    /* As the table is new, and nothing is collected, the collector need not be told. */
    memcpy(room, &object, sizeof object);
    room->tag = RAW_USERDATA;
    lua_rawgeti(L, -1, 1);
    room->tag = WAX_LUA_RAW_FALSE;
  } else {
    lua_pushnil(L);
  }
  lua_remove(L, -2);
}

/* [-0, +0, -]  Objects that have one keep it. Nothing protects this: a state's allocator refuses
   none of it (memory.c). */
static void give_back(lua_State *L) {
  if (!lua_checkstack(L, 3)) return;
  int is_running = lua_gc(L, LUA_GCISRUNNING);
  lua_gc(L, LUA_GCSTOP);
  push_youngest(L);
  if (lua_isuserdata(L, -1) && lua_getmetatable(L, -1)) lua_setmetatable(L, -2);
  lua_pop(L, 1);
  if (is_running > 0) lua_gc(L, LUA_GCRESTART);
}

/* Lua warns in pieces: "error in ", "__gc", …. */
static bool is_of_finalizer(const char *message) { return strncmp(message, "__gc", 4) == 0; }

static void warned(void *main, const char *message, int to_be_continued) {
  (void)to_be_continued;
  if (is_of_finalizer(message)) give_back(main);
}

/* {==================================================================
** Whether that is so
** =================================================================== */

#define SAMPLES 4

static bool is_known;

/* The first call of each fails, with a message or without. */
static int finalize_sample(lua_State *L) {
  int **calls = lua_touserdata(L, 1);
  if (++**calls > 1) return 0;
  bool has_message = lua_rawlen(L, 1) == sizeof *calls;
  return has_message ? luaL_error(L, "sample %p", (void *)calls) : lua_error(L);
}

static void push_sample(lua_State *L, int *calls, bool has_message) {
  int **sample = lua_newuserdatauv(L, (has_message ? 1 : 2) * sizeof *sample, has_message);
  *sample = calls;
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, finalize_sample);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
}

/* (the samples' calls) */
static int make_samples(lua_State *L) {
  int *calls = lua_touserdata(L, 1);
  for (int i = 0; i < SAMPLES; i++) {
    push_sample(L, &calls[i], i % 2 == 0);
    lua_pop(L, 1);
  }
  return 0;
}

static bool are_called(lua_State *L, const int *calls, int times) {
  lua_gc(L, LUA_GCCOLLECT);
  for (int i = 0; i < SAMPLES; i++)
    if (calls[i] != times) return false;
  return true;
}

static void look(void) {
  int calls[SAMPLES] = {0};
  lua_State *L = luaL_newstate();
  if (!L) return;
  lua_setwarnf(L, warned, L);
  lua_pushcfunction(L, make_samples);
  lua_pushlightuserdata(L, calls);
  is_known = lua_pcall(L, 1, 0, 0) == LUA_OK && are_called(L, calls, 1) &&
             are_called(L, calls, 2) && are_called(L, calls, 2);
  lua_close(L);
}

/* }================================================================== */

void wax_lua_keep_finalizers(lua_State *main) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look);
  if (is_known) lua_setwarnf(main, warned, main);
}
