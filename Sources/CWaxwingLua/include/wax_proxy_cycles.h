/* SPDX-License-Identifier: MIT
 *
 * Cycles between Lua and Swift: objects that only Lua code holds, and that hold Lua values.
 */
#ifndef WAX_PROXY_CYCLES_H
#define WAX_PROXY_CYCLES_H

#include "wax_lua_state.h"

/* The kinds of strong references in the memory of a value or an object. */
typedef enum wax_proxy_part_kind {
  WAX_PROXY_PART_OBJECT = 1, /* a word: an object, or nil */
  WAX_PROXY_PART_FUNCTION,   /* two words: code, or nil, and a context */
  WAX_PROXY_PART_ARRAY,      /* a word: the storage of elements of the shape `first` */
  WAX_PROXY_PART_TABLE,      /* a word: a hashed storage; keys `first`, values `second`, or NULL */
  WAX_PROXY_PART_ANY,        /* an opaque existential: three words, the type or nil */
  WAX_PROXY_PART_CASES       /* an enum: `cases` */
} wax_proxy_part_kind;

typedef struct wax_proxy_shape wax_proxy_shape;

/* An enum. Cases without references have no shape. */
typedef struct wax_proxy_enum_cases {
  const void *type;
  size_t size;
  uint32_t count;
  const wax_proxy_shape *const *payloads; /* `count` of them; by tag */
} wax_proxy_enum_cases;

typedef struct wax_proxy_part {
  uint32_t kind; /* wax_proxy_part_kind */
  uint32_t offset;
  const wax_proxy_shape *first, *second;
  const wax_proxy_enum_cases *cases;
} wax_proxy_part;

/* The references in the memory of a type's values. Shapes are never freed: there are as many as
   types. */
struct wax_proxy_shape {
  size_t stride; /* of the elements of a storage */
  size_t alignment_mask;
  size_t count;
  const wax_proxy_part *parts;
};

/* The facts about the program that the state needs. */
typedef struct wax_proxy_cycle_hooks {
  /* The references in values of a type; `is_instance`: in instances of a class. Never NULL. */
  const wax_proxy_shape *(*shape)(const void *type, bool is_instance);
  /* The class of the contexts of closures made of Lua functions, where such an object keeps its
     registry reference, where it keeps whose it is, and what this state's have there. */
  const void *closure_type;
  size_t reference_offset;
  size_t owner_offset;
  const void *owner;
} wax_proxy_cycle_hooks;

/* The numbers of references to an object, as the runtime counts them: one unowned for all the
   strong ones, one weak for all the unowned ones. Objects that live for ever have many unowned
   ones. */
typedef struct wax_proxy_counts {
  size_t strong, unowned, weak;
} wax_proxy_counts;
wax_proxy_counts wax_proxy_count_references(void *object);

/* [state entered]  Without it cycles are not collected. */
void wax_proxy_set_cycle_hooks(wax_lua_state *state, wax_proxy_cycle_hooks hooks);

/* [state entered]  A full collection, of cycles too. Returns how many objects with Lua values were
   held by Lua code alone: 0 if nothing has been collected. */
size_t wax_proxy_collect_cycles(wax_lua_state *state);

/* Whether Swift keeps, or has kept, something of this state's. */
bool wax_proxy_has_edges(const wax_lua_state *state);

/* [no state entered]  Collects the cycles that go through several of the states, as those of the
   same patch or of several patches that hold one object, unless a thread is in one of them. What is
   collected is released after all of them have been left, on this thread. Returns how many objects
   with Lua values they alone hold: 0 if nothing has been collected. */
size_t wax_proxy_collect_joint_cycles(wax_lua_state *const *states, size_t count);

#endif
