/* SPDX-License-Identifier: MIT
 *
 * Proxies: identity, member look-up, and giving up what they hold when collected.
 */
#include "wax_proxy.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_budget.h"
#include "wax_lua_call_private.h"
#include "wax_proxy_coroutine_end.h"
#include "wax_proxy_private.h"

static int release_proxy(lua_State *L);

/* Userdata of other kinds begin with an address, or with small numbers: these two bytes are in
   none. */
#define MAGIC 0xd7a5

extern void *swift_retain(void *object);

/* Where a metatable keeps its wax_proxy_live_count. */
#define LIVE_COUNT 1

const char wax_proxy_objects_key = 0;
const char wax_proxy_metatables_key = 0;

wax_proxy *wax_proxy_to_proxy(lua_State *L, int index) {
  wax_proxy *proxy = lua_touserdata(L, index);
  /* What a light userdata points to is not looked at: it has no length. */
  size_t size = proxy ? lua_rawlen(L, index) : 0;
  if (size != sizeof(wax_proxy) && size != sizeof(wax_proxy_full)) return NULL;
  return proxy->magic == MAGIC ? proxy : NULL; /* scripts cannot make userdata of their own */
}

wax_proxy *wax_proxy_new(lua_State *L, int user_values, bool is_full) {
  size_t size = is_full ? sizeof(wax_proxy_full) : sizeof(wax_proxy);
  wax_proxy *proxy = lua_newuserdatauv(L, size, user_values);
  memset(proxy, 0, size);
  proxy->magic = MAGIC;
  proxy->is_full = is_full;
  return proxy;
}

/* Lua looks for an object among all when its first metatable with a finalizer is set: but for the
   youngest. */
wax_proxy *wax_proxy_new_lent(lua_State *L) {
  wax_proxy *proxy = wax_proxy_new(L, 0, false);
  proxy->holds_nothing = true;
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, release_proxy);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return proxy;
}

/* [-0, +0, -]  Whether another proxy has taken the object's place, as this one was pending. */
static bool is_replaced(lua_State *L, const wax_proxy *proxy) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
  bool is_replaced = lua_rawgetp(L, -1, proxy->pointer) != LUA_TNIL;
  lua_pop(L, 2);
  return is_replaced;
}

bool wax_proxy_postpone(lua_State *L, const wax_proxy *proxy) {
  if (!wax_proxy_state_of(wax_lua_state_of(L))->postpones || !proxy || proxy->kind == 0)
    return false;
  bool is_object = proxy->kind == WAX_PROXY_KIND_OBJECT && !proxy->holds_nothing;
  if (is_object && is_replaced(L, proxy)) return false;
  lua_getmetatable(L, 1);
  lua_setmetatable(L, 1);
  if (!is_object) return true;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, -2, proxy->pointer);
  return true;
}

/* Its upvalue is the live count of the type. */
static int release_proxy(lua_State *L) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, 1);
  if (wax_proxy_postpone(L, proxy)) return 0;
  if (proxy) wax_proxy_collected(L, proxy);
  if (!proxy || proxy->kind == 0 || proxy->holds_nothing) return 0;
  wax_lua_state *state = wax_lua_state_of(L);
  uint32_t kind = proxy->kind;
  proxy->kind = 0;
  if (kind <= WAX_PROXY_KIND_ERROR) {
    wax_proxy_live_count_add(state, lua_touserdata(L, lua_upvalueindex(1)), -1);
    wax_lua_defer_release(state, kind, proxy->pointer, proxy->type);
  } else if (kind == WAX_PROXY_KIND_SUPER) {
    wax_lua_defer_release(state, WAX_PROXY_KIND_OBJECT, proxy->pointer, NULL);
  }
  return 0;
}

/* A type has a second metatable for what its subclasses' instances have of it. */
static const void *metatable_key(const void *type, uint32_t kind) {
  if (!type) return (const void *)(uintptr_t)kind;
  return (const char *)type + (kind == WAX_PROXY_KIND_SUPER);
}

