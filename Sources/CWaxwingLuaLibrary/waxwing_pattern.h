/* SPDX-License-Identifier: MIT
 *
 * Lua's patterns as small programs.
 *
 * A pattern has no alternatives and repeats single characters only. So its program is a straight
 * line: it is run from the first instruction to the last, each capture is the same one whenever an
 * instruction is reached, and no instruction leaves more than one choice to come back to. What is
 * wrong with a pattern is an instruction, too: it raises once a match gets that far, as in Lua.
 */
#ifndef WAXWING_PATTERN_H
#define WAXWING_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#define WAXWING_MOST_CAPTURES 32

/* Of bytes. */
typedef struct waxwing_set {
  uint64_t bits[4];
} waxwing_set;

static inline bool waxwing_set_has(const waxwing_set *set, unsigned char byte) {
  return set->bits[byte >> 6] >> (byte & 63) & 1;
}

typedef enum waxwing_operation {
  WAXWING_END,       /* of the pattern: it has matched */
  WAXWING_TEXT,      /* `count` bytes at `text` */
  WAXWING_SINGLE,    /* one byte */
  WAXWING_OPTIONAL,  /* `?` */
  WAXWING_SOME,      /* `+` */
  WAXWING_MOST,      /* `*` */
  WAXWING_FEWEST,    /* `-` */
  WAXWING_OPEN,      /* the capture `count` begins */
  WAXWING_CLOSE,     /* and ends */
  WAXWING_POSITION,  /* a capture of the position */
  WAXWING_AGAIN,     /* `%1`: what the capture `count` has */
  WAXWING_BALANCED,  /* `%b`: from `byte` to `other` */
  WAXWING_FRONTIER,  /* `%f`: of `set` */
  WAXWING_AT_END,    /* `$` */
  WAXWING_MALFORMED, /* raises `message`, a format for `count` */
} waxwing_operation;

/* The bytes that match a single one. */
typedef enum waxwing_kind { WAXWING_BYTE, WAXWING_ANY, WAXWING_IN_SET } waxwing_kind;

typedef struct waxwing_instruction {
  uint8_t operation;
  uint8_t kind; /* of single bytes, repeated or not; WAXWING_BYTE of a text, for its first one */
  uint8_t byte;
  union {
    uint8_t other;
    uint8_t next; /* of a repetition: so many instructions on, something is matched again */
  };
  uint16_t captures; /* instructions before this one that are of captures */
  uint32_t count;
  union {
    const waxwing_set *set;
    const char *text;
    const char *message;
  };
} waxwing_instruction;

typedef struct waxwing_program {
  const char *pattern; /* the string is the first user value */
  size_t count;
  bool is_anchored;
  uint8_t captures;    /* how many */
  uint32_t positions;  /* those that are positions, a bit each */
  uint32_t unfinished; /* those that are never closed */
  /* The bytes that a match may begin with. WAXWING_ANY: unknown, or it may be empty. */
  waxwing_kind first_kind;
  uint8_t first_byte;
  waxwing_set first;
  waxwing_instruction code[]; /* then the sets, then the texts */
} waxwing_program;

/* [-0, +1, v]  The program of the string `pattern`, which is at `index`, from the cache of the
   running C function: its first upvalue, nil at first. Pushes the userdata that it is in. If the
   function `anchors`, which is the same in all its calls, a pattern may begin with `^`. */
const waxwing_program *waxwing_compiled_pattern(lua_State *L, int index, const char *pattern,
                                                bool anchors);

#endif
