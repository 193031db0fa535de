/* SPDX-License-Identifier: MIT
 *
 * Proxies: identity, member look-up, and giving up what they hold when collected.
 */
#include "waxwing_proxy.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "waxwing_budget.h"
#include "waxwing_call_private.h"
#include "waxwing_lane_end.h"
#include "waxwing_proxy_private.h"

static int release_proxy(lua_State *L);

/* Userdata of other kinds begin with an address, or with small numbers: these two bytes are in
   none. */
#define MAGIC 0xd7a5

extern void *swift_retain(void *object);

/* Where a metatable keeps its waxwing_tally. */
#define TALLY 1

const char waxwing_proxies_key = 0;
const char waxwing_metatables_key = 0;

waxwing_proxy *waxwing_to_proxy(lua_State *L, int index) {
  waxwing_proxy *proxy = lua_touserdata(L, index);
  /* What a light userdata points to is not looked at: it has no length. */
  size_t size = proxy ? lua_rawlen(L, index) : 0;
  if (size != sizeof(waxwing_proxy) && size != sizeof(waxwing_full_proxy)) return NULL;
  return proxy->magic == MAGIC ? proxy : NULL; /* scripts cannot make userdata of their own */
}

waxwing_proxy *waxwing_new_proxy(lua_State *L, int user_values, bool is_full) {
  size_t size = is_full ? sizeof(waxwing_full_proxy) : sizeof(waxwing_proxy);
  waxwing_proxy *proxy = lua_newuserdatauv(L, size, user_values);
  memset(proxy, 0, size);
  proxy->magic = MAGIC;
  proxy->is_full = is_full;
  return proxy;
}

/* Lua looks for an object among all when its first metatable with a finalizer is set: but for the
   youngest. */
waxwing_proxy *waxwing_new_lent_proxy(lua_State *L) {
  waxwing_proxy *proxy = waxwing_new_proxy(L, 0, false);
  proxy->holds_nothing = true;
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, release_proxy);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return proxy;
}

/* [-0, +0, -]  Whether another proxy has taken the object's place, as this one was pending. */
static bool is_replaced(lua_State *L, const waxwing_proxy *proxy) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
  bool is_replaced = lua_rawgetp(L, -1, proxy->pointer) != LUA_TNIL;
  lua_pop(L, 2);
  return is_replaced;
}

bool waxwing_postpone(lua_State *L, const waxwing_proxy *proxy) {
  if (!waxwing_proxies_of(waxwing_state_of(L))->postpones || !proxy || proxy->kind == 0)
    return false;
  bool is_object = proxy->kind == WAXWING_PROXY_OBJECT && !proxy->holds_nothing;
  if (is_object && is_replaced(L, proxy)) return false;
  lua_getmetatable(L, 1);
  lua_setmetatable(L, 1);
  if (!is_object) return true;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, -2, proxy->pointer);
  return true;
}

/* Its upvalue is the tally of the type. */
static int release_proxy(lua_State *L) {
  waxwing_proxy *proxy = waxwing_to_proxy(L, 1);
  if (waxwing_postpone(L, proxy)) return 0;
  if (proxy) waxwing_proxy_collected(L, proxy);
  if (!proxy || proxy->kind == 0 || proxy->holds_nothing) return 0;
  waxwing_state *state = waxwing_state_of(L);
  uint32_t kind = proxy->kind;
  proxy->kind = 0;
  if (kind <= WAXWING_PROXY_ERROR) {
    waxwing_tally_proxy(state, lua_touserdata(L, lua_upvalueindex(1)), -1);
    waxwing_defer_release(state, kind, proxy->pointer, proxy->type);
  } else if (kind == WAXWING_PROXY_SUPER) {
    waxwing_defer_release(state, WAXWING_PROXY_OBJECT, proxy->pointer, NULL);
  }
  return 0;
}

/* A type has a second metatable for what its subclasses' instances have of it. */
static const void *metatable_key(const void *type, uint32_t kind) {
  if (!type) return (const void *)(uintptr_t)kind;
  return (const char *)type + (kind == WAXWING_PROXY_SUPER);
}