/* [-0, +2, e]  The table of metatables, and the one for `type` or `kind`. */
static void push_metatable(lua_State *L, const void *type, uint32_t kind) {
  const void *key = metatable_key(type, kind);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_metatables_key);
  if (lua_rawgetp(L, -1, key) == LUA_TNIL) {
    wax_lua_state *state = wax_lua_state_of(L);
    wax_proxy_state *proxies = wax_proxy_state_of(state);
    lua_pop(L, 1);
    if (!proxies->hooks.make_metatable(proxies->hooks.context, L, type, kind))
      luaL_error(L, "not enough memory for a metatable");
    if (lua_rawgetp(L, -1, key) == LUA_TNIL) luaL_error(L, "a Swift type has no metatable");
  }
}

/* {==================================================================
** What is there for the length of a call
**
** A deinitializer may call an override with `self`. Such an object must not be retained: its proxy
** holds nothing, and is cut off when the call that pushed it returns, before the object is gone.
** So is a closure that does not escape: its context is on its maker's stack.
** =================================================================== */

typedef struct wax_proxy_transient {
  wax_lua_state *state;
  wax_proxy *proxy; /* in the transients table, so that it stays */
  struct wax_proxy_transient *outer;
} wax_proxy_transient;

static const char transients_key = 0; /* object -> proxy */

void wax_proxy_transients_end(void *mark) {
  while (wax_lua_transients != mark) {
    wax_proxy_transient *transient = wax_lua_transients;
    wax_lua_transients = transient->outer;
    lua_State *L = transient->state->main;
    wax_proxy_end_lent_closure(transient->state, transient->proxy);
    transient->proxy->kind = 0;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &transients_key);
    lua_pushnil(L);
    lua_rawsetp(L, -2, transient->proxy->pointer); /* the key is there: nothing is allocated */
    lua_pop(L, 1);
    free(transient);
  }
}

void *wax_proxy_transients_detach(void *mark) {
  wax_proxy_transient *newest = wax_lua_transients;
  if (newest == mark) return NULL;
  wax_proxy_transient *oldest = newest;
  while (oldest->outer != mark) oldest = oldest->outer;
  oldest->outer = NULL;
  wax_lua_transients = mark;
  return newest;
}

void wax_proxy_transients_attach(void *detached) {
  wax_proxy_transient *oldest = detached;
  if (!oldest) return;
  while (oldest->outer) oldest = oldest->outer;
  oldest->outer = wax_lua_transients;
  wax_lua_transients = detached;
}

void wax_proxy_transients_forget(void *detached) {
  for (wax_proxy_transient *transient = detached; transient;) {
    wax_proxy_transient *outer = transient->outer;
    free(transient);
    transient = outer;
  }
}

/* [-0, +0, me]  Registers the proxy on top. The key comes first, as only making it may raise. */
void wax_proxy_add_transient(lua_State *L, wax_proxy *proxy) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &transients_key);
  lua_pushboolean(L, 0);
  lua_rawsetp(L, -2, proxy->pointer);
  wax_proxy_transient *transient = malloc(sizeof *transient);
  if (transient)
    lua_pushvalue(L, -2);
  else
    lua_pushnil(L);
  lua_rawsetp(L, -2, proxy->pointer);
  lua_pop(L, 1);
  if (!transient) luaL_error(L, "not enough memory");
  *transient = (wax_proxy_transient){wax_lua_state_of(L), proxy, wax_lua_transients};
  wax_lua_transients = transient;
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

bool wax_proxy_push_known_object(lua_State *L, void *object) {
  if (!push_from(L, &wax_proxy_objects_key, object)) return false;
  wax_proxy_seen_again(L);
  return true;
}

bool wax_proxy_has_proxy(wax_lua_state *state, const void *object) {
  lua_State *L = state->main;
  if (!lua_checkstack(L, 2) || !push_from(L, &wax_proxy_objects_key, (void *)object)) return false;
  lua_pop(L, 1);
  return true;
}

/* What dies with a call, has an origin, or may do so later. */
static bool is_full(const wax_lua_state *state, uint32_t kind) {
  return kind == WAX_PROXY_KIND_VALUE || kind == WAX_PROXY_KIND_PENDING ||
         wax_proxy_dies_with_call(state);
}

