/* SPDX-License-Identifier: MIT
 *
 * What the same work costs in plain C: the floor that overrides are measured against. One state,
 * one function behind a registry reference, `self` a userdata from a weak table, whose methods have
 * names. No lock, no limit.
 */
#ifndef BENCHMARK_FLOOR_H
#define BENCHMARK_FLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct benchmark_floor benchmark_floor;

/* `source` is a chunk that returns the function to call; NULL if it does not compile. */
benchmark_floor *benchmark_floor_create(const char *source, const void *object);
/* One that does the least: it keeps the table of proxies on the stack, and its object's methods
   know the object by a word in it instead of by its metatable. */
benchmark_floor *benchmark_floor_create_strict(const char *source, const void *object);
void benchmark_floor_destroy(benchmark_floor *);

/* Calls the function `count` times as (self, i, 2) and returns the sum of what it returned.
   `object` NULL: self is nil, and is not looked up. */
int64_t benchmark_floor_integers(benchmark_floor *, const void *object, long count);

/* The same as (self), and as (self, i, 2.5, true, text, self, 2). */
int64_t benchmark_floor_bare(benchmark_floor *, const void *object, long count);
int64_t benchmark_floor_mixed(benchmark_floor *, const void *object, const char *text,
                              size_t length, long count);

/* The same as (i, 2): there is no self. */
int64_t benchmark_floor_kept(benchmark_floor *, long count);

/* Calls it `count` times as (self, i, 2), each time to be told of an error with a traceback. */
void benchmark_floor_failing(benchmark_floor *, const void *object, long count);

/* Calls it `count` times as (self, text) and copies what it returned; returns the sum of lengths.
 */
size_t benchmark_floor_strings(benchmark_floor *, const void *object, const char *text,
                               size_t length, long count);

/* Calls the function `count` times as (nil, i, 2), on a coroutine that is used again and again, and
   returns the sum of what it returned. When it yields an integer it is resumed with that. */
int64_t benchmark_floor_resumed(benchmark_floor *, long count);

/* One such call as (self, a, 2), on a coroutine that is made at the first one. For calls that
   others surround. */
int64_t benchmark_floor_resumed_once(benchmark_floor *, const void *object, int64_t a);

/* A state with Lua's libraries that has run the chunk; NULL if it fails. */
typedef struct lua_State benchmark_state;
benchmark_state *benchmark_floor_load(const char *source);
void benchmark_floor_close(benchmark_state *);

/* Bytes that malloc has given out. */
size_t benchmark_memory_in_use(void);

/* Whether the program runs under callgrind, and was built where its headers are. */
bool benchmark_is_counted(void);
/* From here on instructions are counted, … */
void benchmark_count_begin(void);
/* … and here they are written to a file of callgrind's, with this name. */
void benchmark_count_end(const char *name);

#endif
