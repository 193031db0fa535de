/* SPDX-License-Identifier: MIT
 *
 * Which objects some Lua states alone hold, directly or by way of others.
 *
 * It begins with the objects that have proxies, each of which is one strong reference. An object
 * all of whose references are known, to which there are no weak and no unowned ones, and that no
 * call is using, cannot be reached by any other thread: it is closed. Nobody changes it as long as
 * the states are entered, so that its memory can be read, and what it refers to has one more
 * reference that is known. Nothing else is ever read. So what is closed is so for certain, whatever
 * other threads do meanwhile; and each holder of a closed object is closed before it.
 *
 * Objects that hold each other by strong references of Swift's are not found, but they would not
 * die either.
 */
#include "wax_proxy_graph.h"

#include <stdlib.h>
#include <string.h>

extern size_t swift_retainCount(void *object);
extern size_t swift_unownedRetainCount(void *object);
extern size_t swift_weakRetainCount(void *object);
extern bool swift_isDeallocating(void *object);

/* {==================================================================
** Nodes
** =================================================================== */

static uint32_t slot_of(const wax_proxy_graph *graph, const void *object) {
  uint64_t mixed = (uint64_t)(uintptr_t)object * 0x9e3779b97f4a7c15u;
  uint32_t slot = (uint32_t)(mixed >> 32) & graph->table_mask;
  while (graph->table[slot] && graph->nodes[graph->table[slot] - 1].object != object)
    slot = (slot + 1) & graph->table_mask;
  return slot;
}

wax_proxy_node *wax_proxy_graph_find(const wax_proxy_graph *graph, const void *object) {
  if (!graph->count) return NULL;
  uint32_t index = graph->table[slot_of(graph, object)];
  return index ? &graph->nodes[index - 1] : NULL;
}

static bool grow(wax_proxy_graph *graph) {
  uint32_t capacity = graph->capacity ? graph->capacity * 2 : 64;
  wax_proxy_node *nodes = realloc(graph->nodes, capacity * sizeof *nodes);
  if (nodes) graph->nodes = nodes;
  uint32_t *order = realloc(graph->order, capacity * sizeof *order);
  if (order) graph->order = order;
  uint32_t *table = calloc(2 * (size_t)capacity, sizeof *table);
  if (!nodes || !order || !table) {
    free(table);
    return false;
  }
  free(graph->table);
  graph->table = table;
  graph->table_mask = 2 * capacity - 1;
  graph->capacity = capacity;
  for (uint32_t i = 0; i < graph->count; i++)
    graph->table[slot_of(graph, graph->nodes[i].object)] = i + 1;
  return true;
}

wax_proxy_node *wax_proxy_graph_add(wax_proxy_graph *graph, void *object) {
  wax_proxy_node *known = wax_proxy_graph_find(graph, object);
  if (known) return known;
  if (graph->count == graph->capacity && !grow(graph)) {
    graph->has_failed = true;
    return NULL;
  }
  wax_proxy_node *node = &graph->nodes[graph->count];
  *node = (wax_proxy_node){.object = object};
  graph->table[slot_of(graph, object)] = ++graph->count;
  return node;
}

void wax_proxy_graph_free(wax_proxy_graph *graph) {
  free(graph->nodes);
  free(graph->table);
  free(graph->order);
  free(graph->edges);
}

/* }================================================================== */

/* {==================================================================
** Closing
** =================================================================== */

wax_proxy_counts wax_proxy_count_references(void *object) {
  return (wax_proxy_counts){
      .strong = swift_retainCount(object),
      .unowned = swift_unownedRetainCount(object),
      .weak = swift_weakRetainCount(object),
  };
}

static bool is_accounted_for(const wax_proxy_node *node) {
  if (node->found == 0 || node->is_in_use) return false;
  wax_proxy_counts counts = wax_proxy_count_references(node->object);
  size_t with_fields = (size_t)__builtin_popcount(node->fields); /* an unowned reference each */
  return counts.strong == node->found && counts.unowned == 1 + with_fields &&
         counts.weak == 1 + (size_t)node->weak && !swift_isDeallocating(node->object);
}

static void close_if_accounted_for(wax_proxy_graph *graph, wax_proxy_node *node) {
  if (node->is_closed || !is_accounted_for(node)) return;
  node->is_closed = true;
  graph->order[graph->closed++] = (uint32_t)(node - graph->nodes);
}

