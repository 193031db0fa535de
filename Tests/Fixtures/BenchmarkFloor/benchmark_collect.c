/* SPDX-License-Identifier: MIT
 *
 * Memory in use; and what says to callgrind, where the program runs under it, which instructions
 * are to be counted.
 */
#include "benchmark_floor.h"

#include <malloc.h>
#include <stdlib.h>
#include <time.h>

size_t benchmark_memory_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#if __has_include(<valgrind/callgrind.h>)

#include <valgrind/callgrind.h>

bool benchmark_is_counted(void) { return RUNNING_ON_VALGRIND; }
void benchmark_count_begin(void) { CALLGRIND_ZERO_STATS; }
void benchmark_count_end(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }

#else

bool benchmark_is_counted(void) { return false; }
void benchmark_count_begin(void) {}
void benchmark_count_end(const char *name) { (void)name; }

#endif

/* Lua takes the time, and addresses, for the seed of its hashes: a set time makes the counts of two
 * runs the same. The program's symbol goes before the C library's. */
time_t time(time_t *result) {
  const char *set = getenv("BENCHMARK_TIME");
  struct timespec now = {.tv_sec = set ? atol(set) : 0};
  if (!set) clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
