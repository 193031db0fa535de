/* SPDX-License-Identifier: MIT */

/* How long calls take: of a layer's handler, and of the originals that it calls.
 *
 * Times are counted in a histogram of a fixed size. Its buckets are log-linear: each power of two
 * of a nanosecond is cut into WAX_RUNTIME_TIMES_PARTS equal parts, so that a bucket is no wider
 * than an eighth of where it begins. Counting is two relaxed additions. A layer that has no times
 * costs each call one branch. */

#ifndef WAX_RUNTIME_TIMES_H
#define WAX_RUNTIME_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wax_runtime.h"

#define WAX_RUNTIME_TIMES_PARTS 8
/* The last one is for all that takes longer than 2^41 ns, 36 minutes. */
#define WAX_RUNTIME_TIMES_BUCKETS 313

typedef enum wax_runtime_timed {
  WAX_RUNTIME_TIMED_OVERRIDES, /* from where a call enters the handler until it leaves it */
  WAX_RUNTIME_TIMED_ORIGINALS, /* what the handler calls for the original, from call to return */
} wax_runtime_timed;

typedef struct wax_runtime_times wax_runtime_times;

/* The counts. They are no snapshot while calls go on, because the parts are read one after another.
 */
typedef struct wax_runtime_times_counts {
  uint64_t buckets[WAX_RUNTIME_TIMES_BUCKETS];
  uint64_t sum;     /* in nanoseconds */
  uint64_t longest; /* in nanoseconds */
} wax_runtime_times_counts;

/* Times of nothing yet; NULL if memory ran out.
 * `shares`: how many threads may count at once without taking each other's cache lines, about. */
wax_runtime_times *wax_runtime_times_create(size_t shares);

/* Every layer that had it must be destroyed before. */
void wax_runtime_times_destroy(wax_runtime_times *);

/* Adds what was counted so far to `counts`. Any thread. */
void wax_runtime_times_read(const wax_runtime_times *, wax_runtime_timed,
                            wax_runtime_times_counts *counts);

/* The longest time that is counted in a bucket, in nanoseconds; of the last UINT64_MAX. */
uint64_t wax_runtime_times_bucket_end(size_t bucket);

/* The bucket that a time is counted in. */
size_t wax_runtime_times_bucket(uint64_t nanoseconds);

/* From here on the calls of a layer are counted there, or, with NULL, nowhere. Any thread, while
 * calls go on: one that has begun may be missing. The times must live as long as the layer. */
void wax_runtime_layer_measure(wax_runtime_layer *, wax_runtime_times *);

/* Notes a failure for a handler that is about to decline because of it: the call counts although
   the original answers it. A handler that declines for other reasons has not been in the call. */
void wax_runtime_times_note_failure(const wax_runtime_times *);

#endif
