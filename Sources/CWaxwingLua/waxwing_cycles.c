/* SPDX-License-Identifier: MIT
 *
 * Collecting cycles: an object that only Lua code holds, and whose closure or Lua field leads back
 * to it.
 *
 * What Swift keeps of Lua's, a function or the fields of an object, is anchored in the registry:
 * Lua's collector cannot see that it is an object that keeps it. For a collection of cycles the
 * anchors of what hangs on closed objects (waxwing_graph.h) are taken out of the registry and tied
 * to the proxies of those objects, as Swift's own references lead from the one to the other. Then a
 * cycle is Lua's alone, and its collector does the rest. Afterwards all is anchored as before: also
 * what has been collected, as deinitializers may call and read it once more. When the objects have
 * died it is dropped as ever.
 *
 * All of that happens in one stay in the state: closed objects are closed throughout, and nobody
 * sees anything tied.
 */
#include "waxwing_cycles.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "waxwing_graph.h"
#include "waxwing_state_private.h"

extern void *swift_weakLoadStrong(void *reference);
extern void swift_release(void *object);

/* Of the table that is a tied proxy's metatable meanwhile. */
#define TIE_VALUE 1
#define TIE_METATABLE 2

/* Objects without proxies that are looked at. */
#define NODES_PER_PROXY 16
#define LEAST_NODES 65536

/* Closures and fields that are made between two collections. */
#define LEAST_QUOTA 64
#define BYTES_PER_EDGE 1024
#define PROXIES_PER_EDGE 4

/* Coroutines in one another that are looked through. */
#define MOST_COROUTINES 64

typedef struct collection {
  waxwing_state *state;
  waxwing_graph graph;
  size_t found; /* closed objects with Lua values */
} collection;

void waxwing_set_cycle_hooks(waxwing_state *state, waxwing_cycle_hooks hooks) {
  state->cycle_hooks = hooks;
}

/* {==================================================================
** Roots
** =================================================================== */

typedef struct walk {
  waxwing_graph *graph;
  lua_State *seen[MOST_COROUTINES];
  int count;
  bool has_failed;
} walk;

static void walk_coroutine(walk *walk, lua_State *co);

/* [-0, +0, -]  What a call has in its hands it may be changing, on its own thread. */
static void note_in_use(walk *walk, lua_State *co, int index) {
  waxwing_proxy *proxy = waxwing_to_proxy(co, index);
  if (proxy && waxwing_is_object(proxy->kind)) {
    waxwing_node *node = waxwing_graph_find(walk->graph, proxy->pointer);
    if (node) node->is_in_use = true;
  } else if (lua_isthread(co, index)) {
    walk_coroutine(walk, lua_tothread(co, index));
  }
}

static void walk_frames(walk *walk, lua_State *co) {
  lua_Debug activation;
  for (int level = 0; lua_getstack(co, level, &activation); level++) {
    for (int n = 1; lua_getlocal(co, &activation, n); n++) {
      note_in_use(walk, co, -1);
      lua_pop(co, 1);
    }
  }
}

static void walk_coroutine(walk *walk, lua_State *co) {
  for (int i = 0; i < walk->count; i++)
    if (walk->seen[i] == co) return;
  if (walk->count == MOST_COROUTINES || !lua_checkstack(co, 2)) {
    walk->has_failed = true;
    return;
  }
  walk->seen[walk->count++] = co;
  for (int i = lua_gettop(co); i > 0; i--) note_in_use(walk, co, i);
  walk_frames(walk, co);
}

/* Swift functions that Lua code has called and that have not returned borrow their arguments from
   the stacks of those calls. False: not all of them could be looked through. */
static bool note_calls(collection *collection, const lua_State *own) {
  for (waxwing_lane *lane = collection->state->busy_lanes; lane; lane = lane->next) {
    if (lane->L == own) continue;
    walk walk = {.graph = &collection->graph};
    walk_coroutine(&walk, lane->L);
    if (lane->running && lane->running != lane->L) walk_coroutine(&walk, lane->running);
    if (walk.has_failed) return false;
  }
  return true;
}

