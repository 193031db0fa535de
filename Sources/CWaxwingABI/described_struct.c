/* SPDX-License-Identifier: MIT */

/* Structs whose metadata the optimizer has dropped: include/swift/ABI/Metadata.h and
 * ValueWitness.def, Swift 6.3. */

#include "wax_abi_described_struct.h"

#include <stdint.h>
#include <stdlib.h>

#define SWIFTCC __attribute__((swiftcall))

#define KIND_STRUCT 0x200
#define HAS_ENUM_WITNESSES 0x00200000u

typedef struct value_witnesses {
  void *(*copy_buffer)(void *target, void *source, const void *type);
  void (*destroy)(void *value, const void *type);
  void *(*copy)(void *target, void *source, const void *type);
  void *(*assign_copy)(void *target, void *source, const void *type);
  void *(*take)(void *target, void *source, const void *type);
  void *(*assign_take)(void *target, void *source, const void *type);
  unsigned (*tag)(const void *value, unsigned empty_cases, const void *type);
  void (*store_tag)(void *value, unsigned tag, unsigned empty_cases, const void *type);
  size_t size;
  size_t stride;
  uint32_t flags;
  uint32_t extra_inhabitants;
} value_witnesses;

typedef struct made_struct {
  value_witnesses witnesses;
  const void *stand_in;
  const void *layout_string; /* none */
  const value_witnesses *table;
  uintptr_t kind; /* the metadata's address */
  const void *descriptor;
  uint32_t offsets[];
} made_struct;

typedef struct tuple_element {
  const void *type;
  size_t offset;
} tuple_element;

typedef struct tuple_metadata {
  uintptr_t kind;
  size_t count;
  const char *labels;
  tuple_element elements[];
} tuple_metadata;

typedef struct metadata_response {
  const void *type;
  unsigned long state;
} metadata_response;

/* No element: the empty tuple's. */
SWIFTCC metadata_response swift_getTupleTypeMetadata(unsigned long request, unsigned long count,
                                                     const void *const *types, const char *labels,
                                                     const void *witnesses);

/* {== Value witnesses ====== */

static const value_witnesses *witnesses_of(const void *type) {
  return ((const value_witnesses *const *)type)[-1];
}

static const void *stand_in(const void *type) {
  const char *kind = type;
  return ((const made_struct *)(kind - offsetof(made_struct, kind)))->stand_in;
}

static void *copy_buffer(void *target, void *source, const void *type) {
  const void *other = stand_in(type);
  return witnesses_of(other)->copy_buffer(target, source, other);
}

static void destroy(void *value, const void *type) {
  const void *other = stand_in(type);
  witnesses_of(other)->destroy(value, other);
}

static void *copy(void *target, void *source, const void *type) {
  const void *other = stand_in(type);
  return witnesses_of(other)->copy(target, source, other);
}

static void *assign_copy(void *target, void *source, const void *type) {
  const void *other = stand_in(type);
  return witnesses_of(other)->assign_copy(target, source, other);
}

static void *take(void *target, void *source, const void *type) {
  const void *other = stand_in(type);
  return witnesses_of(other)->take(target, source, other);
}

static void *assign_take(void *target, void *source, const void *type) {
  const void *other = stand_in(type);
  return witnesses_of(other)->assign_take(target, source, other);
}

static unsigned tag(const void *value, unsigned empty_cases, const void *type) {
  const void *other = stand_in(type);
  return witnesses_of(other)->tag(value, empty_cases, other);
}

static void store_tag(void *value, unsigned number, unsigned empty_cases, const void *type) {
  const void *other = stand_in(type);
  witnesses_of(other)->store_tag(value, number, empty_cases, other);
}

/* ====== }== */

const void *wax_abi_described_struct(const void *descriptor, const void *const *types,
                                     size_t count) {
  made_struct *made = calloc(1, sizeof *made + (count + 1) * sizeof(uint32_t));
  if (!made) return NULL;
  made->stand_in =
      count == 1 ? types[0] : swift_getTupleTypeMetadata(0, count, types, NULL, NULL).type;
  if (count > 1) {
    const tuple_metadata *tuple = made->stand_in;
    for (size_t i = 0; i < count; i++) made->offsets[i] = (uint32_t)tuple->elements[i].offset;
  }
  const value_witnesses *like = witnesses_of(made->stand_in);
  made->witnesses = (value_witnesses){copy_buffer,
                                      destroy,
                                      copy,
                                      assign_copy,
                                      take,
                                      assign_take,
                                      tag,
                                      store_tag,
                                      like->size,
                                      like->stride,
                                      like->flags & ~HAS_ENUM_WITNESSES,
                                      like->extra_inhabitants};
  made->table = &made->witnesses;
  made->kind = KIND_STRUCT;
  made->descriptor = descriptor;
  return &made->kind;
}
