/* SPDX-License-Identifier: MIT
 *
 * What the code of a Lua function tells of what it keeps: for keeping.c and keeping_code.c.
 */
#ifndef WAX_PROXY_KEEPING_PRIVATE_H
#define WAX_PROXY_KEEPING_PRIVATE_H

#include "wax_lua_call_private.h"
#include "wax_proxy_bytecode.h"

/* The longest paths are `calls.by.name`; most functions have one or two. */
#define MAX_PLACES 32

/* The content of a register, as far as it is known. */
typedef enum content {
  CONTENT_ANYTHING,
  CONTENT_FUNCTION, /* an original, or another function that keeps nothing */
  CONTENT_LIBRARY,  /* the same, of a library: it may look at metatables */
  CONTENT_TEXT,     /* the same, which returns strings, numbers and the like */
  CONTENT_PCALL,
  CONTENT_SCALAR, /* a number or the like, as long as its places are what they have to be */
  CONTENT_NAME,   /* a string that begins with ORIG */
  CONTENT_OWN,    /* a table that the call has made */
  CONTENT_PLACE   /* what was in the first place when the call began, or has been put there since */
} content;

/* Something around the function: a variable, or what a table around it has by a name. */
typedef struct place {
  int16_t parent; /* the table's place; -1: it is a variable */
  uint8_t upvalue;
  bool is_environment;
  bool is_table;       /* the function looks into it */
  bool is_scalar;      /* it calculates with it */
  bool is_name;        /* it is the name of an original */
  bool is_type_object; /* originals are asked of it */
  text name;           /* without a start: the integer `size` */
} place;

/* The findings about a function. */
typedef struct finding {
  wax_lua_compiled compiled; /* has the names */
  place places[MAX_PLACES];
  size_t place_count;
} finding;

typedef struct walk {
  lua_State *L;
  int index; /* the function on the stack */
  const function *function;
  bool is_target[MAX_INSTRUCTIONS + 2];
  uint8_t contents[MAX_REGISTERS]; /* of type content */
  uint8_t *known;                  /* the contents at each target, as far as they are known */
  bool *is_reached;                /* by target */
  bool changed;
  finding *found;
  bool is_lost;   /* something is not understood: it may keep everything */
  bool is_narrow; /* so far: see WAX_PROXY_KEEPING_NOTHING_CALLS_ORIGINALS */
} walk;

/* [-0, +0, -]  Follows the code through all its branches. False: the function may keep what it
   sees, or there is something in it that is not understood. */
bool wax_proxy_code_keeps_nothing(walk *walk);

#endif
