/* SPDX-License-Identifier: MIT
 *
 * Values on their way between Lua and Swift: a flat sequence in preorder, so that one crossing
 * is one C call however deep the value.
 *
 *   nil/boolean/integer/number/string/object …   one entry
 *   ARRAY n                                      n values follow
 *   TABLE n                                      n pairs follow: key, value, key, value …
 */
#ifndef WAXWING_VALUES_H
#define WAXWING_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <lua.h>

/* How deep tables may nest, and how many entries one crossing may have. */
#define WAXWING_MAX_DEPTH 32
#define WAXWING_MAX_ENTRIES 4000000u

/* What C can move. The first of them as in PlainKind.swift, which has the same numbers. */
typedef enum waxwing_move {
  WAXWING_MOVE_INT8,
  WAXWING_MOVE_INT16,
  WAXWING_MOVE_INT32,
  WAXWING_MOVE_INT64,
  WAXWING_MOVE_UINT8,
  WAXWING_MOVE_UINT16,
  WAXWING_MOVE_UINT32,
  WAXWING_MOVE_UINT64,
  WAXWING_MOVE_BOOLEAN,
  WAXWING_MOVE_FLOAT,
  WAXWING_MOVE_DOUBLE,
  WAXWING_MOVE_OBJECT,
  WAXWING_MOVE_STRING,
  WAXWING_MOVE_FUNCTION, /* to Swift: a Lua function */
  WAXWING_MOVE_VALUE, /* a value of a trivial type, which a proxy holds: see waxwing_value_layout */
  WAXWING_MOVE_NOTHING, /* of a result: there is none */
  WAXWING_MOVE_OTHER    /* of a result: Swift reads it */
} waxwing_move;

typedef enum waxwing_tag {
  WAXWING_NIL = 0,
  WAXWING_BOOLEAN,
  WAXWING_INTEGER,
  WAXWING_NUMBER,
  WAXWING_STRING,    /* `bytes`: borrowed, `count` bytes long */
  WAXWING_BYTES,     /* `integer`: offset into the buffer's own bytes, `count` bytes long */
  WAXWING_OBJECT,    /* `pointer`: a Swift object; pushing finds or makes its proxy */
  WAXWING_PROXY,     /* reading only: `pointer` is the waxwing_proxy, not of an object */
  WAXWING_NEW_PROXY, /* pushing only: `count` is its kind, `pointer` what it is to hold; the next
                        entry's `pointer` is the type. Once pushed, `count` is 0 */
  WAXWING_NULL,      /* the `null` that stands for nil inside tables */
  WAXWING_FUNCTION,  /* reading: `pointer` tells it, `count` is the stack index, 0 inside tables;
                        pushing: `pointer` is a waxwing_callback */
  WAXWING_REFERENCE, /* pushing only: `integer` is a registry reference */
  WAXWING_METATYPE,  /* `pointer`: Swift metadata; to Lua it is the type's face */
  WAXWING_ARRAY,
  WAXWING_TABLE,
  WAXWING_TOO_DEEP, /* reading only: a table past WAXWING_MAX_DEPTH */
  WAXWING_CYCLE,    /* reading only: a table inside itself */
  WAXWING_OTHER     /* reading only: `bytes` is the name of a Lua type that cannot cross */
} waxwing_tag;

typedef struct waxwing_value {
  uint32_t tag; /* waxwing_tag */
  uint32_t count;
  union {
    int64_t integer;
    double number;
    void *pointer;
    const char *bytes;
  };
} waxwing_value;

#define WAXWING_INLINE_VALUES 16

/* A growing sequence of values and the bytes they own. Starts in its own storage: an ordinary
   call allocates nothing. */
typedef struct waxwing_buffer {
  lua_State *L; /* whose stack it is read from or pushed on; NULL: none */
  waxwing_value *values;
  uint32_t count;
  uint32_t capacity;
  char *bytes;
  size_t byte_count;
  size_t byte_capacity;
  bool failed; /* out of memory, or past WAXWING_MAX_ENTRIES: contents are not to be used */
  waxwing_value inline_values[WAXWING_INLINE_VALUES];
} waxwing_buffer;

void waxwing_buffer_init(waxwing_buffer *buffer);
void waxwing_buffer_free(waxwing_buffer *buffer);

/* Slow half of waxwing_buffer_append: returns scratch space and sets `failed` when it cannot grow.
 */
waxwing_value *waxwing_buffer_grow(waxwing_buffer *buffer);

/* Appends `count` bytes and returns their offset. */
size_t waxwing_buffer_add_bytes(waxwing_buffer *buffer, const void *bytes, size_t count);

