/* SPDX-License-Identifier: MIT
 *
 * Proxies, for the files of this folder and of Calls.
 */
#ifndef WAX_PROXY_PRIVATE_H
#define WAX_PROXY_PRIVATE_H

#include "wax_proxy_closures.h"
#include "wax_proxy_keeping.h"
#include "wax_proxy.h"
#include "wax_proxy_state_private.h"

/* The Swift runtime's: whether an object's deinitializer has begun. It must not be retained then.
 */
extern bool swift_isDeallocating(void *object);

/* {==================================================================
** Making and finding them
** =================================================================== */

/* [-0, +1, m]  A proxy of nothing yet, without metatable, with room for so many Lua values.
   `is_full`: a wax_proxy_full. */
wax_proxy *wax_proxy_new(lua_State *L, int user_values, bool is_full);

/* [-0, +1, m]  One to be lent to call after call. It can be given any metatable at little cost. */
wax_proxy *wax_proxy_new_lent(lua_State *L);

/* [-0, +1, me]  A new one. Of objects it retains one more reference; of the other kinds it takes
   over what `pointer` owns, from the moment that it is pushed. Returns 1. */
int wax_proxy_push(lua_State *L, uint32_t kind, void *pointer, const void *type);
/* [-0, +1, -] or [-0, +0, -] and false: the object has none. */
bool wax_proxy_push_known_object(lua_State *L, void *object);
/* [-0, +1, -] or [-0, +0, -] and false: it might raise. Its proxy, a new one if it has none. */
bool wax_proxy_push_object_at_once(lua_State *L, void *object);
void wax_proxy_open(lua_State *L);
void wax_proxy_open_uint64(lua_State *L);

/* [-0, +1, me]  A function: from the moment that it is pushed it owns what `pointer` owns.
 * Returns 1.
 */
int wax_proxy_push_closure(lua_State *L, uint32_t kind, void *pointer, wax_lua_callback *callback);
/* [state entered]  A function's, as if it had been collected. */
void wax_proxy_drop_closure(wax_lua_state *state, wax_proxy *proxy);
void wax_proxy_end_lent_closure(wax_lua_state *state, wax_proxy *proxy);
/* [-0, +0, -]  Whether the value at `index` is a function that is lent to a call. */
bool wax_proxy_is_lent_closure(lua_State *L, int index);
void wax_proxy_open_closures(lua_State *L);

/* [-0, +1, me]  The type object of a type. Returns 1. */
int wax_proxy_push_type_object(lua_State *L, const void *type);
/* [-0, +0, -]  The type that the table at `index` is the type object of; NULL: it is none. */
const void *wax_proxy_type_object_type(lua_State *L, int index);
void wax_proxy_open_type_objects(lua_State *L);

/* [-0, +0, m]  The global function `weak`. */
void wax_proxy_open_weak(lua_State *L);
/* A weak reference of Lua code's is nil from now on. */
void wax_proxy_end_weak_reference(wax_proxy_full *weak);

/* }================================================================== */

/* {==================================================================
** What is there for the length of a call: see proxy.c
** =================================================================== */

/* [-0, +0, me]  The proxy on top. */
void wax_proxy_add_transient(lua_State *L, wax_proxy *proxy);
void wax_proxy_transients_end(void *mark);
/* Takes the transients since the mark along with a call that waits, which may go on on another
   thread. */
void *wax_proxy_transients_detach(void *mark);
void wax_proxy_transients_attach(void *detached);
/* When the state is closed: the proxies have gone with it. */
void wax_proxy_transients_forget(void *detached);

/* }================================================================== */

/* {==================================================================
** What dies with a call: see call_lifetime.c
** =================================================================== */

/* A proxy that has just been made: if the running call keeps nothing it is let go at its end. */
void wax_proxy_seen(wax_lua_state *state, wax_proxy *proxy);

/* One that was made before is pushed, and on top. */
void wax_proxy_seen_again(lua_State *L);

/* Lua code that may keep it is given the value at `index`, if that is a proxy. */
void wax_proxy_keep(lua_State *L, int index);

