/* SPDX-License-Identifier: MIT
 *
 * What a state asks of the folder Proxies, which knows what objects and
 * values of Swift's look like to Lua.
 */
#ifndef WAX_LUA_OBJECTS_H
#define WAX_LUA_OBJECTS_H

#include "wax_lua_state.h"

/* Functions that are called with the state entered. No member is NULL. */
typedef struct wax_lua_objects {
  /* Of a state with what is theirs of it behind: a wax_lua_state is how that begins. */
  size_t state_size;

  /* [-0, +0, me]  Opens what they need in a new Lua state, after the libraries. */
  void (*open)(lua_State *L);
  /* The Lua state has been closed. */
  void (*close)(wax_lua_state *state);
  /* [-0, +0, -]  Before the collector takes a step: looks at so many things of theirs. */
  void (*sweep)(lua_State *L, size_t most);
  /* A collection is complete. */
  void (*has_collected)(wax_lua_state *state);
  /* Swift keeps much more of Lua's than at the last collection of cycles. */
  void (*collect_cycles)(wax_lua_state *state);

  /* [-0, +?, m]  On the stack of a new coroutine: puts there what is theirs below
   * WAX_LUA_COROUTINE_BASE. */
  void (*open_coroutine)(wax_lua_coroutine *coroutine);
  /* The coroutine's call is over. */
  void (*end_coroutine)(wax_lua_coroutine *coroutine);
  /* Called when a coroutine waits: its transients do not end with the thread's other calls. */
  void (*park_coroutine)(wax_lua_coroutine *coroutine);
  /* It goes on, on this thread. */
  void (*unpark_coroutine)(wax_lua_coroutine *coroutine);
  void (*free_coroutine)(wax_lua_coroutine *coroutine);

  /* [-0, +0, -]  Appends what the userdata at `index` stands for. False: it is none of theirs. */
  bool (*read)(lua_State *L, int index, wax_lua_buffer *buffer);
  /* [-0, +0, -]  The type that the table at `index` stands for; NULL: it stands for none. */
  const void *(*type_at)(lua_State *L, int index);
  /* [-0, +0, -]  NULL: there is none. */
  struct wax_proxy *(*proxy_at)(lua_State *L, int index);

  /* [-0, +1, -] or [-0, +0, -] and false: the object has no proxy. `proxies` is as in
     wax_lua_push_plain. */
  bool (*push_known)(lua_State *L, void *object, int proxies);
  /* [-0, +1, me]  A proxy of an object that has none. */
  void (*push_object)(lua_State *L, void *object);
  /* [-0, +1, me]  What a WAX_LUA_VALUE_NEW_PROXY stands for: owned by Lua from then on. */
  void (*push_new)(lua_State *L, uint32_t kind, void *pointer, void *type);
  /* [-0, +1, me]  What a type is to Lua. */
  void (*push_type)(lua_State *L, const void *type);

  /* Releases what values own that were never pushed. */
  void (*discard)(wax_lua_state *state, wax_lua_buffer *buffer);
  /* [-0, +0, e]  The value behind the proxy at `index` has been changed by a call. */
  void (*write_back)(lua_State *L, int index);
} wax_lua_objects;

/* The parts of a new state besides Lua. */
typedef struct wax_lua_state_parts {
  const wax_lua_objects *objects;
  /* [-0, +0, me] */
  void (*open_libraries)(lua_State *L);
  /* Gives up what Lua owned. Called with the state left: deinitializers may run and enter the state
     again. */
  void (*release)(uint32_t kind, void *pointer, const void *type);
  void *context; /* see wax_lua_state_context */
} wax_lua_state_parts;

/* NULL: there is no memory for a state. `memory_limit` in bytes, 0: none. */
wax_lua_state *wax_lua_state_make(size_t memory_limit, const wax_lua_state_parts *parts);

#endif