/* [-0, +1, m]  A new proxy of the type whose metatable is on top. */
static wax_proxy *push_new(lua_State *L, uint32_t kind, void *pointer, const void *type,
                           wax_proxy_live_count **live_count) {
  lua_rawgeti(L, -1, LIVE_COUNT);
  *live_count = lua_touserdata(L, -1);
  lua_settop(L, -2);
  bool full = is_full(wax_lua_state_of(L), kind);
  wax_proxy *proxy = wax_proxy_new(L, kind == WAX_PROXY_KIND_VALUE ? 2 : 0, full);
  proxy->pointer = pointer;
  proxy->type = type;
  lua_pushvalue(L, -2);
  lua_setmetatable(L, -2);
  return proxy;
}

/* [-0, +0, m]  One that is whole, and counts as one that holds something. */
static void count_new(lua_State *L, wax_proxy *proxy, wax_proxy_live_count *live_count) {
  wax_lua_state *state = wax_lua_state_of(L);
  wax_proxy_seen(state, proxy);
  if (proxy->is_full) wax_proxy_to_full(proxy)->live_count = live_count;
  wax_proxy_live_count_add(state, live_count, 1);
  wax_proxy_collector_pace(L);
}

/* [-0, +1, me]  A new proxy. Of objects it retains one more reference; of the other kinds it takes
   over what `pointer` owns, from the moment that it is pushed. */
int wax_proxy_push(lua_State *L, uint32_t kind, void *pointer, const void *type) {
  wax_proxy_live_count *live_count;
  bool is_transient = kind == WAX_PROXY_KIND_OBJECT && swift_isDeallocating(pointer);
  if (is_transient && push_from(L, &transients_key, pointer)) return 1;
  push_metatable(L, type, kind);
  wax_proxy *proxy = push_new(L, kind, pointer, type, &live_count);
  lua_copy(L, -1, -3);
  lua_settop(L, -3);
  if (is_transient) {
    wax_proxy_add_transient(L, proxy);
    proxy->holds_nothing = true;
  } else if (kind == WAX_PROXY_KIND_OBJECT) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
    lua_pushvalue(L, -2);
    lua_rawsetp(L, -2, pointer);
    lua_pop(L, 1);
    swift_retain(pointer);
  } else if (kind == WAX_PROXY_KIND_SUPER) {
    swift_retain(pointer);
  }
  proxy->kind = kind; /* nothing raises from here on */
  if (kind <= WAX_PROXY_KIND_ERROR && !is_transient)
    count_new(L, proxy, live_count);
  else if (kind == WAX_PROXY_KIND_SUPER)
    wax_proxy_seen(wax_lua_state_of(L), proxy);
  return 1;
}

/* The same for most objects, without a look at any table twice. */
bool wax_proxy_push_object_at_once(lua_State *L, void *object) {
  const void *type = *(const void **)object;
  wax_proxy_live_count *live_count;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
  if (lua_rawgetp(L, -1, object) == LUA_TUSERDATA) {
    lua_copy(L, -1, -2);
    lua_settop(L, -2);
    wax_proxy_seen_again(L);
    return true;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_metatables_key); /* (objects, nil, metatables) */
  if (swift_isDeallocating(object) || lua_rawgetp(L, -1, type) != LUA_TTABLE) {
    lua_settop(L, swift_isDeallocating(object) ? -4 : -5);
    return false;
  }
  wax_proxy *proxy = push_new(L, WAX_PROXY_KIND_OBJECT, object, type, &live_count);
  lua_pushvalue(L, -1); /* (objects, nil, metatables, metatable, proxy, proxy) */
  lua_rawsetp(L, -6, object);
  lua_copy(L, -1, -5);
  lua_settop(L, -5);
  swift_retain(object);
  proxy->kind = WAX_PROXY_KIND_OBJECT; /* nothing raises from here on */
  count_new(L, proxy, live_count);
  return true;
}