/* [-0, +1, e]  The metatable for `type` or `kind`. */
static void push_metatable(lua_State *L, const void *type, uint32_t kind) {
  const void *key = metatable_key(type, kind);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_metatables_key);
  if (lua_rawgetp(L, -1, key) == LUA_TNIL) {
    waxwing_state *state = waxwing_state_of(L);
    waxwing_proxy_state *proxies = waxwing_proxies_of(state);
    lua_pop(L, 1);
    if (!proxies->hooks.make_metatable(proxies->hooks.context, L, type, kind))
      luaL_error(L, "not enough memory for a metatable");
    if (lua_rawgetp(L, -1, key) == LUA_TNIL) luaL_error(L, "a Swift type has no metatable");
  }
  lua_remove(L, -2);
}

/* {==================================================================
** What is there for the length of a call
**
** A deinitializer may call an override with `self`. Such an object must not be retained: its proxy
** holds nothing, and is cut off when the call that pushed it returns, before the object is gone.
** So is a closure that does not escape: its context is on its maker's stack.
** =================================================================== */

typedef struct waxwing_transient {
  waxwing_state *state;
  waxwing_proxy *proxy; /* in the transients table, so that it stays */
  struct waxwing_transient *outer;
} waxwing_transient;

static const char transients_key = 0; /* object -> proxy */

void waxwing_transients_end(void *mark) {
  while (waxwing_transients != mark) {
    waxwing_transient *transient = waxwing_transients;
    waxwing_transients = transient->outer;
    lua_State *L = transient->state->main;
    waxwing_end_lent_closure(transient->state, transient->proxy);
    transient->proxy->kind = 0;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &transients_key);
    lua_pushnil(L);
    lua_rawsetp(L, -2, transient->proxy->pointer); /* the key is there: nothing is allocated */
    lua_pop(L, 1);
    free(transient);
  }
}

void *waxwing_transients_detach(void *mark) {
  waxwing_transient *newest = waxwing_transients;
  if (newest == mark) return NULL;
  waxwing_transient *oldest = newest;
  while (oldest->outer != mark) oldest = oldest->outer;
  oldest->outer = NULL;
  waxwing_transients = mark;
  return newest;
}

void waxwing_transients_attach(void *detached) {
  waxwing_transient *oldest = detached;
  if (!oldest) return;
  while (oldest->outer) oldest = oldest->outer;
  oldest->outer = waxwing_transients;
  waxwing_transients = detached;
}

void waxwing_transients_forget(void *detached) {
  for (waxwing_transient *transient = detached; transient;) {
    waxwing_transient *outer = transient->outer;
    free(transient);
    transient = outer;
  }
}

/* [-0, +0, me]  Registers the proxy on top. The key comes first, as only making it may raise. */
void waxwing_add_transient(lua_State *L, waxwing_proxy *proxy) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &transients_key);
  lua_pushboolean(L, 0);
  lua_rawsetp(L, -2, proxy->pointer);
  waxwing_transient *transient = malloc(sizeof *transient);
  if (transient)
    lua_pushvalue(L, -2);
  else
    lua_pushnil(L);
  lua_rawsetp(L, -2, proxy->pointer);
  lua_pop(L, 1);
  if (!transient) luaL_error(L, "not enough memory");
  *transient = (waxwing_transient){waxwing_state_of(L), proxy, waxwing_transients};
  waxwing_transients = transient;
}

/* }================================================================== */

static bool push_from(lua_State *L, const void *table_key, void *object) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, table_key);
  if (lua_rawgetp(L, -1, object) == LUA_TUSERDATA) {
    lua_remove(L, -2);
    return true;
  }
  lua_pop(L, 2);
  return false;
}

bool waxwing_push_known_object(lua_State *L, void *object) {
  if (!push_from(L, &waxwing_proxies_key, object)) return false;
  waxwing_proxy_seen_again(L);
  return true;
}

bool waxwing_has_proxy(waxwing_state *state, const void *object) {
  lua_State *L = state->main;
  if (!lua_checkstack(L, 2) || !push_from(L, &waxwing_proxies_key, (void *)object)) return false;
  lua_pop(L, 1);
  return true;
}

/* What dies with a call, has an origin, or may do so later. */
static bool is_full(const waxwing_state *state, uint32_t kind) {
  return kind == WAXWING_PROXY_VALUE || kind == WAXWING_PROXY_PENDING ||
         waxwing_dies_with_call(state);
}

/* [-0, +1, me]  A new proxy. Of objects it retains one more reference; of the other kinds it takes
   over what `pointer` owns, from the moment that it is pushed. */
