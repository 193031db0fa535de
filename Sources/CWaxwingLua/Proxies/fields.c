/* SPDX-License-Identifier: MIT
 *
 * Fields that Lua code gives to Swift objects. They live as long as the object, not as long as its
 * proxy.
 *
 *   registry[fields_key]: object -> table of its fields, for objects that have had one set
 *   state->field_owners:  the same objects, each with one unowned reference of ours
 *
 * An unowned reference keeps an object's memory, not the object. So the address of an object with
 * fields is not given to another one before its fields are gone: a key is never stale.
 */
#include <lauxlib.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

#include "wax_proxy_private.h"

/* Owners looked at whenever one is added: more than one, so that the dead ones go faster than new
   ones come. */
#define OWNERS_PER_NEW_OWNER 4

extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);
extern size_t swift_unownedRetainCount(void *object);

static const char fields_key = 0;
/* Stands for nil in a table of fields, where nil means that the default holds: its address. */
static const char nil_field = 0;

/* {==================================================================
** Owners
** =================================================================== */

/* In how many states an object has fields: each has an unowned reference. */
typedef struct sharing {
  void *object;
  size_t states;
} sharing;

static pthread_mutex_t sharing_lock = PTHREAD_MUTEX_INITIALIZER;
static void *all_sharing; /* of search.h, by the object's address */

static int compare_sharing(const void *one, const void *other) {
  uintptr_t left = (uintptr_t)((const sharing *)one)->object;
  uintptr_t right = (uintptr_t)((const sharing *)other)->object;
  return (left > right) - (left < right);
}

static sharing *find_sharing(void *object) {
  sharing wanted = {.object = object};
  sharing **found = tfind(&wanted, &all_sharing, compare_sharing);
  return found ? *found : NULL;
}

/* False: there is no memory left. */
static bool retain_owner(void *object) {
  pthread_mutex_lock(&sharing_lock);
  sharing *known = find_sharing(object);
  if (!known && (known = malloc(sizeof *known))) {
    *known = (sharing){.object = object};
    if (!tsearch(known, &all_sharing, compare_sharing)) {
      free(known);
      known = NULL;
    }
  }
  if (known) {
    known->states++;
    swift_unownedRetain(object);
  }
  pthread_mutex_unlock(&sharing_lock);
  return known != NULL;
}

/* Frees the memory of a dead object if this was the last reference; no code of the program runs. */
static void release_owner(void *object) {
  pthread_mutex_lock(&sharing_lock);
  sharing *known = find_sharing(object);
  if (--known->states == 0) {
    tdelete(known, &all_sharing, compare_sharing);
    free(known);
  }
  swift_unownedRelease(object);
  pthread_mutex_unlock(&sharing_lock);
}

/* The deinitializer has run to its end: it may still have asked for fields before. The object
   itself holds one unowned reference until then (RefCount.h of the Swift runtime). */
static bool is_dead(void *object) {
  if (!swift_isDeallocating(object)) return false;
  if (swift_unownedRetainCount(object) <= 1) return true;
  pthread_mutex_lock(&sharing_lock);
  bool is_dead = swift_unownedRetainCount(object) <= find_sharing(object)->states;
  pthread_mutex_unlock(&sharing_lock);
  return is_dead;
}

void wax_proxy_sweep_fields(lua_State *L, size_t most) {
  wax_lua_state *state = wax_lua_state_of(L);
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  if (proxies->field_owner_count == 0 || !lua_checkstack(L, 3)) return;
  if (most > proxies->field_owner_count) most = proxies->field_owner_count;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fields_key);
  while (most-- > 0) {
    if (proxies->field_hand >= proxies->field_owner_count) proxies->field_hand = 0;
    void *owner = proxies->field_owners[proxies->field_hand];
    if (!is_dead(owner)) {
      proxies->field_hand++;
      continue;
    }
    lua_pushnil(L);
    lua_rawsetp(L, -2, owner); /* the key is there: nothing is allocated */
    proxies->field_owners[proxies->field_hand] =
        proxies->field_owners[--proxies->field_owner_count];
    release_owner(owner);
    wax_lua_forget_edge(state);
  }
  lua_pop(L, 1);
}

void wax_proxy_forget_fields(wax_lua_state *state) {
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  for (size_t i = 0; i < proxies->field_owner_count; i++) release_owner(proxies->field_owners[i]);
  free(proxies->field_owners);
  proxies->field_owners = NULL;
  proxies->field_owner_count = 0;
}

static void reserve_owner(lua_State *L, wax_lua_state *state) {
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  if (proxies->field_owner_count < proxies->field_owner_capacity) return;
  size_t capacity = proxies->field_owner_capacity ? proxies->field_owner_capacity * 2 : 32;
  void **grown = realloc(proxies->field_owners, capacity * sizeof *grown);
  if (!grown) luaL_error(L, "not enough memory");
  proxies->field_owners = grown;
  proxies->field_owner_capacity = capacity;
}

