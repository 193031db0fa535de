/* SPDX-License-Identifier: MIT
 *
 * Lua's patterns as small programs.
 *
 * A pattern has no alternatives and repeats single characters only. So its program is a straight
 * line: it is run from the first instruction to the last, each capture is the same one whenever an
 * instruction is reached, and no instruction leaves more than one choice to come back to. What is
 * wrong with a pattern is an instruction, too: it raises once a match gets that far, as in Lua.
 */
#ifndef WAX_LIBRARY_PATTERN_H
#define WAX_LIBRARY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#define WAX_LIBRARY_MAX_CAPTURES 32

/* A set of bytes. */
typedef struct wax_library_set {
  uint64_t bits[4];
} wax_library_set;

static inline bool wax_library_set_has(const wax_library_set *set, unsigned char byte) {
  return set->bits[byte >> 6] >> (byte & 63) & 1;
}

typedef enum wax_library_operation {
  WAX_LIBRARY_OP_END,            /* of the pattern: it has matched */
  WAX_LIBRARY_OP_TEXT,           /* `count` bytes at `text` */
  WAX_LIBRARY_OP_SINGLE,         /* one byte */
  WAX_LIBRARY_OP_OPTIONAL,       /* `?` */
  WAX_LIBRARY_OP_ONE_OR_MORE,    /* `+` */
  WAX_LIBRARY_OP_ZERO_OR_MORE,   /* `*` */
  WAX_LIBRARY_OP_LAZY,           /* `-` */
  WAX_LIBRARY_OP_CAPTURE_START,  /* the capture `count` begins */
  WAX_LIBRARY_OP_CAPTURE_END,    /* and ends */
  WAX_LIBRARY_OP_POSITION,       /* a capture of the position */
  WAX_LIBRARY_OP_BACK_REFERENCE, /* `%1`: what the capture `count` has */
  WAX_LIBRARY_OP_BALANCED,       /* `%b`: from `byte` to `other` */
  WAX_LIBRARY_OP_FRONTIER,       /* `%f`: of `set` */
  WAX_LIBRARY_OP_AT_END,         /* `$` */
  WAX_LIBRARY_OP_MALFORMED,      /* raises `message`, a format for `count` */
} wax_library_operation;

/* The bytes that match a single one. */
typedef enum wax_library_kind {
  WAX_LIBRARY_MATCH_BYTE,
  WAX_LIBRARY_MATCH_ANY,
  WAX_LIBRARY_MATCH_SET
} wax_library_kind;

typedef struct wax_library_instruction {
  uint8_t operation;
  uint8_t kind; /* of single bytes, repeated or not; WAX_LIBRARY_MATCH_BYTE of a text, for its first
                   one */
  uint8_t byte;
  union {
    uint8_t other;
    uint8_t next; /* of a repetition: so many instructions on, something is matched again */
  };
  uint16_t captures; /* instructions before this one that are of captures */
  uint32_t count;
  union {
    const wax_library_set *set;
    const char *text;
    const char *message;
  };
} wax_library_instruction;

typedef struct wax_library_program {
  const char *pattern; /* the string is the first user value */
  size_t count;
  bool is_anchored;
  uint8_t captures;    /* how many */
  uint32_t positions;  /* those that are positions, a bit each */
  uint32_t unfinished; /* those that are never closed */
  /* The bytes that a match may begin with. WAX_LIBRARY_MATCH_ANY: unknown, or it may be empty. */
  wax_library_kind first_kind;
  uint8_t first_byte;
  wax_library_set first;
  wax_library_instruction code[]; /* then the sets, then the texts */
} wax_library_program;

/* [-0, +1, v]  The program of the string `pattern`, which is at `index`, from the cache of the
   running C function: its first upvalue, nil at first. Pushes the userdata that it is in. If the
   function `anchors`, which is the same in all its calls, a pattern may begin with `^`. */
const wax_library_program *wax_library_compiled_pattern(lua_State *L, int index,
                                                        const char *pattern, bool anchors);

#endif