int waxwing_push_proxy(lua_State *L, uint32_t kind, void *pointer, const void *type) {
  waxwing_state *state = waxwing_state_of(L);
  bool is_transient = kind == WAXWING_PROXY_OBJECT && swift_isDeallocating(pointer);
  if (is_transient && push_from(L, &transients_key, pointer)) return 1;
  push_metatable(L, type, kind);
  lua_rawgeti(L, -1, TALLY);
  waxwing_tally *tally = lua_touserdata(L, -1);
  lua_pop(L, 1);
  waxwing_proxy *proxy =
      waxwing_new_proxy(L, kind == WAXWING_PROXY_VALUE ? 2 : 0, is_full(state, kind));
  proxy->pointer = pointer;
  proxy->type = type;
  lua_pushvalue(L, -2);
  lua_setmetatable(L, -2);
  lua_remove(L, -2);
  if (is_transient) {
    waxwing_add_transient(L, proxy);
    proxy->holds_nothing = true;
  } else if (kind == WAXWING_PROXY_OBJECT) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
    lua_pushvalue(L, -2);
    lua_rawsetp(L, -2, pointer);
    lua_pop(L, 1);
    swift_retain(pointer);
  } else if (kind == WAXWING_PROXY_SUPER) {
    swift_retain(pointer);
  }
  proxy->kind = kind; /* nothing raises from here on */
  if (!is_transient && (kind <= WAXWING_PROXY_ERROR || kind == WAXWING_PROXY_SUPER))
    waxwing_proxy_seen(state, proxy);
  if (kind > WAXWING_PROXY_ERROR || is_transient) return 1;
  if (proxy->is_full) waxwing_to_full(proxy)->tally = tally;
  waxwing_tally_proxy(state, tally, 1);
  waxwing_pace(L);
  return 1;
}

/* (proxy, object): makes the proxy the object's, unless it has one already. */
static int register_protected(lua_State *L) {
  void *object = lua_touserdata(L, 2);
  if (waxwing_push_known_object(L, object)) return 0;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, -2, object);
  return 0;
}

bool waxwing_fulfil(lua_State *L, int index, uint32_t kind, void *pointer, const void *type) {
  waxwing_proxy *proxy = waxwing_to_proxy(L, index);
  if (!proxy || proxy->kind != WAXWING_PROXY_PENDING || !lua_checkstack(L, 4)) return false;
  if (kind == WAXWING_PROXY_OBJECT) {
    index = lua_absindex(L, index);
    lua_pushcfunction(L, register_protected);
    lua_pushvalue(L, index);
    lua_pushlightuserdata(L, pointer);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
      lua_pop(L, 1);
      return false;
    }
  }
  proxy->pointer = pointer;
  proxy->type = type;
  proxy->kind = kind;
  lua_getmetatable(L, index);
  lua_rawgeti(L, -1, TALLY);
  waxwing_tally *tally = lua_touserdata(L, -1);
  waxwing_to_full(proxy)->tally = tally; /* it was pending */
  waxwing_tally_proxy(waxwing_state_of(L), tally, 1);
  lua_pop(L, 2);
  waxwing_proxy_seen(waxwing_state_of(L), proxy);
  return true;
}

void waxwing_buffer_discard(waxwing_state *state, waxwing_buffer *buffer) {
  for (uint32_t i = 0; i + 1 < buffer->count; i++) {
    waxwing_value *value = &buffer->values[i];
    if (value->tag != WAXWING_NEW_PROXY) continue;
    if (value->count != WAXWING_PROXY_OBJECT && waxwing_proxy_owns(value->count))
      waxwing_defer_release(state, value->count, value->pointer, value[1].pointer);
    value->count = 0;
  }
}

/* {==================================================================
** Members
** =================================================================== */

/* The members that a metatable knows, by name, for reading and for writing:
 *
 *   function        a method
 *   light userdata  an accessor: a waxwing_callback
 *   table           a field that Lua code has declared
 */

/* Runs `get` or `set` (second upvalue) and caches what it found in the members (first upvalue). */
static int run_and_cache(lua_State *L, waxwing_callback *callback);

/* (owner, key, …, result): a copy of what the owner has at the key remembers that. */
static int connected(lua_State *L, int results) {
  if (results == 1 && (lua_type(L, -1) == LUA_TUSERDATA || lua_type(L, -1) == LUA_TTABLE))
    waxwing_connect(L, 1, 2, -1);
  return results;
}

