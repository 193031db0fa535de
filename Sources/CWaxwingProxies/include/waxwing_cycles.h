/* SPDX-License-Identifier: MIT
 *
 * Cycles between Lua and Swift: objects that only Lua code holds, and that hold Lua values.
 */
#ifndef WAXWING_CYCLES_H
#define WAXWING_CYCLES_H

#include "waxwing_state.h"

/* What strong references the memory of a value, or of an object, has in it. */
typedef enum waxwing_part_kind {
  WAXWING_PART_OBJECT = 1, /* a word: an object, or nil */
  WAXWING_PART_FUNCTION,   /* two words: code, or nil, and a context */
  WAXWING_PART_ARRAY,      /* a word: the storage of elements of the shape `first` */
  WAXWING_PART_TABLE,      /* a word: a hashed storage; keys `first`, values `second`, or NULL */
  WAXWING_PART_ANY,        /* an opaque existential: three words, the type or nil */
  WAXWING_PART_CASES       /* an enum: `cases` */
} waxwing_part_kind;

typedef struct waxwing_shape waxwing_shape;

/* An enum. Cases without references have no shape. */
typedef struct waxwing_cases {
  const void *type;
  size_t size;
  uint32_t count;
  const waxwing_shape *const *payloads; /* `count` of them; by tag */
} waxwing_cases;

typedef struct waxwing_part {
  uint32_t kind; /* waxwing_part_kind */
  uint32_t offset;
  const waxwing_shape *first, *second;
  const waxwing_cases *cases;
} waxwing_part;

/* They are never freed: as many as there are types. */
struct waxwing_shape {
  size_t stride; /* of the elements of a storage */
  size_t alignment_mask;
  size_t count;
  const waxwing_part *parts;
};

/* What the state has to know of the program's side. */
typedef struct waxwing_cycle_hooks {
  /* The references in values of a type; `is_instance`: in instances of a class. Never NULL. */
  const waxwing_shape *(*shape)(const void *type, bool is_instance);
  /* The class of the contexts of closures made of Lua functions, where such an object keeps its
     registry reference, where it keeps whose it is, and what this state's have there. */
  const void *closure_type;
  size_t reference_offset;
  size_t owner_offset;
  const void *owner;
} waxwing_cycle_hooks;

/* How many references there are to an object, as the runtime counts them: one unowned for all the
   strong ones, one weak for all the unowned ones. Of objects that live for ever the unowned ones
   are many. */
typedef struct waxwing_counts {
  size_t strong, unowned, weak;
} waxwing_counts;
waxwing_counts waxwing_count_references(void *object);

/* [state entered]  Without it cycles are not collected. */
void waxwing_set_cycle_hooks(waxwing_state *state, waxwing_cycle_hooks hooks);

/* [state entered]  A full collection, of cycles too. Returns how many objects with Lua values were
   held by Lua code alone: 0 if nothing has been collected. */
size_t waxwing_collect_cycles(waxwing_state *state);

/* Whether Swift keeps, or has kept, something of this state's. */
bool waxwing_has_edges(const waxwing_state *state);

/* [no state entered]  Collects the cycles that go through several of the states, as those of the
   same patch or of several patches that hold one object, unless a thread is in one of them. What is
   collected is released after all of them have been left, on this thread. Returns how many objects
   with Lua values they alone hold: 0 if nothing has been collected. */
size_t waxwing_collect_joint_cycles(waxwing_state *const *states, size_t count);

#endif