/* [-0, +0, -]  Each proxy is one reference. */
static void add_proxies(lua_State *L, waxwing_graph *graph) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    waxwing_proxy *proxy = waxwing_to_proxy(L, -1);
    lua_pop(L, 1);
    if (!proxy || proxy->kind != WAXWING_PROXY_OBJECT || proxy->holds_nothing) continue;
    waxwing_node *node = waxwing_graph_add(graph, proxy->pointer);
    if (!node) break;
    node->found = 1;
    node->has_proxy = true;
  }
  lua_settop(L, lua_gettop(L) - (graph->has_failed ? 2 : 1));
}

static void add_field_owners(const waxwing_state *state, waxwing_graph *graph) {
  for (size_t i = 0; i < state->field_owner_count && !graph->has_failed; i++) {
    waxwing_node *node = waxwing_graph_add(graph, state->field_owners[i]);
    if (node) node->has_fields = true;
  }
}

/* The object's node, if it has a proxy: that keeps it, so that the reference taken here is not the
   last. */
static waxwing_node *referent(waxwing_state *state, const waxwing_graph *graph,
                              waxwing_proxy *weak) {
  void *object = swift_weakLoadStrong(&weak->pointer);
  if (!object) return NULL;
  waxwing_node *node = waxwing_graph_find(graph, object);
  if (node && node->has_proxy) {
    swift_release(object);
    return node;
  }
  waxwing_defer_release(state, WAXWING_PROXY_OBJECT, object, NULL);
  return NULL;
}

/* Weak references that Lua code has: `weak(object)`. */
static void count_weak(waxwing_state *state, waxwing_graph *graph) {
  for (waxwing_proxy *weak = state->weak_references; weak; weak = weak->next_seen) {
    waxwing_node *node = referent(state, graph, weak);
    if (node) node->weak++;
  }
}

/* }================================================================== */

/* {==================================================================
** What hangs on what
** =================================================================== */

static bool has_lua_value(const waxwing_node *node) { return node->reference || node->has_fields; }

/* Holders stand before what they hold. Returns how many closed objects have Lua values. */
static size_t find_leads(waxwing_graph *graph) {
  size_t count = 0;
  for (uint32_t i = graph->closed; i-- > 0;) {
    waxwing_node *node = &graph->nodes[graph->order[i]];
    node->leads_to_lua = has_lua_value(node);
    count += has_lua_value(node);
    for (uint32_t edge = 0; edge < node->edges && !node->leads_to_lua; edge++)
      node->leads_to_lua = graph->nodes[graph->edges[node->edge + edge]].leads_to_lua;
  }
  return count;
}

/* [-0, +1, -]  What is anchored for the node. */
static void push_lua_value(lua_State *L, const waxwing_node *node) {
  if (node->reference)
    lua_rawgeti(L, LUA_REGISTRYINDEX, node->reference);
  else
    waxwing_push_fields_of(L, node->object);
}

/* [-1, +0, -]  Anchors what is on top for the node: its key is there. */
static void set_lua_value(lua_State *L, const waxwing_node *node) {
  if (node->reference)
    lua_rawseti(L, LUA_REGISTRYINDEX, node->reference);
  else
    waxwing_set_fields_of(L, node->object);
}

static uint32_t leads_of(const waxwing_graph *graph, const waxwing_node *node) {
  uint32_t count = has_lua_value(node);
  for (uint32_t edge = 0; edge < node->edges; edge++)
    count += graph->nodes[graph->edges[node->edge + edge]].leads_to_lua;
  return count;
}

/* [-0, +1, m]  All that hangs on the node: the thing itself where it is one, a table of them where
   they are more. `values` has that of the nodes behind it. */
static void push_hanging(lua_State *L, const waxwing_graph *graph, const waxwing_node *node,
                         int values) {
  uint32_t count = leads_of(graph, node), filled = 0;
  bool is_one = count == 1;
  if (!is_one) lua_createtable(L, (int)count, 0);
  if (has_lua_value(node)) {
    push_lua_value(L, node);
    if (!is_one) lua_rawseti(L, -2, ++filled);
  }
  for (uint32_t edge = 0; edge < node->edges; edge++) {
    uint32_t index = graph->edges[node->edge + edge];
    if (!graph->nodes[index].leads_to_lua) continue;
    lua_rawgeti(L, values, index + 1);
    if (!is_one) lua_rawseti(L, -2, ++filled);
  }
}

