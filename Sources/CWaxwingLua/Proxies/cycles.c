/* SPDX-License-Identifier: MIT
 *
 * Collecting cycles: objects that only Lua code holds, and whose closures or Lua fields lead back
 * to them; those of one state, or of several.
 *
 * A probe (wax_proxy_probe.h) says which of the objects that the states alone hold one state can
 * reach. As a proxy keeps its object alive for the other states too, several are probed in turn,
 * with what is alive anchored as ever, until no more is found to be. The proxies of what is left
 * let go of their objects: deinitializers may call and read the Lua values once more, and when the
 * objects have died these are dropped as ever.
 *
 * All of that happens in one stay in the states: closed objects are closed throughout, and nobody
 * sees anything tied.
 */
#include "wax_proxy_cycles.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "wax_proxy_probe.h"
#include "wax_proxy_private.h"

extern void *swift_weakLoadStrong(void *reference);
extern void swift_release(void *object);

/* With several states: before it is given up. Each finds something alive that the one before has
   not. */
#define MAX_ROUNDS 32

/* Objects without proxies that are looked at. */
#define NODES_PER_PROXY 16
#define MIN_NODES 65536

/* Closures and fields that are made between two collections. */
#define MIN_QUOTA 64
#define BYTES_PER_EDGE 1024
#define PROXIES_PER_EDGE 4

/* Coroutines in one another that are looked through. */
#define MAX_COROUTINES 64

typedef struct collection {
  wax_proxy_graph graph;
  wax_lua_state *states[WAX_PROXY_MAX_STATES];
  wax_lua_coroutine *coroutines[WAX_PROXY_MAX_STATES];
  wax_proxy_cycle_hooks hooks[WAX_PROXY_MAX_STATES];
  bool is_running[WAX_PROXY_MAX_STATES]; /* the collector of the state, before */
  uint32_t count;
  uint32_t member; /* which of them is looked at */
} collection;

static wax_lua_state *state_of(const collection *collection) {
  return collection->states[collection->member];
}

static wax_proxy_states_mask bit_of(const collection *collection) {
  return (wax_proxy_states_mask)1 << collection->member;
}

void wax_proxy_set_cycle_hooks(wax_lua_state *state, wax_proxy_cycle_hooks hooks) {
  wax_proxy_state_of(state)->cycle_hooks = hooks;
}

/* {==================================================================
** Roots
** =================================================================== */

typedef struct walk {
  wax_proxy_graph *graph;
  lua_State *seen[MAX_COROUTINES];
  int count;
  bool has_failed;
} walk;

static void walk_coroutine(walk *walk, lua_State *co);

/* [-0, +0, -]  What a call has in its hands it may be changing, on its own thread. */
static void note_in_use(walk *walk, lua_State *co, int index) {
  wax_proxy *proxy = wax_proxy_to_proxy(co, index);
  if (proxy && wax_proxy_is_object(proxy->kind)) {
    wax_proxy_node *node = wax_proxy_graph_find(walk->graph, proxy->pointer);
    if (node) node->is_in_use = true;
  } else if (lua_isthread(co, index)) {
    walk_coroutine(walk, lua_tothread(co, index));
  }
}

static void walk_frames(walk *walk, lua_State *co) {
  lua_Debug ar;
  for (int level = 0; lua_getstack(co, level, &ar); level++) {
    for (int n = 1; lua_getlocal(co, &ar, n); n++) {
      note_in_use(walk, co, -1);
      lua_pop(co, 1);
    }
  }
}

static void walk_coroutine(walk *walk, lua_State *co) {
  for (int i = 0; i < walk->count; i++)
    if (walk->seen[i] == co) return;
  if (walk->count == MAX_COROUTINES || !lua_checkstack(co, 2)) {
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
  for (wax_lua_coroutine *coroutine = state_of(collection)->busy_coroutines; coroutine;
       coroutine = coroutine->next) {
    if (coroutine->L == own) continue;
    walk walk = {.graph = &collection->graph};
    walk_coroutine(&walk, coroutine->L);
    if (coroutine->running && coroutine->running != coroutine->L)
      walk_coroutine(&walk, coroutine->running);
    if (walk.has_failed) return false;
  }
  return true;
}

/* [-0, +0, -]  Each proxy is one reference. */
static void add_proxies(lua_State *L, wax_proxy_graph *graph, wax_proxy_states_mask member) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wax_proxy_objects_key);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    wax_proxy *proxy = wax_proxy_to_proxy(L, -1);
    lua_pop(L, 1);
    if (!proxy || proxy->kind != WAX_PROXY_KIND_OBJECT || proxy->holds_nothing) continue;
    wax_proxy_node *node = wax_proxy_graph_add(graph, proxy->pointer);
    if (!node) break;
    node->found++;
    node->proxies |= member;
  }
  lua_settop(L, lua_gettop(L) - (graph->has_failed ? 2 : 1));
}