/* (proxy, object): makes the proxy the object's, unless it has one already. */
static int register_protected(lua_State *L) {
  void *object = lua_touserdata(L, 2);
  if (wax_proxy_push_known_object(L, object)) return 0;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, -2, object);
  return 0;
}

bool wax_proxy_initialize(lua_State *L, int index, uint32_t kind, void *pointer, const void *type) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, index);
  if (!proxy || proxy->kind != WAX_PROXY_KIND_PENDING || !lua_checkstack(L, 4)) return false;
  if (kind == WAX_PROXY_KIND_OBJECT) {
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
  lua_rawgeti(L, -1, LIVE_COUNT);
  wax_proxy_live_count *live_count = lua_touserdata(L, -1);
  wax_proxy_to_full(proxy)->live_count = live_count; /* it was pending */
  wax_proxy_live_count_add(wax_lua_state_of(L), live_count, 1);
  lua_pop(L, 2);
  wax_proxy_seen(wax_lua_state_of(L), proxy);
  return true;
}

void wax_proxy_buffer_discard(wax_lua_state *state, wax_lua_buffer *buffer) {
  for (uint32_t i = 0; i + 1 < buffer->count; i++) {
    wax_lua_value *value = &buffer->values[i];
    if (value->tag != WAX_LUA_VALUE_NEW_PROXY) continue;
    if (value->count != WAX_PROXY_KIND_OBJECT && wax_proxy_owns(value->count))
      wax_lua_defer_release(state, value->count, value->pointer, value[1].pointer);
    value->count = 0;
  }
}

/* {==================================================================
** Members
** =================================================================== */

/* The members that a metatable knows, by name, for reading and for writing:
 *
 *   function        a method
 *   light userdata  an accessor: a wax_lua_callback
 *   table           a field that Lua code has declared
 */

/* Runs `get` or `set` (second upvalue) and caches what it found in the members (first upvalue). */
static int run_and_cache(lua_State *L, wax_lua_callback *callback);

/* (owner, key, …, result): a copy of what the owner has at the key remembers that. */
static int with_source(lua_State *L, int results) {
  if (results == 1 && (lua_type(L, -1) == LUA_TUSERDATA || lua_type(L, -1) == LUA_TTABLE))
    wax_proxy_set_writeback_source(L, 1, 2, -1);
  return results;
}

/* (proxy, name) -> value */
static int proxy_index(lua_State *L) {
  lua_pushvalue(L, 2);
  switch (lua_rawget(L, lua_upvalueindex(1))) {
    case LUA_TFUNCTION: return 1;
    case LUA_TLIGHTUSERDATA: /* what is above the proxy, and the name, does no harm */
      return with_source(L, wax_lua_run_member_callback(L, lua_touserdata(L, -1), 1, NULL));
    case LUA_TTABLE:
      if (wax_proxy_get_field(L)) return 1; /* fall through: the callback says why not */
    default:
      lua_settop(L, 2);
      return with_source(L, run_and_cache(L, lua_touserdata(L, lua_upvalueindex(2))));
  }
}

/* (proxy, name, value) */
static int proxy_newindex(lua_State *L) {
  lua_pushvalue(L, 2);
  int type = lua_rawget(L, lua_upvalueindex(1));
  if (type == LUA_TLIGHTUSERDATA) {
    wax_lua_callback *setter = lua_touserdata(L, -1);
    lua_copy(L, 3, 2);
    lua_settop(L, 2);
    return wax_lua_run_callback(L, setter);
  }
  if (type == LUA_TTABLE && wax_proxy_set_field(L)) return 0;
  lua_settop(L, 3);
  return run_and_cache(L, lua_touserdata(L, lua_upvalueindex(2)));
}

/* Swift looks at all that is in the value: in instructions. */
#define DESCRIPTION_COST 2000

static int proxy_describe(lua_State *L) {
  lua_settop(L, 1);
  wax_lua_budget_consume(L, DESCRIPTION_COST);
  wax_proxy_push_fields(L);
  return wax_lua_run_callback(L, lua_touserdata(L, lua_upvalueindex(1)));
}