/* }================================================================== */

/* {==================================================================
** Ties
** =================================================================== */

/* Of a tied proxy: as its own finalizer. */
static int collect_tied(lua_State *L) {
  lua_settop(L, 1);
  if (!lua_getmetatable(L, 1)) return 0;
  lua_rawgeti(L, 2, TIE_METATABLE);
  lua_pushvalue(L, 3);
  lua_setmetatable(L, 1);
  lua_getfield(L, 3, "__gc");
  lua_pushvalue(L, 1);
  waxwing_state *state = waxwing_state_of(L);
  bool postpones = state->postpones;
  state->postpones = false;
  lua_call(L, 1, 0);
  state->postpones = postpones;
  return 0;
}

/* [-0, +1, -]  Its proxy, or nil if it has been collected. */
static bool push_proxy_of(lua_State *L, const waxwing_node *node) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
  bool is_there = lua_rawgetp(L, -1, node->object) == LUA_TUSERDATA;
  lua_remove(L, -2);
  return is_there;
}

/* [-0, +0, e]  Lets the node's proxy carry what is on top. */
static void tie(lua_State *L, waxwing_node *node) {
  int value = lua_gettop(L);
  /* The collector does not run, but where memory is short. */
  if (!push_proxy_of(L, node) || !lua_getmetatable(L, -1)) luaL_error(L, "no proxy");
  lua_createtable(L, 2, 1);
  lua_pushvalue(L, value);
  lua_rawseti(L, -2, TIE_VALUE);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, TIE_METATABLE);
  lua_pushcfunction(L, collect_tied);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, value + 1);
  node->is_tied = true;
  lua_settop(L, value);
}

/* [-0, +0, e] */
static void tie_all(lua_State *L, waxwing_graph *graph) {
  lua_newtable(L);
  int values = lua_gettop(L);
  for (uint32_t i = graph->closed; i-- > 0;) {
    uint32_t index = graph->order[i];
    waxwing_node *node = &graph->nodes[index];
    if (!node->leads_to_lua) continue;
    push_hanging(L, graph, node, values);
    if (node->has_proxy) tie(L, node);
    lua_rawseti(L, values, index + 1);
  }
  lua_settop(L, values - 1);
}

