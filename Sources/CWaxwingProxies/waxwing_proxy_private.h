/* SPDX-License-Identifier: MIT
 *
 * Proxies, for the files of this target and for CWaxwingCalls.
 */
#ifndef WAXWING_PROXY_PRIVATE_H
#define WAXWING_PROXY_PRIVATE_H

#include "waxwing_closure.h"
#include "waxwing_keeping.h"
#include "waxwing_proxy.h"
#include "waxwing_proxy_state.h"

/* The Swift runtime's: whether an object's deinitializer has begun. It must not be retained then.
 */
extern bool swift_isDeallocating(void *object);

/* {==================================================================
** Making and finding them
** =================================================================== */

/* [-0, +1, m]  A proxy of nothing yet, without metatable, with room for so many Lua values.
   `is_full`: a waxwing_full_proxy. */
waxwing_proxy *waxwing_new_proxy(lua_State *L, int user_values, bool is_full);

/* [-0, +1, m]  One to be lent to call after call. It can be given any metatable at little cost. */
waxwing_proxy *waxwing_new_lent_proxy(lua_State *L);

/* [-0, +1, me]  A new one. Of objects it retains one more reference; of the other kinds it takes
   over what `pointer` owns, from the moment that it is pushed. Returns 1. */
int waxwing_push_proxy(lua_State *L, uint32_t kind, void *pointer, const void *type);
/* [-0, +1, -] or [-0, +0, -] and false: the object has none. */
bool waxwing_push_known_object(lua_State *L, void *object);
void waxwing_open_proxies(lua_State *L);
void waxwing_open_uint64(lua_State *L);

/* [-0, +1, me]  A function: from the moment that it is pushed it owns what `pointer` owns.
 * Returns 1.
 */
int waxwing_push_closure(lua_State *L, uint32_t kind, void *pointer, waxwing_callback *callback);
/* [state entered]  A function's, as if it had been collected. */
void waxwing_drop_closure(waxwing_state *state, waxwing_proxy *proxy);
void waxwing_end_lent_closure(waxwing_state *state, waxwing_proxy *proxy);
void waxwing_open_closures(lua_State *L);

/* [-0, +1, me]  The face of a type. Returns 1. */
int waxwing_push_face(lua_State *L, const void *type);
/* [-0, +0, -]  The type that the table at `index` is the face of; NULL: it is none. */
const void *waxwing_face_type(lua_State *L, int index);
void waxwing_open_faces(lua_State *L);

/* [-0, +0, m]  The global function `weak`. */
void waxwing_open_weak(lua_State *L);
/* A weak reference of Lua code's is nil from now on. */
void waxwing_end_weak_reference(waxwing_full_proxy *weak);

/* }================================================================== */

/* {==================================================================
** What is there for the length of a call: see waxwing_proxy.c
** =================================================================== */

/* [-0, +0, me]  The proxy on top. */
void waxwing_add_transient(lua_State *L, waxwing_proxy *proxy);
void waxwing_transients_end(void *mark);
/* Those since the mark go with a call that waits, which may go on on another thread. */
void *waxwing_transients_detach(void *mark);
void waxwing_transients_attach(void *detached);
/* When the state is closed: the proxies have gone with it. */
void waxwing_transients_forget(void *detached);

/* }================================================================== */

/* {==================================================================
** What dies with a call: see waxwing_seen.c
** =================================================================== */

/* A proxy that has just been made: if the running call keeps nothing it is let go at its end. */
void waxwing_proxy_seen(waxwing_state *state, waxwing_proxy *proxy);

/* One that was made before is pushed, and on top. */
void waxwing_proxy_seen_again(lua_State *L);

/* Lua code that may keep it is given the value at `index`, if that is a proxy. */
void waxwing_keep_proxy(lua_State *L, int index);

/* In its finalizer: no call has it any more. */
void waxwing_proxy_collected(lua_State *L, waxwing_proxy *proxy);

/* [state entered]  At the end of a call, before its lane is released. */
void waxwing_drop_seen(waxwing_lane *lane);

/* The same without letting anything go. */
void waxwing_forget_seen(waxwing_lane *lane);

/* [-1, +0, -]  What the function on top can do with what it sees. */
waxwing_keeping waxwing_keeping_on_top(lua_State *L);

/* }================================================================== */

/* {==================================================================
** Copies of properties: see waxwing_origin.c
** =================================================================== */

/* [-0, +0, -]  The proxy at `copy`, if it is that of a new value, came from `owner[key]`. */
void waxwing_connect(lua_State *L, int owner, int key, int copy);
/* [-0, +0, e]  Sets the property that the changed copy at `index` came from, unless Lua code keeps
   the copy in a variable. */
void waxwing_write_back(lua_State *L, int index);
void waxwing_open_origins(lua_State *L);

/* }================================================================== */

/* {==================================================================
** Tallies: how many proxies of one type hold something
** =================================================================== */

/* Finds or makes it; NULL: no memory. Lives as long as the state. */
waxwing_tally *waxwing_add_tally(waxwing_state *state, const void *type, uint32_t kind);
void waxwing_tally_proxy(waxwing_state *state, waxwing_tally *tally, int change);
void waxwing_free_tallies(waxwing_state *state);

/* [-0, +0, m]  A step of the collector if it is time for one. */
void waxwing_pace(lua_State *L);
/* After a complete collection. */
void waxwing_set_pace(waxwing_state *state);

/* }================================================================== */

/* {==================================================================
** Fields: (proxy, name, field, …) for reading, (proxy, name, value, …) for writing
** =================================================================== */

/* Of the table that describes a declared field. */
#define WAXWING_FIELD_DEFAULT 1 /* a value, or a function that makes it of the object */
#define WAXWING_FIELD_IS_MADE 2 /* which of them */

/* [-0, +1, ve]  Returns 1; or 0 and pushes nothing if the proxy is of no object. */
int waxwing_get_field(lua_State *L);
/* [-0, +0, me]  Returns false if the proxy is of no object. */
bool waxwing_set_field(lua_State *L);
/* (proxy) -> +1 or +0, m  A table of the names and values of its fields, for people to read. */
void waxwing_push_fields(lua_State *L);
/* [-0, +1, -]  The table of an object's fields, or nil. Returns its type. */
int waxwing_push_fields_of(lua_State *L, void *owner);
/* [-1, +0, -]  Sets it, for an object that has one. */
void waxwing_set_fields_of(lua_State *L, void *owner);
/* [-0, +0, -]  Forgets the fields of dead objects; looks at so many at most. */
void waxwing_sweep_fields(lua_State *L, size_t most);
/* When the Lua state is closed. */
void waxwing_forget_fields(waxwing_state *state);
void waxwing_open_fields(lua_State *L);

/* }================================================================== */

/* {==================================================================
** Cycles
** =================================================================== */

/* [-0, +?, m]  In a finalizer, of the proxy at 1: leaves it to the next collection, if it is not to
   give up what it holds in this one. Before anything that can raise it is safe. */
bool waxwing_postpone(lua_State *L, const waxwing_proxy *proxy);

/* After a collection of cycles: when the next is due. */
void waxwing_set_cycle_quota(waxwing_state *state);

/* }================================================================== */

#endif