static void add_field_owners(const wax_lua_state *state, wax_proxy_graph *graph,
                             wax_proxy_states_mask member) {
  const wax_proxy_state *proxies = wax_proxy_state_in(state);
  for (size_t i = 0; i < proxies->field_owner_count && !graph->has_failed; i++) {
    wax_proxy_node *node = wax_proxy_graph_add(graph, proxies->field_owners[i]);
    if (node) node->fields |= member;
  }
}

/* The object's node, if it has a proxy: that keeps it, so that the reference taken here is not the
   last. */
static wax_proxy_node *referent(wax_lua_state *state, const wax_proxy_graph *graph,
                                wax_proxy_full *weak) {
  void *object = swift_weakLoadStrong(&weak->base.pointer);
  if (!object) return NULL;
  wax_proxy_node *node = wax_proxy_graph_find(graph, object);
  if (node && node->proxies) {
    swift_release(object);
    return node;
  }
  wax_lua_defer_release(state, WAX_PROXY_KIND_OBJECT, object, NULL);
  return NULL;
}

/* Weak references that Lua code has: `weak(object)`. */
static void count_weak(wax_lua_state *state, wax_proxy_graph *graph) {
  for (wax_proxy_full *weak = wax_proxy_state_of(state)->weak_references; weak;
       weak = weak->next_seen) {
    wax_proxy_node *node = referent(state, graph, weak);
    if (node) node->weak++;
  }
}

/* }================================================================== */

/* {==================================================================
** Collecting
** =================================================================== */

/* Returns how many are alive. */
static uint32_t find_alive(wax_proxy_graph *graph) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->closed; i++) {
    const wax_proxy_node *node = &graph->nodes[graph->order[i]];
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
  wax_proxy_sweep_fields(L, SIZE_MAX);
  add_proxies(L, &collection->graph, bit_of(collection));
  return 0;
}

/* (collection)  All objects with proxies are known. */
static int add_rest(lua_State *L) {
  collection *collection = lua_touserdata(L, 1);
  wax_proxy_graph *graph = &collection->graph;
  if (!note_calls(collection, L)) graph->has_failed = true;
  add_field_owners(state_of(collection), graph, bit_of(collection));
  count_weak(state_of(collection), graph);
  return 0;
}

/* (collection)  Looks which objects the state can reach. */
static int probe(lua_State *L) {
  collection *collection = lua_touserdata(L, 1);
  lua_settop(L, 0);
  wax_proxy_probe(L, &collection->graph, bit_of(collection));
  return 0;
}

/* (collection) */
static int let_go(lua_State *L) {
  collection *collection = lua_touserdata(L, 1);
  lua_settop(L, 0);
  wax_proxy_let_go(L, &collection->graph, bit_of(collection));
  return 0;
}

/* An object that is to die when the state is left is not to be found before. */
static void end_weak(wax_lua_state *state, const wax_proxy_graph *graph) {
  for (wax_proxy_full *weak = wax_proxy_state_of(state)->weak_references; weak;
       weak = weak->next_seen) {
    const wax_proxy_node *node = referent(state, graph, weak);
    if (node && wax_proxy_is_doubtful(node)) wax_proxy_end_weak_reference(weak);
  }
}

/* In each of the states. False: there was no memory for it. */
static bool in_all(collection *collection, lua_CFunction step) {
  bool succeeded = true;
  for (uint32_t member = 0; member < collection->count && succeeded; member++) {
    lua_State *L = collection->coroutines[member]->L;
    collection->member = member;
    lua_pushcfunction(L, step);
    lua_pushlightuserdata(L, collection);
    succeeded = lua_pcall(L, 1, 0, 0) == LUA_OK && !collection->graph.has_failed;
    if (succeeded) continue;
    lua_settop(L, WAX_LUA_COROUTINE_BASE);
    wax_proxy_untie_all(L, &collection->graph);
  }
  return succeeded;
}

