/* SPDX-License-Identifier: MIT
 *
 * Values on their way between Lua and Swift: a flat sequence in preorder, so that one crossing
 * is one C call however deep the value.
 *
 *   nil/boolean/integer/number/string/object …   one entry
 *   ARRAY n                                      n values follow
 *   TABLE n, DICTIONARY n                        n pairs follow: key, value, key, value …
 */
#ifndef WAX_LUA_VALUES_H
#define WAX_LUA_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <lua.h>

/* The largest depth of nested tables, and the largest number of entries of one crossing. */
#define WAX_LUA_MAX_DEPTH 32
#define WAX_LUA_MAX_ENTRIES 4000000u

/* The kinds of values that C can move. The first ones have the same numbers as in PlainKind.swift.
 */
typedef enum wax_lua_move {
  WAX_LUA_MOVE_INT8,
  WAX_LUA_MOVE_INT16,
  WAX_LUA_MOVE_INT32,
  WAX_LUA_MOVE_INT64,
  WAX_LUA_MOVE_UINT8,
  WAX_LUA_MOVE_UINT16,
  WAX_LUA_MOVE_UINT32,
  WAX_LUA_MOVE_UINT64,
  WAX_LUA_MOVE_BOOLEAN,
  WAX_LUA_MOVE_FLOAT,
  WAX_LUA_MOVE_DOUBLE,
  WAX_LUA_MOVE_OBJECT,
  WAX_LUA_MOVE_STRING,
  WAX_LUA_MOVE_FUNCTION, /* to Swift: a Lua function */
  WAX_LUA_MOVE_VALUE,   /* a value of a trivial type, which a proxy holds: see wax_call_value_layout
                         */
  WAX_LUA_MOVE_NOTHING, /* of a result: there is none */
  WAX_LUA_MOVE_OTHER    /* of a result: Swift reads it */
} wax_lua_move;

typedef enum wax_lua_tag {
  WAX_LUA_VALUE_NIL = 0,
  WAX_LUA_VALUE_BOOLEAN,
  WAX_LUA_VALUE_INTEGER,
  WAX_LUA_VALUE_NUMBER,
  WAX_LUA_VALUE_STRING,    /* `bytes`: borrowed, `count` bytes long */
  WAX_LUA_VALUE_BYTES,     /* `integer`: offset into the buffer's own bytes, `count` bytes long */
  WAX_LUA_VALUE_OBJECT,    /* `pointer`: a Swift object; pushing finds or makes its proxy */
  WAX_LUA_VALUE_PROXY,     /* reading only: `pointer` is the wax_proxy, not of an object */
  WAX_LUA_VALUE_NEW_PROXY, /* pushing only: `count` is its kind, `pointer` what it is to hold; the
                        next entry's `pointer` is the type. Once pushed, `count` is 0 */
  WAX_LUA_VALUE_NULL,      /* the `null` that stands for nil inside tables */
  WAX_LUA_VALUE_FUNCTION,  /* reading: `pointer` tells it, `count` is the stack index, 0 inside
                        tables;  pushing: `pointer` is a wax_lua_callback */
  WAX_LUA_VALUE_REFERENCE, /* pushing only: `integer` is a registry reference */
  WAX_LUA_VALUE_PART,      /* pushing only, a value in a table: what the table has at the position
                        `integer` */
  WAX_LUA_VALUE_METATYPE,  /* `pointer`: Swift metadata; to Lua it is its type object */
  WAX_LUA_VALUE_ARRAY,
  WAX_LUA_VALUE_TABLE,
  WAX_LUA_VALUE_TOO_DEEP,  /* reading only: a table past WAX_LUA_MAX_DEPTH */
  WAX_LUA_VALUE_CYCLE,     /* reading only: a table inside itself */
  WAX_LUA_VALUE_LENT,      /* `pointer`: a wax_lua_lent, which outlives the function that has it */
  WAX_LUA_VALUE_OTHER,     /* reading only: `bytes` is the name of a Lua type that cannot cross */
  WAX_LUA_VALUE_DICTIONARY /* pushing only: as TABLE; the table's length is the number of its pairs
                            */
} wax_lua_tag;

typedef struct wax_lua_value {
  uint32_t tag; /* wax_lua_tag */
  uint32_t count;
  union {
    int64_t integer;
    double number;
    void *pointer;
    const char *bytes;
  };
} wax_lua_value;

#define WAX_LUA_INLINE_VALUES 16

/* A growing sequence of values and the bytes they own. Starts in its own storage: an ordinary
   call allocates nothing. */
typedef struct wax_lua_buffer {
  lua_State *L; /* whose stack it is read from or pushed on; NULL: none */
  wax_lua_value *values;
  uint32_t count;
  uint32_t capacity;
  char *bytes;
  size_t byte_count;
  size_t byte_capacity;
  bool failed;   /* out of memory, or past WAX_LUA_MAX_ENTRIES: contents are not to be used */
  bool has_lent; /* reading: there are some WAX_LUA_VALUE_LENT */
  bool is_trial; /* reading: what is made of the values is thrown away, no code of the program's is
                    to run */
  wax_lua_value inline_values[WAX_LUA_INLINE_VALUES];
} wax_lua_buffer;

void wax_lua_buffer_init(wax_lua_buffer *buffer);
void wax_lua_buffer_free(wax_lua_buffer *buffer);

/* Slow half of wax_lua_buffer_append: returns scratch space and sets `failed` when it cannot grow.
 */
wax_lua_value *wax_lua_buffer_grow(wax_lua_buffer *buffer);

