/* SPDX-License-Identifier: MIT
 *
 * What does not keep what it refers to: `weak(object)`, and tables with `__mode`.
 */
#include <lauxlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_proxy_private.h"

/* Swift's own weak reference. Native objects' is one word, which must not move: it is the `pointer`
   of a wax_proxy in a userdata. They are in a list, by the fields in which other proxies are in
   their call's. */
extern void *swift_weakInit(void *reference, void *object);
extern void *swift_weakLoadStrong(void *reference);
extern void swift_weakDestroy(void *reference);
extern void swift_release(void *object);

static const char weak_metatable_key = 0;

void wax_proxy_push_weak_table(lua_State *L, const char *mode) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, mode);
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
}

static wax_proxy_full *to_weak(lua_State *L, int index) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, index);
  return proxy && proxy->kind == WAX_PROXY_KIND_WEAK ? wax_proxy_to_full(proxy) : NULL;
}

/* [-0, +1, me]  The object's proxy, or nil if the object is dead. */
static void push_referent(lua_State *L, wax_proxy_full *weak) {
  void *object = swift_weakLoadStrong(&weak->base.pointer);
  if (!object) {
    lua_pushnil(L);
    return;
  }
  if (wax_proxy_push_known_object(L, object)) {
    swift_release(object); /* not the last reference: the proxy has one */
    return;
  }
  wax_lua_defer_release(wax_lua_state_of(L), WAX_PROXY_KIND_OBJECT, object, NULL);
  wax_proxy_push(L, WAX_PROXY_KIND_OBJECT, object, *(void **)object);
}

static int weak_index(lua_State *L) {
  wax_proxy_full *weak = to_weak(L, 1);
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  if (weak && name && !strcmp(name, "object")) {
    push_referent(L, weak);
    return 1;
  }
  return wax_lua_raise(L,
                       "a weak reference has only `object`, the object or nil; ask that for `%s`",
                       name ? name : luaL_typename(L, 2));
}

static int weak_newindex(lua_State *L) {
  return wax_lua_raise(L, "a weak reference cannot be changed; set the property on its `object`");
}

static int weak_describe(lua_State *L) {
  wax_proxy_full *weak = to_weak(L, 1);
  if (weak)
    push_referent(L, weak);
  else
    lua_pushnil(L);
  if (lua_isnil(L, -1))
    lua_pushliteral(L, "weak(nil)");
  else
    lua_pushfstring(L, "weak(%s)", luaL_tolstring(L, -1, NULL));
  return 1;
}

/* To the same object, or to the same one that is dead: the word is the address of what the runtime
   keeps of an object for as long as there is a weak reference to it. */
static int weak_equals(lua_State *L) {
  wax_proxy_full *left = to_weak(L, 1);
  wax_proxy_full *right = to_weak(L, 2);
  lua_pushboolean(L,
                  left && right && left->base.pointer && left->base.pointer == right->base.pointer);
  return 1;
}

static void add_to_list(wax_lua_state *state, wax_proxy_full *weak) {
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  weak->next_seen = proxies->weak_references;
  weak->link = &proxies->weak_references;
  if (weak->next_seen) weak->next_seen->link = &weak->next_seen;
  proxies->weak_references = weak;
}

static void take_from_list(wax_proxy_full *weak) {
  *weak->link = weak->next_seen;
  if (weak->next_seen) weak->next_seen->link = weak->link;
}

void wax_proxy_end_weak_reference(wax_proxy_full *weak) {
  swift_weakDestroy(&weak->base.pointer);
  swift_weakInit(&weak->base.pointer, NULL);
}

static int weak_collect(lua_State *L) {
  wax_proxy_full *weak = to_weak(L, 1);
  if (!weak || wax_proxy_postpone(L, &weak->base)) return 0;
  weak->base.kind = 0;
  take_from_list(weak);
  swift_weakDestroy(&weak->base.pointer);
  return 0;
}

/* (object) -> weak reference */
static int make_weak(lua_State *L) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, 1);
  lua_settop(L, 1);
  if (proxy && proxy->kind == WAX_PROXY_KIND_WEAK) return 1;
  if (!proxy || !wax_proxy_is_object(proxy->kind))
    return wax_lua_raise(L, "weak takes an object, an instance of a class; this is %s",
                         proxy ? "a Swift value of another kind" : luaL_typename(L, 1));
  wax_proxy_full *weak = wax_proxy_to_full(wax_proxy_new(L, 0, true));
  lua_rawgetp(L, LUA_REGISTRYINDEX, &weak_metatable_key);
  lua_setmetatable(L, -2);
  weak->base.pointer = NULL;
  swift_weakInit(&weak->base.pointer, proxy->pointer);
  weak->base.kind = WAX_PROXY_KIND_WEAK;
  add_to_list(wax_lua_state_of(L), weak);
  return 1;
}

void wax_proxy_open_weak(lua_State *L) {
  static const luaL_Reg methods[] = {{"__index", weak_index},       {"__newindex", weak_newindex},
                                     {"__tostring", weak_describe}, {"__eq", weak_equals},
                                     {"__gc", weak_collect},        {NULL, NULL}};
  luaL_newlib(L, methods);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "weak reference");
  lua_setfield(L, -2, "__name");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &weak_metatable_key);
  lua_pushcfunction(L, make_weak);
  lua_setglobal(L, "weak");
}