/* Whether what is not alive is known for certain. */
static bool find_garbage(collection *collection) {
  uint32_t before = 0;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    if (!in_all(collection, probe)) return false;
    uint32_t alive = find_alive(&collection->graph);
    if (alive == before || collection->count == 1) return true;
    before = alive;
  }
  return false;
}

static bool build(collection *collection) {
  wax_proxy_graph *graph = &collection->graph;
  graph->hooks = collection->hooks;
  graph->members = collection->count;
  return in_all(collection, add_objects) && in_all(collection, add_rest) &&
         wax_proxy_graph_close(graph, MIN_NODES + NODES_PER_PROXY * graph->count);
}

static bool reserve_releases(const collection *collection) {
  for (uint32_t i = 0; i < collection->count; i++)
    if (!wax_lua_reserve_releases(collection->states[i],
                                  wax_proxy_state_live_proxies(collection->states[i])))
      return false;
  return true;
}

/* Returns how many objects with Lua values there are, if it was looked which are alive. */
static size_t run(collection *collection) {
  if (!build(collection)) return 0;
  size_t found = wax_proxy_find_leads(&collection->graph);
  if (!found || !reserve_releases(collection)) return 0;
  if (collection->count > 1 && !wax_proxy_has_crossings(&collection->graph)) return 0;
  if (!find_garbage(collection)) return 0;
  for (uint32_t i = 0; i < collection->count; i++)
    end_weak(collection->states[i], &collection->graph);
  in_all(collection, let_go);
  return found;
}

void wax_proxy_set_cycle_quota(wax_lua_state *state) {
  size_t quota = wax_lua_state_memory(state) / BYTES_PER_EDGE;
  size_t by_proxies = wax_proxy_state_live_proxies(state) / PROXIES_PER_EDGE;
  if (by_proxies > quota) quota = by_proxies;
  state->edge_quota = quota > MIN_QUOTA ? quota : MIN_QUOTA;
  state->new_edges = 0;
}

/* A proxy that is collected before it is tied would take what hangs on its object with it: until
   all are, the collector stands still. */
static bool add_state(collection *collection, wax_lua_state *state) {
  state->new_edges = 0;
  wax_lua_coroutine *coroutine = wax_lua_coroutine_acquire(state);
  if (!coroutine) return false;
  uint32_t member = collection->count++;
  collection->states[member] = state;
  collection->coroutines[member] = coroutine;
  collection->hooks[member] = wax_proxy_state_of(state)->cycle_hooks;
  collection->is_running[member] = lua_gc(coroutine->L, LUA_GCISRUNNING);
  lua_gc(coroutine->L, LUA_GCSTOP);
  return true;
}

static void end(collection *collection, bool has_collected) {
  wax_proxy_graph_free(&collection->graph);
  for (uint32_t member = collection->count; member-- > 0;) {
    wax_lua_state *state = collection->states[member];
    if (collection->is_running[member]) lua_gc(collection->coroutines[member]->L, LUA_GCRESTART);
    wax_lua_coroutine_release(collection->coroutines[member]);
    if (has_collected) wax_proxy_collector_reset_pace(state);
    wax_proxy_set_cycle_quota(state);
  }
}

static size_t collect_cycles(wax_lua_state *const *states, size_t count) {
  collection collection = {.count = 0};
  size_t found = 0;
  bool has_all = true;
  for (size_t i = 0; i < count && has_all; i++) has_all = add_state(&collection, states[i]);
  if (has_all) found = run(&collection);
  end(&collection, found);
  return found;
}

size_t wax_proxy_collect_cycles(wax_lua_state *state) {
  state->new_edges = 0;
  if (!state->has_edges || !wax_proxy_state_of(state)->cycle_hooks.shape) return 0;
  return collect_cycles(&state, 1);
}

bool wax_proxy_has_edges(const wax_lua_state *state) {
  return atomic_load_explicit(&state->has_edges, memory_order_relaxed) &&
         wax_proxy_state_in(state)->cycle_hooks.shape;
}

size_t wax_proxy_collect_joint_cycles(wax_lua_state *const *states, size_t count) {
  if (count > WAX_PROXY_MAX_STATES) count = WAX_PROXY_MAX_STATES;
  size_t entered = 0, found = 0;
  while (entered < count && wax_lua_try_enter(states[entered], 0)) entered++;
  if (entered == count) found = collect_cycles(states, count);
  wax_lua_leave_all(states, entered);
  return found;
}

/* }================================================================== */
