/* SPDX-License-Identifier: MIT */

/* Histograms of how long calls take. */

#define _GNU_SOURCE

#include "times.h"

#include <stdlib.h>
#include <string.h>

#include "calls.h"

/* {== Buckets ====== */

#define PART_BITS 3 /* 1 << PART_BITS is WAX_RUNTIME_TIMES_PARTS */
#define HIGHEST_POWER 40

_Static_assert(1 << PART_BITS == WAX_RUNTIME_TIMES_PARTS, "parts of a power of two");
_Static_assert((HIGHEST_POWER - PART_BITS + 2) * WAX_RUNTIME_TIMES_PARTS + 1 ==
                   WAX_RUNTIME_TIMES_BUCKETS,
               "the last bucket is for what is longer");

/* A bucket has its end and not its beginning: hence the nanosecond less. */
size_t wax_runtime_times_bucket(uint64_t nanoseconds) {
  uint64_t value = nanoseconds ? nanoseconds - 1 : 0;
  if (value < 2 * WAX_RUNTIME_TIMES_PARTS) return value;
  int power = 63 - __builtin_clzll(value);
  if (power > HIGHEST_POWER) return WAX_RUNTIME_TIMES_BUCKETS - 1;
  size_t part = (value >> (power - PART_BITS)) & (WAX_RUNTIME_TIMES_PARTS - 1);
  return (size_t)(power - PART_BITS + 1) * WAX_RUNTIME_TIMES_PARTS + part;
}

uint64_t wax_runtime_times_bucket_end(size_t bucket) {
  if (bucket >= WAX_RUNTIME_TIMES_BUCKETS - 1) return UINT64_MAX;
  if (bucket < 2 * WAX_RUNTIME_TIMES_PARTS) return bucket + 1;
  size_t power = bucket / WAX_RUNTIME_TIMES_PARTS + PART_BITS - 1;
  size_t part = bucket % WAX_RUNTIME_TIMES_PARTS;
  return (WAX_RUNTIME_TIMES_PARTS + part + 1) << (power - PART_BITS);
}

/* ====== }== */

/* {== Counting ====== */

typedef struct histogram {
  _Atomic uint64_t buckets[WAX_RUNTIME_TIMES_BUCKETS];
  _Atomic uint64_t sum;
  _Atomic uint64_t longest;
} histogram;

/* What some of the threads count in. */
typedef struct share {
  histogram overrides;
  histogram originals;
} __attribute__((aligned(64))) share;

struct wax_runtime_times {
  size_t share_count;
  share *shares;
};

wax_runtime_times *wax_runtime_times_create(size_t shares) {
  wax_runtime_times *times = malloc(sizeof *times);
  share *made = aligned_alloc(_Alignof(share), shares * sizeof(share));
  if (!times || !made) {
    free(times);
    free(made);
    return NULL;
  }
  memset(made, 0, shares * sizeof(share));
  times->share_count = shares;
  times->shares = made;
  return times;
}

void wax_runtime_times_destroy(wax_runtime_times *times) {
  free(times->shares);
  free(times);
}

/* A thread keeps to one: its own address tells which. */
static share *share_of_thread(const wax_runtime_times *times) {
  if (times->share_count == 1) return times->shares;
  uint64_t hash = (uint64_t)(uintptr_t)&wax_runtime_thread * 0x9E3779B97F4A7C15;
  return &times->shares[(hash >> 32) % times->share_count];
}

static histogram *part_of(share *share, wax_runtime_timed timed) {
  return timed == WAX_RUNTIME_TIMED_ORIGINALS ? &share->originals : &share->overrides;
}

static void raise_longest(histogram *at, uint64_t time) {
  uint64_t known = atomic_load_explicit(&at->longest, memory_order_relaxed);
  while (known < time &&
         !atomic_compare_exchange_weak_explicit(&at->longest, &known, time, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}

void wax_runtime_times_count(wax_runtime_times *times, wax_runtime_timed timed, uint64_t began) {
  uint64_t now = wax_runtime_times_now();
  uint64_t time = now > began ? now - began : 0;
  histogram *at = part_of(share_of_thread(times), timed);
  atomic_fetch_add_explicit(&at->buckets[wax_runtime_times_bucket(time)], 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&at->sum, time, memory_order_relaxed);
  raise_longest(at, time);
}

void wax_runtime_times_read(const wax_runtime_times *times, wax_runtime_timed timed,
                            wax_runtime_times_counts *counts) {
  for (size_t i = 0; i < times->share_count; i++) {
    const histogram *at = part_of(&times->shares[i], timed);
    for (size_t bucket = 0; bucket < WAX_RUNTIME_TIMES_BUCKETS; bucket++)
      counts->buckets[bucket] += atomic_load_explicit(&at->buckets[bucket], memory_order_relaxed);
    counts->sum += atomic_load_explicit(&at->sum, memory_order_relaxed);
    uint64_t longest = atomic_load_explicit(&at->longest, memory_order_relaxed);
    if (longest > counts->longest) counts->longest = longest;
  }
}

/* ====== }== */

/* {== Layers ====== */

void wax_runtime_layer_measure(wax_runtime_layer *layer, wax_runtime_times *times) {
  atomic_store_explicit(&layer->times, times, memory_order_release);
}

/* Whose handler has failed on this thread, until it has returned. */
static _Thread_local const wax_runtime_times *failed __attribute__((tls_model("initial-exec")));

void wax_runtime_times_note_failure(const wax_runtime_times *times) { failed = times; }

bool wax_runtime_times_take_failure(const wax_runtime_times *times) {
  if (failed != times) return false;
  failed = NULL;
  return true;
}

/* ====== }== */
