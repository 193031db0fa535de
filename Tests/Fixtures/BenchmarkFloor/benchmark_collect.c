/* SPDX-License-Identifier: MIT
 *
 * Memory in use; and what says to callgrind, where the program runs under it, which instructions
 * are to be counted.
 */
#include "benchmark_floor.h"

#include <malloc.h>

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