static inline void waxwing_buffer_clear(waxwing_buffer *buffer) {
  buffer->count = 0;
  buffer->byte_count = 0;
  buffer->failed = false;
}

/* Room for so many entries, which the caller fills in; NULL, and `failed` is set: there is none. */
waxwing_value *waxwing_buffer_append_row(waxwing_buffer *buffer, size_t count);

static inline waxwing_value *waxwing_buffer_append(waxwing_buffer *buffer) {
  if (__builtin_expect(buffer->count < buffer->capacity, 1))
    return &buffer->values[buffer->count++];
  return waxwing_buffer_grow(buffer);
}

static inline void waxwing_buffer_add(waxwing_buffer *buffer, waxwing_tag tag, int64_t integer) {
  waxwing_value *value = waxwing_buffer_append(buffer);
  value->tag = tag;
  value->count = 0;
  value->integer = integer;
}

static inline void waxwing_buffer_add_number(waxwing_buffer *buffer, double number) {
  waxwing_value *value = waxwing_buffer_append(buffer);
  value->tag = WAXWING_NUMBER;
  value->count = 0;
  value->number = number;
}

static inline void waxwing_buffer_add_pointer(waxwing_buffer *buffer, waxwing_tag tag,
                                              void *pointer) {
  waxwing_value *value = waxwing_buffer_append(buffer);
  value->tag = tag;
  value->count = 0;
  value->pointer = pointer;
}

/* Two entries; the buffer owns `pointer` until it is pushed. */
static inline void waxwing_buffer_add_proxy(waxwing_buffer *buffer, uint32_t kind, void *pointer,
                                            const void *type) {
  waxwing_buffer_add_pointer(buffer, WAXWING_NIL, (void *)type);
  waxwing_value *second = waxwing_buffer_append(buffer);
  if (buffer->failed) return;
  waxwing_value *first = second - 1;
  *second = *first;
  *first = (waxwing_value){.tag = WAXWING_NEW_PROXY, .count = kind, .pointer = pointer};
}

/* `tag` is WAXWING_ARRAY or WAXWING_TABLE. */
static inline void waxwing_buffer_add_collection(waxwing_buffer *buffer, waxwing_tag tag,
                                                 uint32_t count) {
  waxwing_value *value = waxwing_buffer_append(buffer);
  value->tag = tag;
  value->count = count;
  value->integer = 0;
}

static inline void waxwing_buffer_add_string(waxwing_buffer *buffer, const void *bytes,
                                             size_t count) {
  if (count > UINT32_MAX) {
    buffer->failed = true;
    return;
  }
  size_t offset = waxwing_buffer_add_bytes(buffer, bytes, count);
  waxwing_value *value = waxwing_buffer_append(buffer);
  value->tag = WAXWING_BYTES;
  value->count = (uint32_t)count;
  value->integer = (int64_t)offset;
}

/* The bytes of a WAXWING_STRING or WAXWING_BYTES entry. */
static inline const char *waxwing_value_bytes(const waxwing_buffer *buffer,
                                              const waxwing_value *value) {
  return value->tag == WAXWING_STRING ? value->bytes : buffer->bytes + value->integer;
}

/* [-0, +0, -]  Appends the value at `index`. Strings stay Lua's: valid while the value is on the
   stack and the state is not left. */
void waxwing_read(lua_State *L, int index, waxwing_buffer *buffer);

/* {==================================================================
** Rows: values of one trivial kind, one after the other in memory
** =================================================================== */

/* Appends so many values. `move`: integers of at most 64 bits that are no UInt64, booleans, Double.
 */
void waxwing_buffer_add_row(waxwing_buffer *buffer, waxwing_move move, const void *source,
                            size_t count);

/* Copies the leading values that are of the kind's own Lua type, and fit, to `target`. Returns how
   many. */
size_t waxwing_take_row(const waxwing_value *values, waxwing_move move, void *target, size_t count);

/* }================================================================== */

/* Whether all of the text is ASCII: it is valid UTF-8 then. */
static inline bool waxwing_is_ascii(const char *text, size_t count) {
  typedef uint64_t pair __attribute__((vector_size(16), aligned(1)));
  pair wide = {0, 0};
  for (; count >= 64; text += 64, count -= 64) {
    const pair *at = (const pair *)(const void *)text;
    wide |= at[0] | at[1] | at[2] | at[3];
  }
  uint64_t all = (wide[0] | wide[1]) & UINT64_C(0x8080808080808080);
  for (size_t i = 0; i < count; i++) all |= (unsigned char)text[i] & 0x80;
  return all == 0;
}

#endif