/* (proxy, name) -> value */
static int proxy_index(lua_State *L) {
  lua_pushvalue(L, 2);
  switch (lua_rawget(L, lua_upvalueindex(1))) {
    case LUA_TFUNCTION: return 1;
    case LUA_TLIGHTUSERDATA: /* what is above the proxy, and the name, does no harm */
      return connected(L, waxwing_run_member_callback(L, lua_touserdata(L, -1), 1, NULL));
    case LUA_TTABLE:
      if (waxwing_get_field(L)) return 1; /* fall through: the callback says why not */
    default:
      lua_settop(L, 2);
      return connected(L, run_and_cache(L, lua_touserdata(L, lua_upvalueindex(2))));
  }
}

/* (proxy, name, value) */
static int proxy_newindex(lua_State *L) {
  lua_pushvalue(L, 2);
  int type = lua_rawget(L, lua_upvalueindex(1));
  if (type == LUA_TLIGHTUSERDATA) {
    waxwing_callback *setter = lua_touserdata(L, -1);
    lua_copy(L, 3, 2);
    lua_settop(L, 2);
    return waxwing_run_callback(L, setter);
  }
  if (type == LUA_TTABLE && waxwing_set_field(L)) return 0;
  lua_settop(L, 3);
  return run_and_cache(L, lua_touserdata(L, lua_upvalueindex(2)));
}

/* Swift looks at all that is in the value: in instructions. */
#define DESCRIPTION_COST 2000

static int proxy_describe(lua_State *L) {
  lua_settop(L, 1);
  waxwing_charge(L, DESCRIPTION_COST);
  waxwing_push_fields(L);
  return waxwing_run_callback(L, lua_touserdata(L, lua_upvalueindex(1)));
}

static bool is_value(const waxwing_proxy *proxy) {
  return proxy && (proxy->kind == WAXWING_PROXY_VALUE || proxy->kind == WAXWING_PROXY_ERROR);
}

/* The same object behind two proxies (one was pending while another was made) is one object. Values
   are asked. */
static int proxy_equals(lua_State *L) {
  waxwing_proxy *left = waxwing_to_proxy(L, 1);
  waxwing_proxy *right = waxwing_to_proxy(L, 2);
  waxwing_callback *equals = lua_touserdata(L, lua_upvalueindex(1));
  if (is_value(left) && is_value(right) && equals) return waxwing_run_callback(L, equals);
  lua_pushboolean(L, left && right && waxwing_is_object(left->kind) &&
                         waxwing_is_object(right->kind) && left->pointer == right->pointer);
  return 1;
}

/* Lua passes the operand of a unary operator twice. */
static int proxy_operate(lua_State *L) {
  lua_settop(L, (int)lua_tointeger(L, lua_upvalueindex(2)));
  return waxwing_run_callback(L, lua_touserdata(L, lua_upvalueindex(1)));
}

static int call_upvalue(lua_State *L) {
  return waxwing_run_callback(L, lua_touserdata(L, lua_upvalueindex(1)));
}

static int proxy_length(lua_State *L) {
  lua_settop(L, 1);
  return call_upvalue(L);
}

/* (state, previous key) -> key, value; upvalues: the sequence, the place in it */
static int next_entry(lua_State *L) {
  lua_Integer place = lua_tointeger(L, lua_upvalueindex(2));
  lua_pushinteger(L, place + 2);
  lua_replace(L, lua_upvalueindex(2));
  lua_rawgeti(L, lua_upvalueindex(1), place + 1);
  lua_rawgeti(L, lua_upvalueindex(1), place + 2);
  return 2;
}

/* The entries as they are when the loop begins. */
static int proxy_pairs(lua_State *L) {
  lua_settop(L, 1);
  if (call_upvalue(L) != 1) luaL_error(L, "no entries");
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_entry, 2);
  return 1;
}