/* Called in the proxy's finalizer: no call has it any more. */
void wax_proxy_collected(lua_State *L, wax_proxy *proxy);

/* [state entered]  At the end of a call, before its coroutine is released. */
void wax_proxy_drop_seen(wax_lua_coroutine *coroutine);

/* Forgets the seen objects without releasing any. */
void wax_proxy_forget_seen(wax_lua_coroutine *coroutine);

/* [-1, +0, -]  What the function on top can do with what it sees. */
wax_proxy_keeping wax_proxy_keeping_on_top(lua_State *L);

/* }================================================================== */

/* {==================================================================
** Tables that keep nothing alive: see weak.c
** =================================================================== */

/* [-0, +1, m]  An empty table that is weak in its keys, "k", or its values, "v". */
void wax_proxy_push_weak_table(lua_State *L, const char *mode);

/* }================================================================== */

/* {==================================================================
** Copies of properties: see writeback.c
** =================================================================== */

/* [-0, +0, -]  The proxy at `copy`, if it is that of a new value, came from `owner[key]`. */
void wax_proxy_set_writeback_source(lua_State *L, int owner, int key, int copy);
/* [-0, +0, e]  Sets the property that the changed copy at `index` came from, unless Lua code keeps
   the copy in a variable. */
void wax_proxy_write_back(lua_State *L, int index);
void wax_proxy_open_writeback(lua_State *L);

/* }================================================================== */

/* {==================================================================
** Live counts: how many proxies of one type hold something
** =================================================================== */

/* Finds or makes it; NULL: no memory. Lives as long as the state. */
wax_proxy_live_count *wax_proxy_live_count_of(wax_lua_state *state, const void *type,
                                              uint32_t kind);
void wax_proxy_live_count_add(wax_lua_state *state, wax_proxy_live_count *live_count, int change);
void wax_proxy_free_live_counts(wax_lua_state *state);

/* [-0, +0, m]  A step of the collector if it is time for one. */
void wax_proxy_collector_pace(lua_State *L);
/* After a complete collection. */
void wax_proxy_collector_reset_pace(wax_lua_state *state);

/* }================================================================== */

/* {==================================================================
** Fields: (proxy, name, field, …) for reading, (proxy, name, value, …) for writing
** =================================================================== */

/* The positions in the table that describes a declared field. */
#define WAX_PROXY_FIELD_DEFAULT 1 /* a value, or a function that makes it of the object */
#define WAX_PROXY_FIELD_IS_MADE 2 /* which of them */

/* [-0, +1, ve]  Returns 1; or 0 and pushes nothing if the proxy is of no object. */
int wax_proxy_get_field(lua_State *L);
/* [-0, +0, me]  Returns false if the proxy is of no object. */
bool wax_proxy_set_field(lua_State *L);
/* (proxy) -> +1 or +0, m  A table of the names and values of its fields, for people to read. */
void wax_proxy_push_fields(lua_State *L);
/* [-0, +1, -]  The table of an object's fields, or nil. Returns its type. */
int wax_proxy_push_fields_of(lua_State *L, void *owner);
/* [-1, +0, -]  Sets it, for an object that has one. */
void wax_proxy_set_fields_of(lua_State *L, void *owner);
/* [-0, +0, -]  Forgets the fields of dead objects; looks at so many at most. */
void wax_proxy_sweep_fields(lua_State *L, size_t most);
/* When the Lua state is closed. */
void wax_proxy_forget_fields(wax_lua_state *state);
void wax_proxy_open_fields(lua_State *L);

/* }================================================================== */

/* {==================================================================
** Cycles
** =================================================================== */

/* [-0, +?, m]  In a finalizer, of the proxy at 1: leaves it to the next collection, if it is not to
   give up what it holds in this one. Before anything that can raise it is safe. */
bool wax_proxy_postpone(lua_State *L, const wax_proxy *proxy);

/* After a collection of cycles: when the next is due. */
void wax_proxy_set_cycle_quota(wax_lua_state *state);

/* }================================================================== */

#endif
