/* SPDX-License-Identifier: MIT
 *
 * Collecting cycles: objects that only Lua code holds, and whose closures or Lua fields lead back
 * to them; those of one state, or of several.
 *
 * A probe (waxwing_probe.h) says which of the objects that the states alone hold one state can
 * reach. As a proxy keeps its object alive for the other states too, several are probed in turn,
 * with what is alive anchored as ever, until no more is found to be. The proxies of what is left
 * let go of their objects: deinitializers may call and read the Lua values once more, and when the
 * objects have died these are dropped as ever.
 *
 * All of that happens in one stay in the states: closed objects are closed throughout, and nobody
 * sees anything tied.
 */
#include "waxwing_cycles.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "waxwing_probe.h"
#include "waxwing_proxy_private.h"

extern void *swift_weakLoadStrong(void *reference);
extern void swift_release(void *object);

/* With several states: before it is given up. Each finds something alive that the one before has
   not. */
#define MOST_ROUNDS 32

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
  waxwing_graph graph;
  waxwing_state *states[WAXWING_MOST_MEMBERS];
  waxwing_lane *lanes[WAXWING_MOST_MEMBERS];
  waxwing_cycle_hooks hooks[WAXWING_MOST_MEMBERS];
  bool is_running[WAXWING_MOST_MEMBERS]; /* the collector of the state, before */
  uint32_t count;
  uint32_t member; /* which of them is looked at */
} collection;

static waxwing_state *state_of(const collection *collection) {
  return collection->states[collection->member];
}

static waxwing_members bit_of(const collection *collection) {
  return (waxwing_members)1 << collection->member;
}

void waxwing_set_cycle_hooks(waxwing_state *state, waxwing_cycle_hooks hooks) {
  waxwing_proxies_of(state)->cycle_hooks = hooks;
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
  for (waxwing_lane *lane = state_of(collection)->busy_lanes; lane; lane = lane->next) {
    if (lane->L == own) continue;
    walk walk = {.graph = &collection->graph};
    walk_coroutine(&walk, lane->L);
    if (lane->running && lane->running != lane->L) walk_coroutine(&walk, lane->running);
    if (walk.has_failed) return false;
  }
  return true;
}

/* [-0, +0, -]  Each proxy is one reference. */
static void add_proxies(lua_State *L, waxwing_graph *graph, waxwing_members member) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waxwing_proxies_key);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    waxwing_proxy *proxy = waxwing_to_proxy(L, -1);
    lua_pop(L, 1);
    if (!proxy || proxy->kind != WAXWING_PROXY_OBJECT || proxy->holds_nothing) continue;
    waxwing_node *node = waxwing_graph_add(graph, proxy->pointer);
    if (!node) break;
    node->found++;
    node->proxies |= member;
  }
  lua_settop(L, lua_gettop(L) - (graph->has_failed ? 2 : 1));
}

static void add_field_owners(const waxwing_state *state, waxwing_graph *graph,
                             waxwing_members member) {
  const waxwing_proxy_state *proxies = waxwing_proxies_in(state);
  for (size_t i = 0; i < proxies->field_owner_count && !graph->has_failed; i++) {
    waxwing_node *node = waxwing_graph_add(graph, proxies->field_owners[i]);
    if (node) node->fields |= member;
  }
}

/* The object's node, if it has a proxy: that keeps it, so that the reference taken here is not the
   last. */
static waxwing_node *referent(waxwing_state *state, const waxwing_graph *graph,
                              waxwing_full_proxy *weak) {
  void *object = swift_weakLoadStrong(&weak->base.pointer);
  if (!object) return NULL;
  waxwing_node *node = waxwing_graph_find(graph, object);
  if (node && node->proxies) {
    swift_release(object);
    return node;
  }
  waxwing_defer_release(state, WAXWING_PROXY_OBJECT, object, NULL);
  return NULL;
}

/* Weak references that Lua code has: `weak(object)`. */
static void count_weak(waxwing_state *state, waxwing_graph *graph) {
  for (waxwing_full_proxy *weak = waxwing_proxies_of(state)->weak_references; weak;
       weak = weak->next_seen) {
    waxwing_node *node = referent(state, graph, weak);
    if (node) node->weak++;
  }
}

/* }================================================================== */

/* {==================================================================
** Collecting
** =================================================================== */

/* Returns how many are alive. */
static uint32_t find_alive(waxwing_graph *graph) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->closed; i++) {
    const waxwing_node *node = &graph->nodes[graph->order[i]];
    count += node->is_alive;
    for (uint32_t edge = 0; node->is_alive && edge < node->edges; edge++)
      graph->nodes[graph->edges[node->edge + edge]].is_alive = true;
  }
  return count;
}

/* (collection) */
static int add_objects(lua_State *L) {
  collection *collection = lua_touserdata(L, 1);
  lua_settop(L, 0);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  waxwing_sweep_fields(L, SIZE_MAX);
  add_proxies(L, &collection->graph, bit_of(collection));
  return 0;
}

/* (collection)  All objects with proxies are known. */
static int add_rest(lua_State *L) {
  collection *collection = lua_touserdata(L, 1);
  waxwing_graph *graph = &collection->graph;
  if (!note_calls(collection, L)) graph->has_failed = true;
  add_field_owners(state_of(collection), graph, bit_of(collection));
  count_weak(state_of(collection), graph);
  return 0;
}