/* [-0, +0, me]  table[name] = function, whose upvalue is the callback; the table is on top. */
static void set_callback(lua_State *L, const char *name, lua_CFunction function,
                         waxwing_callback *callback) {
  lua_pushlightuserdata(L, callback);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

typedef struct definition {
  const void *key;
  const waxwing_metatable *metatable;
  waxwing_tally *tally;
} definition;

static int define_protected(lua_State *L) {
  definition *request = lua_touserdata(L, 1);
  const waxwing_metatable *metatable = request->metatable;
  lua_createtable(L, 0, 10 + metatable->event_count);
  if (metatable->members_vary) {
    set_callback(L, "__index", call_upvalue, metatable->get);
    set_callback(L, "__newindex", call_upvalue, metatable->set);
  } else {
    lua_newtable(L);
    lua_pushlightuserdata(L, metatable->get);
    lua_pushcclosure(L, proxy_index, 2);
    lua_setfield(L, -2, "__index");
    lua_newtable(L);
    lua_pushlightuserdata(L, metatable->set);
    lua_pushcclosure(L, proxy_newindex, 2);
    lua_setfield(L, -2, "__newindex");
  }
  set_callback(L, "__tostring", proxy_describe, metatable->describe);
  set_callback(L, "__eq", proxy_equals, metatable->equals);
  for (int i = 0; i < metatable->event_count; i++) {
    const waxwing_event *event = &metatable->events[i];
    lua_pushlightuserdata(L, event->callback);
    lua_pushinteger(L, event->operands);
    lua_pushcclosure(L, proxy_operate, 2);
    lua_setfield(L, -2, event->name);
  }
  if (metatable->length) set_callback(L, "__len", proxy_length, metatable->length);
  if (metatable->entries) set_callback(L, "__pairs", proxy_pairs, metatable->entries);
  lua_pushlightuserdata(L, request->tally);
  lua_rawseti(L, -2, TALLY);
  lua_pushlightuserdata(L, request->tally);
  lua_pushcclosure(L, release_proxy, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushstring(L, metatable->name);
  lua_setfield(L, -2, "__name");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_metatables_key);
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, request->key);
  return 0;
}

bool waxwing_define_metatable(lua_State *L, const void *type, uint32_t kind,
                              const waxwing_metatable *metatable) {
  bool is_counted = kind != WAXWING_PROXY_SUPER;
  waxwing_tally *tally = NULL;
  if (is_counted) tally = waxwing_add_tally(waxwing_state_of(L), type, kind);
  definition request = {metatable_key(type, kind), metatable, tally};
  if ((is_counted && !tally) || !lua_checkstack(L, 4)) return false;
  lua_pushcfunction(L, define_protected);
  lua_pushlightuserdata(L, &request);
  int status = lua_pcall(L, 1, 0, 0);
  if (status != LUA_OK) lua_pop(L, 1);
  return status == LUA_OK;
}

static void add_member(lua_State *L, int name, int value) {
  lua_pushvalue(L, name);
  lua_pushvalue(L, value);
  lua_rawset(L, lua_upvalueindex(1));
}

/* What the callback found is a declared field: caches that, and reads or writes it. */
static int access_field(lua_State *L, int reference) {
  bool is_read = lua_gettop(L) == 2;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  add_member(L, 2, lua_gettop(L));
  if (is_read) return waxwing_get_field(L);
  waxwing_set_field(L);
  return 0;
}

/* Calls what the callback found: a Lua function, as a getter with the owner, as a setter with the
   value too. */
static int call_accessor(lua_State *L, int reference) {
  bool is_read = lua_gettop(L) == 2;
  waxwing_keep_proxy(L, 1);
  if (!is_read) waxwing_keep_proxy(L, 3);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_pushvalue(L, 1);
  if (!is_read) lua_pushvalue(L, 3);
  lua_call(L, is_read ? 1 : 2, is_read ? 1 : 0);
  return is_read ? 1 : 0;
}

static int run_and_cache(lua_State *L, waxwing_callback *callback) {
  waxwing_member member = {0};
  waxwing_charge(L, 1);
  int results = waxwing_run_member_callback(L, callback, lua_gettop(L), &member);
  if (member.field) return access_field(L, member.field);
  if (member.accessor_function) return call_accessor(L, member.accessor_function);
  if (member.accessor) {
    lua_pushlightuserdata(L, member.accessor);
    add_member(L, 2, lua_gettop(L));
    lua_pop(L, 1);
  } else if (member.keeps_result && results == 1) {
    add_member(L, 2, lua_gettop(L));
  }
  return results;
}

/* }================================================================== */

void waxwing_open_proxies(lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &transients_key);
  waxwing_open_origins(L);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &waxwing_metatables_key);
}