int wax_proxy_push_fields_of(lua_State *L, void *owner) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fields_key);
  int type = lua_rawgetp(L, -1, owner);
  lua_remove(L, -2);
  return type;
}

void wax_proxy_set_fields_of(lua_State *L, void *owner) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fields_key);
  lua_insert(L, -2);
  lua_rawsetp(L, -2, owner);
  lua_pop(L, 1);
}

/* [-0, +1, me]  The table of an object's fields, a new one if need be. */
static void make_fields(lua_State *L, void *owner) {
  if (wax_proxy_push_fields_of(L, owner) == LUA_TTABLE) return;
  lua_pop(L, 1);
  wax_lua_state *state = wax_lua_state_of(L);
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  wax_proxy_sweep_fields(L, OWNERS_PER_NEW_OWNER);
  reserve_owner(L, state);
  lua_newtable(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fields_key);
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, owner);
  if (!retain_owner(owner)) {
    lua_pushnil(L);
    lua_rawsetp(L, -2, owner);
    luaL_error(L, "not enough memory");
  }
  lua_pop(L, 1);
  proxies->field_owners[proxies->field_owner_count++] = owner;
  wax_lua_note_edge(state);
}

/* }================================================================== */

/* {==================================================================
** Access
** =================================================================== */

/* [-1, +0, me]  Sets the field that is named at `name` of the object to the value on top. */
static void store(lua_State *L, void *owner, int name) {
  make_fields(L, owner);
  lua_pushvalue(L, name);
  lua_pushvalue(L, -3);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushlightuserdata(L, (void *)&nil_field);
  }
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

/* [-0, +1, ve]  The default: a value, or what a function makes of the object and is then its own.
 */
static void push_default(lua_State *L, void *owner) {
  lua_rawgeti(L, 3, WAX_PROXY_FIELD_IS_MADE);
  bool is_made = lua_toboolean(L, -1);
  lua_pop(L, 1);
  lua_rawgeti(L, 3, WAX_PROXY_FIELD_DEFAULT);
  if (!is_made) return;
  wax_proxy_keep(L, 1);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  lua_pushvalue(L, -1);
  store(L, owner, 2);
}

/* Whether the proxy is that of an object, or of the memory of one that is being initialized. Of a
   pending proxy the pointer may as well be the class, and what a struct's means nobody knows; the
   first word of a class's metadata is no small number but 0 (MetadataKind.def). */
static bool has_fields(const wax_proxy *proxy) {
  if (!proxy) return false;
  if (wax_proxy_is_object(proxy->kind)) return true;
  if (proxy->kind != WAX_PROXY_KIND_PENDING || !proxy->pointer || !proxy->type) return false;
  uintptr_t kind = *(const uintptr_t *)proxy->type;
  bool is_class = kind == 0 || kind > 0x7ff;
  return is_class && *(const void *const *)proxy->pointer == proxy->type;
}

int wax_proxy_get_field(lua_State *L) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, 1);
  if (!has_fields(proxy)) return 0;
  if (wax_proxy_push_fields_of(L, proxy->pointer) == LUA_TTABLE) {
    lua_pushvalue(L, 2);
    int type = lua_rawget(L, -2);
    if (type == LUA_TLIGHTUSERDATA && lua_touserdata(L, -1) == &nil_field) lua_pushnil(L);
    if (type != LUA_TNIL) return 1;
  }
  lua_settop(L, 3);
  push_default(L, proxy->pointer);
  return 1;
}

bool wax_proxy_set_field(lua_State *L) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, 1);
  if (!has_fields(proxy)) return false;
  lua_pushvalue(L, 3);
  store(L, proxy->pointer, 2);
  return true;
}

/* Tables and functions are named, not copied. */
void wax_proxy_push_fields(lua_State *L) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, 1);
  if (!proxy || !wax_proxy_is_object(proxy->kind)) return;
  if (wax_proxy_push_fields_of(L, proxy->pointer) != LUA_TTABLE) return lua_pop(L, 1);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, -3)) {
    int type = lua_type(L, -1);
    lua_pushvalue(L, -2);
    if (type == LUA_TLIGHTUSERDATA)
      lua_pushliteral(L, "nil");
    else if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD)
      lua_pushstring(L, lua_typename(L, type));
    else
      lua_pushvalue(L, -2);
    lua_rawset(L, -5);
    lua_pop(L, 1);
  }
  lua_remove(L, -2);
}

/* }================================================================== */

void wax_proxy_open_fields(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &fields_key);
}
