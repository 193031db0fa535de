/* SPDX-License-Identifier: MIT
 *
 * The part of the program's objects that some Lua states alone hold.
 */
#ifndef WAX_PROXY_GRAPH_H
#define WAX_PROXY_GRAPH_H

#include "wax_proxy_cycles.h"

/* How the references in a node's memory are found. */
typedef enum wax_proxy_node_form {
  WAX_PROXY_NODE_OBJECT, /* by its class */
  WAX_PROXY_NODE_ARRAY,  /* elements of the shape `first` */
  WAX_PROXY_NODE_TABLE,  /* keys `first`, values `second` */
  WAX_PROXY_NODE_BOX     /* a value of the shape `first` */
} wax_proxy_node_form;

/* States of a collection, a bit each. */
typedef uint32_t wax_proxy_states_mask;
#define WAX_PROXY_MAX_STATES 32

typedef struct wax_proxy_node {
  void *object;
  const wax_proxy_shape *first, *second;
  uint32_t found;                /* strong references known */
  uint32_t weak;                 /* weak ones of the state's own */
  uint32_t edge;                 /* the first of its own, once it is closed */
  uint32_t edges;                /* how many */
  int reference;                 /* of a closure's Lua function; 0: none */
  wax_proxy_states_mask proxies; /* in which states it has a proxy */
  wax_proxy_states_mask fields;  /* in which it has fields */
  wax_proxy_states_mask owner;   /* of the closure's function */
  wax_proxy_states_mask leads;   /* it is closed, and Lua values of these hang on it */
  uint8_t form;                  /* wax_proxy_node_form */
  bool is_in_use;                /* a call that has not returned may use it */
  bool is_closed;                /* all its references are known */
  bool is_tied;                  /* its proxy in the state that is looked at carries them */
  bool is_alive;                 /* something that Lua code can reach leads to it */
} wax_proxy_node;

typedef struct wax_proxy_graph {
  const wax_proxy_cycle_hooks *hooks; /* of each state; but for `owner` they are the same */
  uint32_t members;                   /* how many states */
  wax_proxy_node *nodes;
  uint32_t count, capacity;
  uint32_t *table; /* by address: node +1, open addressing */
  uint32_t table_mask;
  uint32_t *order; /* the closed ones, holders before what they hold */
  uint32_t closed;
  uint32_t *edges; /* nodes */
  uint32_t edge_count, edge_capacity;
  uint32_t limit;  /* of nodes */
  bool has_failed; /* no memory */
  struct {
    const void *type;
    const wax_proxy_shape *shape;
  } known[64];
} wax_proxy_graph;

/* NULL: no memory. */
wax_proxy_node *wax_proxy_graph_add(wax_proxy_graph *graph, void *object);
/* NULL: it is not in it. */
wax_proxy_node *wax_proxy_graph_find(const wax_proxy_graph *graph, const void *object);
/* Closes what can be closed. False: no memory. */
bool wax_proxy_graph_close(wax_proxy_graph *graph, uint32_t limit);
void wax_proxy_graph_free(wax_proxy_graph *graph);

#endif