static bool is_value(const wax_proxy *proxy) {
  return proxy && (proxy->kind == WAX_PROXY_KIND_VALUE || proxy->kind == WAX_PROXY_KIND_ERROR);
}

/* The same object behind two proxies (one was pending while another was made) is one object. Values
   are asked. */
static int proxy_equals(lua_State *L) {
  wax_proxy *left = wax_proxy_to_proxy(L, 1);
  wax_proxy *right = wax_proxy_to_proxy(L, 2);
  wax_lua_callback *equals = lua_touserdata(L, lua_upvalueindex(1));
  if (is_value(left) && is_value(right) && equals) return wax_lua_run_callback(L, equals);
  lua_pushboolean(L, left && right && wax_proxy_is_object(left->kind) &&
                         wax_proxy_is_object(right->kind) && left->pointer == right->pointer);
  return 1;
}

/* Lua passes the operand of a unary operator twice. */
static int proxy_operate(lua_State *L) {
  lua_settop(L, (int)lua_tointeger(L, lua_upvalueindex(2)));
  return wax_lua_run_callback(L, lua_touserdata(L, lua_upvalueindex(1)));
}

static int call_upvalue(lua_State *L) {
  return wax_lua_run_callback(L, lua_touserdata(L, lua_upvalueindex(1)));
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
                         wax_lua_callback *callback) {
  lua_pushlightuserdata(L, callback);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

typedef struct definition {
  const void *key;
  const wax_proxy_metatable *metatable;
  wax_proxy_live_count *live_count;
} definition;

static int define_protected(lua_State *L) {
  definition *request = lua_touserdata(L, 1);
  const wax_proxy_metatable *metatable = request->metatable;
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
    const wax_proxy_event *event = &metatable->events[i];
    lua_pushlightuserdata(L, event->callback);
    lua_pushinteger(L, event->operands);
    lua_pushcclosure(L, proxy_operate, 2);
    lua_setfield(L, -2, event->name);
  }
  if (metatable->length) set_callback(L, "__len", proxy_length, metatable->length);
  if (metatable->entries) set_callback(L, "__pairs", proxy_pairs, metatable->entries);
  lua_pushlightuserdata(L, request->live_count);
  lua_rawseti(L, -2, LIVE_COUNT);
  lua_pushlightuserdata(L, request->live_count);
  lua_pushcclosure(L, release_proxy, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushstring(L, metatable->name);
  lua_setfield(L, -2, "__name");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_metatables_key);
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, request->key);
  return 0;
}

bool wax_proxy_define_metatable(lua_State *L, const void *type, uint32_t kind,
                                const wax_proxy_metatable *metatable) {
  bool is_counted = kind != WAX_PROXY_KIND_SUPER;
  wax_proxy_live_count *live_count = NULL;
  if (is_counted) live_count = wax_proxy_live_count_of(wax_lua_state_of(L), type, kind);
  definition request = {metatable_key(type, kind), metatable, live_count};
  if ((is_counted && !live_count) || !lua_checkstack(L, 4)) return false;
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
  if (is_read) return wax_proxy_get_field(L);
  wax_proxy_set_field(L);
  return 0;
}

/* Calls what the callback found: a Lua function, as a getter with the owner, as a setter with the
   value too. */
static int call_accessor(lua_State *L, int reference) {
  bool is_read = lua_gettop(L) == 2;
  wax_proxy_keep(L, 1);
  if (!is_read) wax_proxy_keep(L, 3);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_pushvalue(L, 1);
  if (!is_read) lua_pushvalue(L, 3);
  lua_call(L, is_read ? 1 : 2, is_read ? 1 : 0);
  return is_read ? 1 : 0;
}

static int run_and_cache(lua_State *L, wax_lua_callback *callback) {
  wax_lua_member member = {0};
  wax_lua_budget_consume(L, 1);
  int results = wax_lua_run_member_callback(L, callback, lua_gettop(L), &member);
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

void wax_proxy_open(lua_State *L) {
  wax_proxy_push_weak_table(L, "v");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &transients_key);
  wax_proxy_open_writeback(L);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &wax_proxy_metatables_key);
}
