/* SPDX-License-Identifier: MIT
 *
 * What calls of a name that may mean several functions have come to, by the kinds of their
 * arguments.
 *
 * Swift chooses among overloads and tells what generic parameters stand for. Where the kinds of the
 * arguments alone decide that, it notes the kinds here, and the next call with such arguments finds
 * the function without asking Swift again. What is noted holds until conformances or classes
 * change. See docs/call-path.md.
 */
#ifndef WAX_CALL_CHOICES_H
#define WAX_CALL_CHOICES_H

#include "wax_lua_call.h"

/* Arguments of a call that is noted, its receiver among them. */
#define WAX_CALL_MAX_KINDS 8
/* Choices of one name that are noted at once; further ones take the place of the first. */
#define WAX_CALL_MAX_CHOICES 8

/* The kind of one argument: the tag, for Swift values their type, and for numbers the limits within
   which all of them are treated alike. */
typedef struct wax_call_kind {
  uint32_t tag;
  const void *type;
  int64_t low, high;
  double least, most;
} wax_call_kind;

typedef int (*wax_call_direct_function)(lua_State *L, void *plan, int argument_count);

typedef struct wax_call_choice {
  uint32_t count;
  /* Makes the call in C; NULL: it takes Swift. */
  wax_call_direct_function direct;
  void *direct_plan;
  wax_call_kind kinds[WAX_CALL_MAX_KINDS];
} wax_call_choice;

/* Belongs to one state: only the thread that is in uses it. */
typedef struct wax_call_choices {
  int64_t epoch; /* in which they were noted */
  uint32_t count;
  uint32_t next; /* the one whose place is taken next */
  wax_call_choice choices[WAX_CALL_MAX_CHOICES];
} wax_call_choices;

/* Ends what any state has noted: conformances or classes have changed. From any thread. */
void wax_call_forget_choices(void);
/* A number that is another one after that. */
int64_t wax_call_choices_epoch(void);

/* The kind of a value at which a buffer's reader stands. False: it has none, because what the value
   holds matters, such as the elements of a table. */
bool wax_call_read_kind(const wax_lua_buffer *buffer, const wax_lua_value *value,
                        wax_call_kind *kind);

/* Notes the kinds of a call; returns the index of the choice. */
uint32_t wax_call_note_choice(wax_call_choices *choices, const wax_call_choice *choice);

/* The index of the choice for the arguments of a call; -1: there is none. */
int wax_call_find_choice(wax_call_choices *choices, const wax_lua_buffer *arguments, int count);

/* [-0, +n, e]  A callback's `direct`, with a wax_call_choices as its plan. */
int wax_call_run_choice(lua_State *L, void *choices, int argument_count);

#endif
