/* SPDX-License-Identifier: MIT
 *
 * Which objects a state can reach.
 *
 * What Swift keeps of Lua's, a function or the fields of an object, is anchored in the registry:
 * Lua's collector cannot see that it is an object that keeps it. For a probe the anchors of what
 * hangs on closed objects (wax_proxy_graph.h) are taken out of the registry and tied to the proxies
 * of those objects, as Swift's own references lead from the one to the other. Then the collector
 * says which proxies can be reached from elsewhere: the objects of these are alive. It lets nothing
 * go in this collection: finalizers only note it and arm themselves again, and something with a
 * finalizer keeps what was anchored. In the end all is anchored as before.
 */
#include "wax_proxy_probe.h"

#include <lauxlib.h>

#include "wax_proxy_private.h"

/* Of the table that is a tied proxy's metatable meanwhile. */
#define TIE_VALUE 1
#define TIE_METATABLE 2
#define TIE_IS_UNREACHABLE 3

/* {==================================================================
** What hangs on what
** =================================================================== */

/* Of which states the node itself keeps something. */
static wax_proxy_states_mask values_of(const wax_proxy_node *node) {
  return node->owner | node->fields;
}

size_t wax_proxy_find_leads(wax_proxy_graph *graph) {
  size_t count = 0;
  for (uint32_t i = graph->closed; i-- > 0;) {
    wax_proxy_node *node = &graph->nodes[graph->order[i]];
    node->leads = values_of(node);
    count += node->leads != 0;
    for (uint32_t edge = 0; edge < node->edges; edge++)
      node->leads |= graph->nodes[graph->edges[node->edge + edge]].leads;
  }
  return count;
}

bool wax_proxy_has_crossings(const wax_proxy_graph *graph) {
  for (uint32_t i = 0; i < graph->closed; i++) {
    const wax_proxy_node *node = &graph->nodes[graph->order[i]];
    if (node->proxies && node->leads && __builtin_popcount(node->proxies | node->leads) > 1)
      return true;
  }
  return false;
}

static bool has_value(const wax_proxy_node *node, wax_proxy_states_mask member) {
  return wax_proxy_is_doubtful(node) && values_of(node) & member;
}

/* [-0, +1, -]  What is anchored for the node: a function, or its fields. */
static void push_lua_value(lua_State *L, const wax_proxy_node *node) {
  if (node->reference)
    lua_rawgeti(L, LUA_REGISTRYINDEX, node->reference);
  else
    wax_proxy_push_fields_of(L, node->object);
}

/* [-1, +0, -]  Anchors what is on top for the node: its key is there. */
static void set_lua_value(lua_State *L, const wax_proxy_node *node) {
  if (node->reference)
    lua_rawseti(L, LUA_REGISTRYINDEX, node->reference);
  else
    wax_proxy_set_fields_of(L, node->object);
}

static uint32_t leads_of(const wax_proxy_graph *graph, const wax_proxy_node *node,
                         wax_proxy_states_mask member) {
  uint32_t count = has_value(node, member);
  for (uint32_t edge = 0; edge < node->edges; edge++)
    count += (graph->nodes[graph->edges[node->edge + edge]].leads & member) != 0;
  return count;
}

/* [-0, +1, m]  All of the state's that hangs on the node: the thing itself where it is one, a table
   of them where they are more. `values` has that of the nodes behind it. */
static void push_hanging(lua_State *L, const wax_proxy_graph *graph, const wax_proxy_node *node,
                         wax_proxy_states_mask member, int values) {
  uint32_t count = leads_of(graph, node, member), filled = 0;
  bool is_one = count == 1;
  if (!is_one) lua_createtable(L, (int)count, 0);
  if (has_value(node, member)) {
    push_lua_value(L, node);
    if (!is_one) lua_rawseti(L, -2, ++filled);
  }
  for (uint32_t edge = 0; edge < node->edges; edge++) {
    uint32_t index = graph->edges[node->edge + edge];
    if (!(graph->nodes[index].leads & member)) continue;
    lua_rawgeti(L, values, index + 1);
    if (!is_one) lua_rawseti(L, -2, ++filled);
  }
}

/* }================================================================== */

/* {==================================================================
** Ties
** =================================================================== */

/* [-0, +0, e]  A proxy as its own finalizer leaves it. `metatable` is its own. */
static void finalize(lua_State *L, int proxy, int metatable) {
  lua_getfield(L, metatable, "__gc");
  lua_pushvalue(L, proxy);
  lua_call(L, 1, 0);
}

/* Of a tied proxy. */
static int note_unreachable(lua_State *L) {
  lua_settop(L, 1);
  if (!lua_getmetatable(L, 1)) return 0;
  lua_pushboolean(L, 1);
  lua_rawseti(L, 2, TIE_IS_UNREACHABLE);
  if (wax_proxy_postpone(L, wax_proxy_to_proxy(L, 1))) return 0;
  /* There are none that cannot be, but it is not to be lost. */
  lua_rawgeti(L, 2, TIE_METATABLE);
  lua_pushvalue(L, -1);
  lua_setmetatable(L, 1);
  finalize(L, 1, lua_gettop(L));
  return 0;
}

/* [-0, +1, -]  Its proxy, or nil if it has been collected. */
static bool push_proxy_of(lua_State *L, const wax_proxy_node *node) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
  bool is_there = lua_rawgetp(L, -1, node->object) == LUA_TUSERDATA;
  lua_remove(L, -2);
  return is_there;
}

