/* SPDX-License-Identifier: MIT
 *
 * The part of the program's objects that some Lua states alone hold.
 */
#ifndef WAXWING_GRAPH_H
#define WAXWING_GRAPH_H

#include "waxwing_cycles.h"

/* How the references in a node's memory are found. */
typedef enum waxwing_node_form {
  WAXWING_NODE_OBJECT, /* by its class */
  WAXWING_NODE_ARRAY,  /* elements of the shape `first` */
  WAXWING_NODE_TABLE,  /* keys `first`, values `second` */
  WAXWING_NODE_BOX     /* a value of the shape `first` */
} waxwing_node_form;

/* States of a collection, a bit each. */
typedef uint32_t waxwing_members;
#define WAXWING_MOST_MEMBERS 32

typedef struct waxwing_node {
  void *object;
  const waxwing_shape *first, *second;
  uint32_t found;          /* strong references known */
  uint32_t weak;           /* weak ones of the state's own */
  uint32_t edge;           /* the first of its own, once it is closed */
  uint32_t edges;          /* how many */
  int reference;           /* of a closure's Lua function; 0: none */
  waxwing_members proxies; /* in which states it has a proxy */
  waxwing_members fields;  /* in which it has fields */
  waxwing_members owner;   /* of the closure's function */
  waxwing_members leads;   /* it is closed, and Lua values of these hang on it */
  uint8_t form;            /* waxwing_node_form */
  bool is_in_use;          /* a call that has not returned may use it */
  bool is_closed;          /* all its references are known */
  bool is_tied;            /* its proxy in the state that is looked at carries them */
  bool is_alive;           /* something that Lua code can reach leads to it */
} waxwing_node;

typedef struct waxwing_graph {
  const waxwing_cycle_hooks *hooks; /* of each state; but for `owner` they are the same */
  uint32_t members;                 /* how many states */
  waxwing_node *nodes;
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
    const waxwing_shape *shape;
  } known[64];
} waxwing_graph;

/* NULL: no memory. */
waxwing_node *waxwing_graph_add(waxwing_graph *graph, void *object);
/* NULL: it is not in it. */
waxwing_node *waxwing_graph_find(const waxwing_graph *graph, const void *object);
/* Closes what can be closed. False: no memory. */
bool waxwing_graph_close(waxwing_graph *graph, uint32_t limit);
void waxwing_graph_free(waxwing_graph *graph);

#endif
