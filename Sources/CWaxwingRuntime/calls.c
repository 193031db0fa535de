/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include "calls.h"
#include "slot.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wax_process.h"

#define RECORDS_PER_CHUNK 64

/* A thread's records outlive it: a reader may be among them. The next new thread takes them over.
 */
typedef struct thread_record {
  struct thread_record *next;          /* set before the record is published, never changed */
  wax_runtime_in_flight_record *first; /* likewise */
  _Atomic uint64_t thread;             /* kernel thread id; 0: free to be taken over */
  uint64_t last_identity;              /* while it is free */
} thread_record;

_Thread_local wax_runtime_thread_state wax_runtime_thread;
_Atomic bool wax_runtime_has_membarrier;

static _Thread_local thread_record *my_record;
static _Atomic(thread_record *) all_records;
static _Atomic uint64_t records_made;
static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Records of async calls. Each thread has some that are free; it takes more from the pool, and
 * gives what it has too many of back, since calls end on other threads than they begin on. */
#define RECORDS_AT_ONCE 16
#define MAX_OWN_RECORDS 64

typedef struct pooled_in_flight_record {
  wax_runtime_in_flight_record in_flight;
  struct pooled_in_flight_record *next_free;
} pooled_in_flight_record;

static struct {
  pthread_mutex_t mutex;
  pooled_in_flight_record *free; /* guarded by the mutex */
  _Atomic(wax_runtime_in_flight_record *)
      first; /* all, free or not; the list grows at its beginning */
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct {
  pooled_in_flight_record *free;
  size_t count;
} my_in_flight_records __attribute__((tls_model("initial-exec")));

static void out_of_memory(void) {
  fputs("waxwing: out of memory for the record of a call in flight\n", stderr);
  abort();
}

/* {== Threads come and go ====== */

static void clear_in_flight_records(wax_runtime_in_flight_record *first) {
  for (wax_runtime_in_flight_record *in_flight = first; in_flight;
       in_flight = atomic_load_explicit(&in_flight->next, memory_order_relaxed)) {
    atomic_store_explicit(&in_flight->in_switch, NULL, memory_order_release);
    wax_runtime_in_flight_withdraw(in_flight);
  }
}

static void give_to_pool(size_t count);

/* A thread that ends inside a call (pthread_exit) leaves its records set. */
static void end_thread(void *value) {
  thread_record *record = value;
  clear_in_flight_records(record->first);
  record->last_identity = wax_runtime_thread.last_identity;
  wax_runtime_thread.free = NULL;
  if (my_in_flight_records.count) give_to_pool(my_in_flight_records.count);
  my_record = NULL;
  atomic_store_explicit(&record->thread, 0, memory_order_release);
}

void wax_runtime_without_patches_begin(void) { wax_runtime_thread.without_patches++; }
void wax_runtime_without_patches_end(void) { wax_runtime_thread.without_patches--; }

/* After fork only the forking thread is there; the calls of the others will never end, nor will
 * async calls, as the threads that would go on with them are gone. So are whoever held the locks of
 * Lua states and of the engine: in the child no override is on any more, and none will be. */
static void forget_other_threads(void) {
  wax_process_has_forked();
  atomic_store_explicit(&wax_runtime_current_epoch.now, WAX_RUNTIME_NO_EPOCH, memory_order_relaxed);
  pthread_mutex_init(&pool.mutex, NULL);
  pool.free = NULL; /* another thread may have been about to change it */
  clear_in_flight_records(atomic_load_explicit(&pool.first, memory_order_acquire));
  for (thread_record *record = atomic_load_explicit(&all_records, memory_order_acquire); record;
       record = record->next) {
    if (record == my_record)
      atomic_store_explicit(&record->thread, wax_process_current_thread(), memory_order_relaxed);
    else
      clear_in_flight_records(record->first);
  }
}

static void prepare(void) {
  if (pthread_key_create(&thread_end, end_thread) != 0) out_of_memory();
  if (pthread_atfork(NULL, NULL, forget_other_threads) != 0) out_of_memory();
  bool registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  atomic_store_explicit(&wax_runtime_has_membarrier, registered, memory_order_relaxed);
}

/* The first ones are written by each call: they begin a line, which no other thread writes to. */
static wax_runtime_in_flight_record *make_in_flight_records(void) {
  size_t size = RECORDS_PER_CHUNK * sizeof(wax_runtime_in_flight_record);
  wax_runtime_in_flight_record *in_flight_records = aligned_alloc(64, size);
  if (!in_flight_records) out_of_memory();
  memset(in_flight_records, 0, size);
  for (int i = 0; i + 1 < RECORDS_PER_CHUNK; i++)
    atomic_store_explicit(&in_flight_records[i].next, &in_flight_records[i + 1],
                          memory_order_relaxed);
  return in_flight_records;
}

static thread_record *reuse_record(uint64_t thread) {
  for (thread_record *record = atomic_load_explicit(&all_records, memory_order_acquire); record;
       record = record->next) {
    uint64_t nobody = 0;
    if (atomic_compare_exchange_strong_explicit(&record->thread, &nobody, thread,
                                                memory_order_acquire, memory_order_relaxed))
      return record;
  }
  return NULL;
}

static thread_record *make_record(uint64_t thread) {
  thread_record *record = calloc(1, sizeof *record);
  if (!record) out_of_memory();
  record->first = make_in_flight_records();
  atomic_store_explicit(&record->thread, thread, memory_order_relaxed);
  /* 2^48 calls per record before identities of two threads could meet. */
  record->last_identity = (atomic_fetch_add_explicit(&records_made, 1, memory_order_relaxed) + 1)
                          << 48;
  record->next = atomic_load_explicit(&all_records, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&all_records, &record->next, record,
                                                memory_order_release, memory_order_relaxed)) {
  }
  return record;
}