/* [-0, +0, e]  Lets the node's proxy carry what is on top. */
static void tie(lua_State *L, wax_proxy_node *node) {
  int value = lua_gettop(L);
  /* The collector does not run, but where memory is short. */
  if (!push_proxy_of(L, node) || !lua_getmetatable(L, -1)) luaL_error(L, "no proxy");
  lua_createtable(L, 3, 1);
  lua_pushvalue(L, value);
  lua_rawseti(L, -2, TIE_VALUE);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, TIE_METATABLE);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, TIE_IS_UNREACHABLE);
  lua_pushcfunction(L, note_unreachable);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, value + 1);
  node->is_tied = true;
  lua_settop(L, value);
}

/* [-0, +0, e] */
static void tie_all(lua_State *L, wax_proxy_graph *graph, wax_proxy_states_mask member) {
  lua_newtable(L);
  int values = lua_gettop(L);
  for (uint32_t i = graph->closed; i-- > 0;) {
    uint32_t index = graph->order[i];
    wax_proxy_node *node = &graph->nodes[index];
    if (!wax_proxy_is_doubtful(node) || !((node->leads | node->proxies) & member)) continue;
    push_hanging(L, graph, node, member, values);
    if (node->proxies & member) tie(L, node);
    lua_rawseti(L, values, index + 1);
  }
  lua_settop(L, values - 1);
}

void wax_proxy_untie_all(lua_State *L, wax_proxy_graph *graph) {
  for (uint32_t i = 0; i < graph->closed; i++) {
    wax_proxy_node *node = &graph->nodes[graph->order[i]];
    if (!node->is_tied) continue;
    node->is_tied = false;
    if (push_proxy_of(L, node) && lua_getmetatable(L, -1)) {
      lua_rawgeti(L, -1, TIE_IS_UNREACHABLE);
      node->is_alive = !lua_toboolean(L, -1);
      lua_rawgeti(L, -2, TIE_METATABLE);
      lua_setmetatable(L, -4);
      lua_pop(L, 2);
    }
    lua_pop(L, 1);
  }
}

/* }================================================================== */

/* {==================================================================
** Anchors
** =================================================================== */

/* The finalizer of what holds all that is anchored for closed objects. */
static int keep(lua_State *L) {
  (void)L;
  return 0;
}

/* [-0, +1, m]  A table whose one key holds a table of what is anchored, by node. That the key has a
   finalizer makes nothing reachable, but nothing of it is freed in the collection that comes, and
   a weak key is taken out in the one after (section 2.5.4 of Lua's manual). */
static void push_anchors(lua_State *L, const wax_proxy_graph *graph, wax_proxy_states_mask member) {
  wax_proxy_push_weak_table(L, "k");
  lua_newuserdatauv(L, 0, 1);
  lua_newtable(L);
  for (uint32_t i = 0; i < graph->closed; i++) {
    const wax_proxy_node *node = &graph->nodes[graph->order[i]];
    if (!has_value(node, member)) continue;
    push_lua_value(L, node);
    lua_rawseti(L, -2, (lua_Integer)graph->order[i] + 1);
  }
  lua_setiuservalue(L, -2, 1);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, keep);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
}

/* [-0, +0, -] */
static void take_anchors(lua_State *L, const wax_proxy_graph *graph, wax_proxy_states_mask member) {
  for (uint32_t i = 0; i < graph->closed; i++) {
    const wax_proxy_node *node = &graph->nodes[graph->order[i]];
    if (!has_value(node, member)) continue;
    lua_pushboolean(L, 0);
    set_lua_value(L, node);
  }
}

/* [-1, +0, -]  From what is on top. */
static void put_anchors_back(lua_State *L, const wax_proxy_graph *graph) {
  lua_pushnil(L);
  lua_next(L, -2);
  lua_pop(L, 1);
  lua_getiuservalue(L, -1, 1);
  lua_pushnil(L);
  while (lua_next(L, -2)) set_lua_value(L, &graph->nodes[lua_tointeger(L, -2) - 1]);
  lua_pop(L, 3);
}

/* }================================================================== */

/* {==================================================================
** Probing, and what comes of it
** =================================================================== */

void wax_proxy_probe(lua_State *L, wax_proxy_graph *graph, wax_proxy_states_mask member) {
  wax_lua_state *state = wax_lua_state_of(L);
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  /* As in a finalizer: it would not collect. */
  if (lua_gc(L, LUA_GCCOUNT) < 0) luaL_error(L, "the collector runs");
  tie_all(L, graph, member);
  push_anchors(L, graph, member);
  take_anchors(L, graph, member);
  proxies->postpones = true;
  lua_gc(L, LUA_GCCOLLECT);
  proxies->postpones = false;
  put_anchors_back(L, graph);
  wax_proxy_untie_all(L, graph);
}

void wax_proxy_let_go(lua_State *L, const wax_proxy_graph *graph, wax_proxy_states_mask member) {
  int top = lua_gettop(L);
  for (uint32_t i = 0; i < graph->closed; i++) {
    const wax_proxy_node *node = &graph->nodes[graph->order[i]];
    if (!wax_proxy_is_doubtful(node) || !(node->proxies & member)) continue;
    if (push_proxy_of(L, node) && lua_getmetatable(L, -1)) {
      finalize(L, top + 1, top + 2);
      lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
      lua_pushnil(L);
      lua_rawsetp(L, -2, node->object);
    }
    lua_settop(L, top);
  }
}

/* }================================================================== */
