/* SPDX-License-Identifier: MIT
 *
 * What Lua code uses in the benchmarks' floors: an object in plain C that does what the Swift one
 * does, with the calls of Lua's API that this takes at least.
 */
#ifndef BENCHMARK_SUBJECT_H
#define BENCHMARK_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct benchmark_subject benchmark_subject;

/* `source` is a chunk that gets the object and returns a function of a count; NULL if it fails.
   `checks_words`: its userdata are known by a word in them instead of by their metatables. For one
   thread at a time. */
benchmark_subject *benchmark_subject_create(const char *source, bool checks_words);

/* Calls the function with `count` and returns what it returned. */
int64_t benchmark_subject_run(benchmark_subject *, int64_t count);

#endif