/* Appends `count` bytes and returns their offset. */
size_t wax_lua_buffer_add_bytes(wax_lua_buffer *buffer, const void *bytes, size_t count);

static inline void wax_lua_buffer_clear(wax_lua_buffer *buffer) {
  buffer->count = 0;
  buffer->byte_count = 0;
  buffer->failed = false;
  buffer->has_lent = false;
}

/* Room for so many entries, which the caller fills in; NULL, and `failed` is set: there is none. */
wax_lua_value *wax_lua_buffer_append_row(wax_lua_buffer *buffer, size_t count);

static inline wax_lua_value *wax_lua_buffer_append(wax_lua_buffer *buffer) {
  if (__builtin_expect(buffer->count < buffer->capacity, 1))
    return &buffer->values[buffer->count++];
  return wax_lua_buffer_grow(buffer);
}

static inline void wax_lua_buffer_add(wax_lua_buffer *buffer, wax_lua_tag tag, int64_t integer) {
  wax_lua_value *value = wax_lua_buffer_append(buffer);
  value->tag = tag;
  value->count = 0;
  value->integer = integer;
}

static inline void wax_lua_buffer_add_number(wax_lua_buffer *buffer, double number) {
  wax_lua_value *value = wax_lua_buffer_append(buffer);
  value->tag = WAX_LUA_VALUE_NUMBER;
  value->count = 0;
  value->number = number;
}

static inline void wax_lua_buffer_add_pointer(wax_lua_buffer *buffer, wax_lua_tag tag,
                                              void *pointer) {
  wax_lua_value *value = wax_lua_buffer_append(buffer);
  value->tag = tag;
  value->count = 0;
  value->pointer = pointer;
}

/* Two entries; the buffer owns `pointer` until it is pushed. */
static inline void wax_lua_buffer_add_proxy(wax_lua_buffer *buffer, uint32_t kind, void *pointer,
                                            const void *type) {
  wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_NIL, (void *)type);
  wax_lua_value *second = wax_lua_buffer_append(buffer);
  if (buffer->failed) return;
  wax_lua_value *first = second - 1;
  *second = *first;
  *first = (wax_lua_value){.tag = WAX_LUA_VALUE_NEW_PROXY, .count = kind, .pointer = pointer};
}

/* `tag` is WAX_LUA_VALUE_ARRAY or WAX_LUA_VALUE_TABLE. */
static inline void wax_lua_buffer_add_collection(wax_lua_buffer *buffer, wax_lua_tag tag,
                                                 uint32_t count) {
  wax_lua_value *value = wax_lua_buffer_append(buffer);
  value->tag = tag;
  value->count = count;
  value->integer = 0;
}

static inline void wax_lua_buffer_add_string(wax_lua_buffer *buffer, const void *bytes,
                                             size_t count) {
  if (count > UINT32_MAX) {
    buffer->failed = true;
    return;
  }
  size_t offset = wax_lua_buffer_add_bytes(buffer, bytes, count);
  wax_lua_value *value = wax_lua_buffer_append(buffer);
  value->tag = WAX_LUA_VALUE_BYTES;
  value->count = (uint32_t)count;
  value->integer = (int64_t)offset;
}

/* The bytes of a WAX_LUA_VALUE_STRING or WAX_LUA_VALUE_BYTES entry. */
static inline const char *wax_lua_value_bytes(const wax_lua_buffer *buffer,
                                              const wax_lua_value *value) {
  return value->tag == WAX_LUA_VALUE_STRING ? value->bytes : buffer->bytes + value->integer;
}

/* Whether this thread only tries whether values fit, so that nobody is told why they do not.
   Returns what it was before. */
bool wax_lua_set_quiet(bool is_quiet);
bool wax_lua_is_quiet(void);

/* How many texts for people this thread has made. */
void wax_lua_count_text(void);
uint64_t wax_lua_text_count(void);

/* [-0, +0, -]  Appends the value at `index`. Strings stay Lua's: valid while the value is on the
   stack and the state is not left. */
void wax_lua_read(lua_State *L, int index, wax_lua_buffer *buffer);

/* {==================================================================
** Rows: values of one trivial kind, one after the other in memory
** =================================================================== */

/* Appends so many values. `move`: integers of at most 64 bits that are no UInt64, booleans, Double.
 */
void wax_lua_buffer_add_row(wax_lua_buffer *buffer, wax_lua_move move, const void *source,
                            size_t count);

/* Copies the leading values that are of the kind's own Lua type, and fit, to `target`. Returns how
   many. */
size_t wax_lua_take_row(const wax_lua_value *values, wax_lua_move move, void *target, size_t count);

/* The number of leading values that equal those which wax_lua_buffer_add_row makes of the ones at
   `source`. */
size_t wax_lua_match_row(const wax_lua_value *values, wax_lua_move move, const void *source,
                         size_t count);

/* }================================================================== */

/* Whether all of the text is ASCII: it is valid UTF-8 then. */
static inline bool wax_lua_is_short_ascii(const char *text, size_t count) {
  uint64_t all = 0, word;
  for (; count >= sizeof word; text += sizeof word, count -= sizeof word) {
    memcpy(&word, text, sizeof word);
    all |= word;
  }
  all &= UINT64_C(0x8080808080808080);
  for (size_t i = 0; i < count; i++) all |= (unsigned char)text[i] & 0x80;
  return all == 0;
}

bool wax_lua_is_long_ascii(const char *text, size_t count);

static inline bool wax_lua_is_ascii(const char *text, size_t count) {
  return count < 128 ? wax_lua_is_short_ascii(text, count) : wax_lua_is_long_ascii(text, count);
}

#endif