/* The context of a closure of ours: what it holds is in Lua. */
static void note_closure(wax_proxy_graph *graph, wax_proxy_node *node) {
  const wax_proxy_cycle_hooks *hooks = graph->hooks;
  const char *memory = node->object;
  const void *owner = *(const void *const *)(memory + hooks->owner_offset);
  for (uint32_t member = 0; member < graph->members; member++) {
    if (hooks[member].owner != owner) continue;
    node->reference = *(const int32_t *)(memory + hooks->reference_offset);
    node->owner = (wax_proxy_states_mask)1 << member;
  }
}

static bool add_edge(wax_proxy_graph *graph, uint32_t target) {
  if (graph->edge_count == graph->edge_capacity) {
    uint32_t capacity = graph->edge_capacity ? graph->edge_capacity * 2 : 64;
    uint32_t *grown = realloc(graph->edges, capacity * sizeof *grown);
    if (!grown) return false;
    graph->edges = grown;
    graph->edge_capacity = capacity;
  }
  graph->edges[graph->edge_count++] = target;
  return true;
}

/* A closed object refers to this one. */
static void refer(wax_proxy_graph *graph, void *object, wax_proxy_node_form form,
                  const wax_proxy_shape *first, const wax_proxy_shape *second) {
  /* Small numbers stand for nil, in optionals of optionals. */
  if ((uintptr_t)object < 4096 || graph->has_failed) return;
  bool is_new = !wax_proxy_graph_find(graph, object);
  if (is_new && graph->count >= graph->limit) return;
  wax_proxy_node *node = wax_proxy_graph_add(graph, object);
  if (!node) return;
  if (!node->proxies && !node->found) {
    node->form = (uint8_t)form;
    node->first = first;
    node->second = second;
    if (form == WAX_PROXY_NODE_OBJECT && *(const void **)object == graph->hooks->closure_type)
      note_closure(graph, node);
  }
  node->found++;
  if (!add_edge(graph, (uint32_t)(node - graph->nodes))) graph->has_failed = true;
}

/* }================================================================== */

/* {==================================================================
** Memory
** =================================================================== */

/* Of an array's storage: header, count, capacity, elements. */
#define ARRAY_COUNT 16
#define ARRAY_ELEMENTS 32

/* Of a hashed storage: header, count, capacity, scale … seed, keys, values, bitmap. A set's has no
   values (stdlib/public/core/{SetStorage,DictionaryStorage}.swift, Swift 6.3). */
#define TABLE_SCALE 32
#define TABLE_KEYS 48
#define TABLE_VALUES 56
#define SET_BITMAP 56
#define DICTIONARY_BITMAP 64

/* Of a value witness table. */
#define WITNESS_FLAGS 80
#define IS_NOT_INLINE 0x20000u
#define WITNESS_TAG 11
#define WITNESS_PROJECT 12

/* Of an opaque existential. */
#define ANY_TYPE 24

#define LARGEST_CASE 256

static void scan(wax_proxy_graph *graph, const char *memory, const wax_proxy_shape *shape);

static const void *const *witnesses(const void *type) {
  return ((const void *const *const *)type)[-1];
}

static const wax_proxy_shape *shape_of_class(wax_proxy_graph *graph, const void *type) {
  size_t slot = ((uintptr_t)type >> 4) % (sizeof graph->known / sizeof *graph->known);
  if (graph->known[slot].type != type) {
    graph->known[slot].type = type;
    graph->known[slot].shape = graph->hooks->shape(type, true);
  }
  return graph->known[slot].shape;
}

static void scan_any(wax_proxy_graph *graph, const char *memory) {
  const void *type = *(const void *const *)(memory + ANY_TYPE);
  if (!type) return;
  const wax_proxy_shape *shape = graph->hooks->shape(type, false);
  if (!shape->count) return;
  uint32_t flags = *(const uint32_t *)((const char *)witnesses(type) + WITNESS_FLAGS);
  if (flags & IS_NOT_INLINE)
    refer(graph, *(void *const *)memory, WAX_PROXY_NODE_BOX, shape, NULL);
  else
    scan(graph, memory, shape);
}

/* The payload is taken out of a copy of the bytes, which owns nothing. */
static void scan_case(wax_proxy_graph *graph, const char *memory,
                      const wax_proxy_enum_cases *cases) {
  const void *const *table = witnesses(cases->type);
  uint32_t (*tag_of)(const void *, const void *) =
      (uint32_t(*)(const void *, const void *))table[WITNESS_TAG];
  void (*project)(void *, const void *) = (void (*)(void *, const void *))table[WITNESS_PROJECT];
  _Alignas(16) char copy[LARGEST_CASE];
  if (cases->size > sizeof copy) return;
  uint32_t tag = tag_of(memory, cases->type);
  if (tag >= cases->count || !cases->payloads[tag]) return;
  memcpy(copy, memory, cases->size);
  project(copy, cases->type);
  scan(graph, copy, cases->payloads[tag]);
}