/* (collection)  Looks which objects the state can reach. */
static int probe(lua_State *L) {
  collection *collection = lua_touserdata(L, 1);
  lua_settop(L, 0);
  waxwing_probe(L, &collection->graph, bit_of(collection));
  return 0;
}

/* (collection) */
static int let_go(lua_State *L) {
  collection *collection = lua_touserdata(L, 1);
  lua_settop(L, 0);
  waxwing_let_go(L, &collection->graph, bit_of(collection));
  return 0;
}

/* An object that is to die when the state is left is not to be found before. */
static void end_weak(waxwing_state *state, const waxwing_graph *graph) {
  for (waxwing_full_proxy *weak = waxwing_proxies_of(state)->weak_references; weak;
       weak = weak->next_seen) {
    const waxwing_node *node = referent(state, graph, weak);
    if (node && waxwing_is_doubtful(node)) waxwing_end_weak_reference(weak);
  }
}

/* In each of the states. False: there was no memory for it. */
static bool in_all(collection *collection, lua_CFunction step) {
  bool succeeded = true;
  for (uint32_t member = 0; member < collection->count && succeeded; member++) {
    lua_State *L = collection->lanes[member]->L;
    collection->member = member;
    lua_pushcfunction(L, step);
    lua_pushlightuserdata(L, collection);
    succeeded = lua_pcall(L, 1, 0, 0) == LUA_OK && !collection->graph.has_failed;
    if (succeeded) continue;
    lua_settop(L, WAXWING_LANE_BASE);
    waxwing_untie_all(L, &collection->graph);
  }
  return succeeded;
}

/* Whether what is not alive is known for certain. */
static bool find_garbage(collection *collection) {
  uint32_t before = 0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    if (!in_all(collection, probe)) return false;
    uint32_t alive = find_alive(&collection->graph);
    if (alive == before || collection->count == 1) return true;
    before = alive;
  }
  return false;
}

static bool build(collection *collection) {
  waxwing_graph *graph = &collection->graph;
  graph->hooks = collection->hooks;
  graph->members = collection->count;
  return in_all(collection, add_objects) && in_all(collection, add_rest) &&
         waxwing_graph_close(graph, LEAST_NODES + NODES_PER_PROXY * graph->count);
}

static bool reserve_releases(const collection *collection) {
  for (uint32_t i = 0; i < collection->count; i++)
    if (!waxwing_reserve_releases(collection->states[i],
                                  waxwing_state_live_proxies(collection->states[i])))
      return false;
  return true;
}

/* Returns how many objects with Lua values there are, if it was looked which are alive. */
static size_t run(collection *collection) {
  if (!build(collection)) return 0;
  size_t found = waxwing_find_leads(&collection->graph);
  if (!found || !reserve_releases(collection)) return 0;
  if (collection->count > 1 && !waxwing_has_crossings(&collection->graph)) return 0;
  if (!find_garbage(collection)) return 0;
  for (uint32_t i = 0; i < collection->count; i++)
    end_weak(collection->states[i], &collection->graph);
  in_all(collection, let_go);
  return found;
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
static bool add_state(collection *collection, waxwing_state *state) {
  state->new_edges = 0;
  waxwing_lane *lane = waxwing_lane_acquire(state);
  if (!lane) return false;
  uint32_t member = collection->count++;
  collection->states[member] = state;
  collection->lanes[member] = lane;
  collection->hooks[member] = waxwing_proxies_of(state)->cycle_hooks;
  collection->is_running[member] = lua_gc(lane->L, LUA_GCISRUNNING);
  lua_gc(lane->L, LUA_GCSTOP);
  return true;
}

static void end(collection *collection, bool has_collected) {
  waxwing_graph_free(&collection->graph);
  for (uint32_t member = collection->count; member-- > 0;) {
    waxwing_state *state = collection->states[member];
    if (collection->is_running[member]) lua_gc(collection->lanes[member]->L, LUA_GCRESTART);
    waxwing_lane_release(collection->lanes[member]);
    if (has_collected) waxwing_set_pace(state);
    waxwing_set_cycle_quota(state);
  }
}

static size_t collect_cycles(waxwing_state *const *states, size_t count) {
  collection collection = {.count = 0};
  size_t found = 0;
  bool has_all = true;
  for (size_t i = 0; i < count && has_all; i++) has_all = add_state(&collection, states[i]);
  if (has_all) found = run(&collection);
  end(&collection, found);
  return found;
}

size_t waxwing_collect_cycles(waxwing_state *state) {
  state->new_edges = 0;
  if (!state->has_edges || !waxwing_proxies_of(state)->cycle_hooks.shape) return 0;
  return collect_cycles(&state, 1);
}

bool waxwing_has_edges(const waxwing_state *state) {
  return atomic_load_explicit(&state->has_edges, memory_order_relaxed) &&
         waxwing_proxies_in(state)->cycle_hooks.shape;
}

size_t waxwing_collect_joint_cycles(waxwing_state *const *states, size_t count) {
  if (count > WAXWING_MOST_MEMBERS) count = WAXWING_MOST_MEMBERS;
  size_t entered = 0, found = 0;
  while (entered < count && waxwing_try_enter(states[entered], 0)) entered++;
  if (entered == count) found = collect_cycles(states, count);
  waxwing_leave_all(states, entered);
  return found;
}

/* }================================================================== */