static wax_runtime_in_flight_record *begin_thread(void) {
  pthread_once(&once, prepare);
  uint64_t thread = wax_process_current_thread();
  thread_record *record = reuse_record(thread);
  if (!record) record = make_record(thread);
  if (pthread_setspecific(thread_end, record) != 0) out_of_memory();
  my_record = record;
  wax_runtime_thread.last_identity = record->last_identity;
  return record->first;
}

wax_runtime_in_flight_record *wax_runtime_in_flight_grow(void) {
  wax_runtime_in_flight_record *in_flight = wax_runtime_thread.free;
  if (!in_flight) in_flight = begin_thread();
  if (!atomic_load_explicit(&in_flight->next, memory_order_relaxed))
    atomic_store_explicit(&in_flight->next, make_in_flight_records(), memory_order_release);
  return in_flight;
}

/* ====== }== */

/* {== Async calls ====== */

/* The pool's mutex is held. Whoever reads the pool has seen the new records or the old ones only:
 * these announce no call yet. */
static void fill_pool(void) {
  pooled_in_flight_record *in_flight_records = calloc(RECORDS_PER_CHUNK, sizeof *in_flight_records);
  if (!in_flight_records) out_of_memory();
  wax_runtime_in_flight_record *first = atomic_load_explicit(&pool.first, memory_order_relaxed);
  for (int i = 0; i < RECORDS_PER_CHUNK; i++) {
    in_flight_records[i].next_free = pool.free;
    pool.free = &in_flight_records[i];
    atomic_store_explicit(&in_flight_records[i].in_flight.next, first, memory_order_relaxed);
    first = &in_flight_records[i].in_flight;
  }
  atomic_store_explicit(&pool.first, first, memory_order_release);
}

size_t wax_runtime_async_in_flight_records(void) {
  size_t count = 0;
  const wax_runtime_in_flight_record *in_flight =
      atomic_load_explicit(&pool.first, memory_order_acquire);
  for (; in_flight; in_flight = atomic_load_explicit(&in_flight->next, memory_order_acquire))
    count++;
  return count;
}

/* The first so many of the thread's own. */
static void give_to_pool(size_t count) {
  pthread_mutex_lock(&pool.mutex);
  while (count--) {
    pooled_in_flight_record *in_flight = my_in_flight_records.free;
    my_in_flight_records.free = in_flight->next_free;
    my_in_flight_records.count--;
    in_flight->next_free = pool.free;
    pool.free = in_flight;
  }
  pthread_mutex_unlock(&pool.mutex);
}

static void take_from_pool(void) {
  pthread_mutex_lock(&pool.mutex);
  for (int i = 0; i < RECORDS_AT_ONCE; i++) {
    if (!pool.free) fill_pool();
    pooled_in_flight_record *in_flight = pool.free;
    pool.free = in_flight->next_free;
    in_flight->next_free = my_in_flight_records.free;
    my_in_flight_records.free = in_flight;
    my_in_flight_records.count++;
  }
  pthread_mutex_unlock(&pool.mutex);
}