static void scan_part(wax_proxy_graph *graph, const char *memory, const wax_proxy_part *part) {
  void *word = *(void *const *)memory;
  switch (part->kind) {
    case WAX_PROXY_PART_OBJECT: return refer(graph, word, WAX_PROXY_NODE_OBJECT, NULL, NULL);
    case WAX_PROXY_PART_FUNCTION:
      if ((uintptr_t)word >= 4096)
        refer(graph, ((void *const *)memory)[1], WAX_PROXY_NODE_OBJECT, NULL, NULL);
      return;
    case WAX_PROXY_PART_ARRAY: return refer(graph, word, WAX_PROXY_NODE_ARRAY, part->first, NULL);
    case WAX_PROXY_PART_TABLE:
      return refer(graph, word, WAX_PROXY_NODE_TABLE, part->first, part->second);
    case WAX_PROXY_PART_ANY: return scan_any(graph, memory);
    case WAX_PROXY_PART_CASES: return scan_case(graph, memory, part->cases);
  }
}

static void scan(wax_proxy_graph *graph, const char *memory, const wax_proxy_shape *shape) {
  for (size_t i = 0; i < shape->count; i++)
    scan_part(graph, memory + shape->parts[i].offset, &shape->parts[i]);
}

static void scan_array(wax_proxy_graph *graph, const char *storage, const wax_proxy_shape *shape) {
  if (!shape->count) return;
  size_t count = *(const size_t *)(storage + ARRAY_COUNT);
  const char *element =
      storage + ((ARRAY_ELEMENTS + shape->alignment_mask) & ~shape->alignment_mask);
  for (size_t i = 0; i < count && !graph->has_failed; i++, element += shape->stride)
    scan(graph, element, shape);
}

static void scan_table(wax_proxy_graph *graph, const char *storage, const wax_proxy_shape *keys,
                       const wax_proxy_shape *values) {
  size_t buckets = (size_t)1 << *(const int8_t *)(storage + TABLE_SCALE);
  const char *key = *(const char *const *)(storage + TABLE_KEYS);
  const char *value = values ? *(const char *const *)(storage + TABLE_VALUES) : NULL;
  const uint64_t *bitmap = (const uint64_t *)(storage + (values ? DICTIONARY_BITMAP : SET_BITMAP));
  for (size_t i = 0; i < buckets && !graph->has_failed; i++) {
    if (!(bitmap[i / 64] >> (i % 64) & 1)) continue;
    scan(graph, key + i * keys->stride, keys);
    if (values) scan(graph, value + i * values->stride, values);
  }
}

static void scan_node(wax_proxy_graph *graph, uint32_t index) {
  wax_proxy_node node = graph->nodes[index]; /* they move when there are more */
  const char *memory = node.object;
  const void *type = *(const void *const *)memory;
  switch (node.form) {
    case WAX_PROXY_NODE_ARRAY: return scan_array(graph, memory, node.first);
    case WAX_PROXY_NODE_TABLE: return scan_table(graph, memory, node.first, node.second);
    case WAX_PROXY_NODE_BOX:
      return scan(graph, memory + ((16 + node.first->alignment_mask) & ~node.first->alignment_mask),
                  node.first);
    default:
      if (type != graph->hooks->closure_type) scan(graph, memory, shape_of_class(graph, type));
  }
}

/* }================================================================== */

bool wax_proxy_graph_close(wax_proxy_graph *graph, uint32_t limit) {
  graph->limit = limit;
  for (uint32_t i = 0; i < graph->count; i++) close_if_accounted_for(graph, &graph->nodes[i]);
  for (uint32_t next = 0; next < graph->closed && !graph->has_failed; next++) {
    uint32_t index = graph->order[next], first = graph->edge_count;
    scan_node(graph, index);
    graph->nodes[index].edge = first;
    graph->nodes[index].edges = graph->edge_count - first;
    for (uint32_t i = first; i < graph->edge_count; i++)
      close_if_accounted_for(graph, &graph->nodes[graph->edges[i]]);
  }
  return !graph->has_failed;
}