/* [-0, +0, -]  Says which proxies have not been collected. */
static void untie_all(lua_State *L, waxwing_graph *graph) {
  for (uint32_t i = 0; i < graph->closed; i++) {
    waxwing_node *node = &graph->nodes[graph->order[i]];
    if (!node->is_tied) continue;
    node->is_tied = false;
    if (push_proxy_of(L, node) && lua_getmetatable(L, -1)) {
      node->is_alive = true;
      lua_rawgeti(L, -1, TIE_METATABLE);
      lua_setmetatable(L, -3);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
}

/* }================================================================== */

/* {==================================================================
** Anchors
** =================================================================== */

/* [-0, +1, m]  A table from what is anchored for closed objects to their nodes. Its keys are weak,
   so that it keeps nothing, and last until the finalizers have run. */
static void push_anchors(lua_State *L, waxwing_graph *graph) {
  lua_newtable(L);
  int anchors = lua_gettop(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, anchors);
  for (uint32_t i = 0; i < graph->closed; i++) {
    waxwing_node *node = &graph->nodes[graph->order[i]];
    if (!has_lua_value(node)) continue;
    push_lua_value(L, node);
    lua_pushvalue(L, -1);
    lua_rawget(L, anchors); /* closures of the same function form a chain */
    node->twin = (uint32_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    lua_pushinteger(L, (lua_Integer)graph->order[i] + 1);
    lua_rawset(L, anchors);
  }
}

/* [-0, +0, -] */
static void take_anchors(lua_State *L, const waxwing_graph *graph) {
  for (uint32_t i = 0; i < graph->closed; i++) {
    const waxwing_node *node = &graph->nodes[graph->order[i]];
    if (!has_lua_value(node)) continue;
    lua_pushboolean(L, 0);
    set_lua_value(L, node);
  }
}

/* [-0, +0, -]  `anchors` is on top. */
static void put_anchors_back(lua_State *L, const waxwing_graph *graph) {
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    for (uint32_t i = (uint32_t)lua_tointeger(L, -1); i; i = graph->nodes[i - 1].twin) {
      lua_pushvalue(L, -2);
      set_lua_value(L, &graph->nodes[i - 1]);
    }
    lua_pop(L, 1);
  }
}

/* }================================================================== */

/* {==================================================================
** Collecting
** =================================================================== */

static void find_alive(waxwing_graph *graph) {
  for (uint32_t i = 0; i < graph->closed; i++) {
    const waxwing_node *node = &graph->nodes[graph->order[i]];
    for (uint32_t edge = 0; node->is_alive && edge < node->edges; edge++)
      graph->nodes[graph->edges[node->edge + edge]].is_alive = true;
  }
}

/* An object that is to die when the state is left is not to be found before. */
static void end_weak(waxwing_state *state, waxwing_graph *graph) {
  for (waxwing_proxy *weak = state->weak_references; weak; weak = weak->next_seen) {
    waxwing_node *node = referent(state, graph, weak);
    if (node && node->leads_to_lua && !node->is_alive) waxwing_end_weak_reference(weak);
  }
}

static bool build(lua_State *L, collection *collection) {
  waxwing_graph *graph = &collection->graph;
  graph->hooks = &collection->state->cycle_hooks;
  add_proxies(L, graph);
  if (graph->has_failed || !note_calls(collection, L)) return false;
  uint32_t proxies = graph->count;
  add_field_owners(collection->state, graph);
  count_weak(collection->state, graph);
  return !graph->has_failed && waxwing_graph_close(graph, LEAST_NODES + NODES_PER_PROXY * proxies);
}

/* (collection) */
static int collect_protected(lua_State *L) {
  collection *collection = lua_touserdata(L, 1);
  waxwing_graph *graph = &collection->graph;
  lua_settop(L, 0);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  waxwing_sweep_fields(L, SIZE_MAX);
  if (!build(L, collection)) return 0;
  size_t found = find_leads(graph);
  if (!found || !waxwing_reserve_releases(collection->state)) return 0;
  push_anchors(L, graph);
  tie_all(L, graph);
  take_anchors(L, graph);
  collection->state->postpones = true;
  lua_gc(L, LUA_GCCOLLECT);
  collection->state->postpones = false;
  put_anchors_back(L, graph);
  untie_all(L, graph);
  find_alive(graph);
  end_weak(collection->state, graph);
  collection->found = found;
  return 0;
}

void waxwing_set_cycle_quota(waxwing_state *state) {
  size_t quota = waxwing_state_memory(state) / BYTES_PER_EDGE;
  size_t by_proxies = waxwing_state_live_proxies(state) / PROXIES_PER_EDGE;
  if (by_proxies > quota) quota = by_proxies;
  state->edge_quota = quota > LEAST_QUOTA ? quota : LEAST_QUOTA;
  state->new_edges = 0;
}

/* A proxy that is collected before it is tied would take what hangs on its object with it: until
   all are, the collector stands still. */
static void run(lua_State *L, collection *collection) {
  bool is_running = lua_gc(L, LUA_GCISRUNNING);
  lua_gc(L, LUA_GCSTOP);
  lua_pushcfunction(L, collect_protected);
  lua_pushlightuserdata(L, collection);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
    lua_pop(L, 1); /* no memory, before any anchor was taken */
    untie_all(L, &collection->graph);
  }
  if (is_running) lua_gc(L, LUA_GCRESTART);
}

size_t waxwing_collect_cycles(waxwing_state *state) {
  state->new_edges = 0;
  if (!state->has_edges || !state->cycle_hooks.shape) return 0;
  waxwing_lane *lane = waxwing_lane_acquire(state);
  if (!lane) return 0;
  collection collection = {.state = state};
  run(lane->L, &collection);
  waxwing_graph_free(&collection.graph);
  waxwing_lane_release(lane);
  if (collection.found) waxwing_set_pace(state);
  waxwing_set_cycle_quota(state);
  return collection.found;
}

/* }================================================================== */