static inline void begin_thread_at_once(void) {
  if (__builtin_expect(!wax_runtime_thread.free, 0))
    wax_runtime_thread.free = wax_runtime_in_flight_grow();
}

wax_runtime_in_flight_record *wax_runtime_async_in_flight_begin(const wax_runtime_slot *slot) {
  begin_thread_at_once();
  if (__builtin_expect(!my_in_flight_records.free, 0)) take_from_pool();
  pooled_in_flight_record *taken = my_in_flight_records.free;
  my_in_flight_records.free = taken->next_free;
  my_in_flight_records.count--;
  wax_runtime_in_flight_record *in_flight = &taken->in_flight;
  uint64_t number = ++wax_runtime_thread.last_identity;
  atomic_store_explicit(&in_flight->identity, number | (uint64_t)1 << 63, memory_order_relaxed);
  atomic_store_explicit(&in_flight->since, 0, memory_order_relaxed);
  wax_runtime_in_flight_announce(in_flight, slot);
  return in_flight;
}

void wax_runtime_async_in_flight_end(wax_runtime_in_flight_record *in_flight) {
  begin_thread_at_once(); /* at whose end they are given back */
  wax_runtime_in_flight_withdraw(in_flight);
  pooled_in_flight_record *pooled = (pooled_in_flight_record *)in_flight;
  pooled->next_free = my_in_flight_records.free;
  my_in_flight_records.free = pooled;
  if (__builtin_expect(++my_in_flight_records.count == MAX_OWN_RECORDS, 0))
    give_to_pool(RECORDS_AT_ONCE);
}

/* ====== }== */

/* {== Reading all records ====== */

void wax_runtime_calls_barrier(void) {
  pthread_once(&once, prepare);
  atomic_thread_fence(memory_order_seq_cst);
  if (!atomic_load_explicit(&wax_runtime_has_membarrier, memory_order_relaxed)) return;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
    /* Registered once, it cannot fail; without it no answer about calls would be true. */
    perror("waxwing: membarrier");
    abort();
  }
}

typedef struct collection {
  const wax_runtime_slot *slot;                /* NULL: any */
  const wax_runtime_session_switch *in_switch; /* likewise */
  wax_runtime_call_in_flight *calls;
  size_t capacity;
  size_t count;
} collection;

static void collect_in_flight_records(collection *into, wax_runtime_in_flight_record *first,
                                      uint64_t thread) {
  for (wax_runtime_in_flight_record *in_flight = first; in_flight;
       in_flight = atomic_load_explicit(&in_flight->next, memory_order_acquire)) {
    /* in_switch first: it is cleared before the slot, and both loads acquire. */
    const wax_runtime_session_switch *in_switch =
        atomic_load_explicit(&in_flight->in_switch, memory_order_acquire);
    const wax_runtime_slot *slot = atomic_load_explicit(&in_flight->slot, memory_order_acquire);
    if (!slot || (into->slot && slot != into->slot) ||
        (into->in_switch && in_switch != into->in_switch))
      continue;
    if (into->count < into->capacity)
      into->calls[into->count] = (wax_runtime_call_in_flight){
          .identity = atomic_load_explicit(&in_flight->identity, memory_order_relaxed),
          .thread = thread,
          .slot = slot,
          .in_switch = in_switch,
          .since = atomic_load_explicit(&in_flight->since, memory_order_relaxed),
      };
    into->count++;
  }
}

static size_t collect(collection into) {
  for (thread_record *record = atomic_load_explicit(&all_records, memory_order_acquire); record;
       record = record->next)
    collect_in_flight_records(&into, record->first,
                              atomic_load_explicit(&record->thread, memory_order_relaxed));
  collect_in_flight_records(&into, atomic_load_explicit(&pool.first, memory_order_acquire), 0);
  return into.count;
}

size_t wax_runtime_slot_calls(const wax_runtime_slot *slot, wax_runtime_call_in_flight *calls,
                              size_t capacity) {
  return collect((collection){.slot = slot, .calls = calls, .capacity = capacity});
}

size_t wax_runtime_session_switch_calls(const wax_runtime_session_switch *in_switch,
                                        wax_runtime_call_in_flight *calls, size_t capacity) {
  return collect((collection){.in_switch = in_switch, .calls = calls, .capacity = capacity});
}

/* ====== }== */
