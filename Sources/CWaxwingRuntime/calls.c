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

#include "waxwing_process.h"

#define CELLS_PER_CHUNK 64

/* A thread's cells outlive it: a reader may be among them. The next new thread takes them over. */
typedef struct thread_record {
  struct thread_record *next; /* set before the record is published, never changed */
  waxwing_cell *first;        /* likewise */
  _Atomic uint64_t thread;    /* kernel thread id; 0: free to be taken over */
  uint64_t last_identity;     /* while it is free */
} thread_record;

_Thread_local waxwing_thread_calls waxwing_my_calls;
_Atomic bool waxwing_has_membarrier;

static _Thread_local thread_record *my_record;
static _Atomic(thread_record *) all_records;
static _Atomic uint64_t records_made;
static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Cells of async calls. Each thread has some that are free; it takes more from the pool, and gives
 * what it has too many of back, since calls end on other threads than they begin on. */
#define CELLS_AT_ONCE 16
#define MOST_OWN_CELLS 64

typedef struct pooled_cell {
  waxwing_cell cell;
  struct pooled_cell *next_free;
} pooled_cell;

static struct {
  pthread_mutex_t mutex;
  pooled_cell *free;             /* guarded by the mutex */
  _Atomic(waxwing_cell *) first; /* all, free or not; the list grows at its beginning */
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct {
  pooled_cell *free;
  size_t count;
} my_cells __attribute__((tls_model("initial-exec")));

static void out_of_memory(void) {
  fputs("waxwing: out of memory for the record of a call in flight\n", stderr);
  abort();
}

/* {== Threads come and go ====== */

static void clear_cells(waxwing_cell *first) {
  for (waxwing_cell *cell = first; cell;
       cell = atomic_load_explicit(&cell->next, memory_order_relaxed)) {
    atomic_store_explicit(&cell->in_switch, NULL, memory_order_release);
    waxwing_cell_withdraw(cell);
  }
}

static void give_to_pool(size_t count);

/* A thread that ends inside a call (pthread_exit) leaves its cells set. */
static void end_thread(void *value) {
  thread_record *record = value;
  clear_cells(record->first);
  record->last_identity = waxwing_my_calls.last_identity;
  waxwing_my_calls.free = NULL;
  if (my_cells.count) give_to_pool(my_cells.count);
  my_record = NULL;
  atomic_store_explicit(&record->thread, 0, memory_order_release);
}

void waxwing_without_patches_begin(void) { waxwing_my_calls.without_patches++; }
void waxwing_without_patches_end(void) { waxwing_my_calls.without_patches--; }

/* After fork only the forking thread is there; the calls of the others will never end, nor will
 * async calls, as the threads that would go on with them are gone. So are whoever held the locks of
 * Lua states and of the engine: in the child no override is on any more, and none will be. */
static void forget_other_threads(void) {
  waxwing_note_fork();
  atomic_store_explicit(&waxwing_the_epoch.now, WAXWING_NO_EPOCH, memory_order_relaxed);
  pthread_mutex_init(&pool.mutex, NULL);
  pool.free = NULL; /* another thread may have been about to change it */
  clear_cells(atomic_load_explicit(&pool.first, memory_order_acquire));
  for (thread_record *record = atomic_load_explicit(&all_records, memory_order_acquire); record;
       record = record->next) {
    if (record == my_record)
      atomic_store_explicit(&record->thread, waxwing_current_thread(), memory_order_relaxed);
    else
      clear_cells(record->first);
  }
}

static void prepare(void) {
  if (pthread_key_create(&thread_end, end_thread) != 0) out_of_memory();
  if (pthread_atfork(NULL, NULL, forget_other_threads) != 0) out_of_memory();
  bool registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  atomic_store_explicit(&waxwing_has_membarrier, registered, memory_order_relaxed);
}

/* The first ones are written by each call: they begin a line, which no other thread writes to. */
static waxwing_cell *make_cells(void) {
  size_t size = CELLS_PER_CHUNK * sizeof(waxwing_cell);
  waxwing_cell *cells = aligned_alloc(64, size);
  if (!cells) out_of_memory();
  memset(cells, 0, size);
  for (int i = 0; i + 1 < CELLS_PER_CHUNK; i++)
    atomic_store_explicit(&cells[i].next, &cells[i + 1], memory_order_relaxed);
  return cells;
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
  record->first = make_cells();
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

static waxwing_cell *begin_thread(void) {
  pthread_once(&once, prepare);
  uint64_t thread = waxwing_current_thread();
  thread_record *record = reuse_record(thread);
  if (!record) record = make_record(thread);
  if (pthread_setspecific(thread_end, record) != 0) out_of_memory();
  my_record = record;
  waxwing_my_calls.last_identity = record->last_identity;
  return record->first;
}

waxwing_cell *waxwing_calls_grow(void) {
  waxwing_cell *cell = waxwing_my_calls.free;
  if (!cell) cell = begin_thread();
  if (!atomic_load_explicit(&cell->next, memory_order_relaxed))
    atomic_store_explicit(&cell->next, make_cells(), memory_order_release);
  return cell;
}

/* ====== }== */

/* {== Async calls ====== */

/* The pool's mutex is held. Whoever reads the pool has seen the new cells or the old ones only:
 * these announce no call yet. */
static void fill_pool(void) {
  pooled_cell *cells = calloc(CELLS_PER_CHUNK, sizeof *cells);
  if (!cells) out_of_memory();
  waxwing_cell *first = atomic_load_explicit(&pool.first, memory_order_relaxed);
  for (int i = 0; i < CELLS_PER_CHUNK; i++) {
    cells[i].next_free = pool.free;
    pool.free = &cells[i];
    atomic_store_explicit(&cells[i].cell.next, first, memory_order_relaxed);
    first = &cells[i].cell;
  }
  atomic_store_explicit(&pool.first, first, memory_order_release);
}

size_t waxwing_async_cells(void) {
  size_t count = 0;
  const waxwing_cell *cell = atomic_load_explicit(&pool.first, memory_order_acquire);
  for (; cell; cell = atomic_load_explicit(&cell->next, memory_order_acquire)) count++;
  return count;
}

/* The first so many of the thread's own. */
static void give_to_pool(size_t count) {
  pthread_mutex_lock(&pool.mutex);
  while (count--) {
    pooled_cell *cell = my_cells.free;
    my_cells.free = cell->next_free;
    my_cells.count--;
    cell->next_free = pool.free;
    pool.free = cell;
  }
  pthread_mutex_unlock(&pool.mutex);
}

static void take_from_pool(void) {
  pthread_mutex_lock(&pool.mutex);
  for (int i = 0; i < CELLS_AT_ONCE; i++) {
    if (!pool.free) fill_pool();
    pooled_cell *cell = pool.free;
    pool.free = cell->next_free;
    cell->next_free = my_cells.free;
    my_cells.free = cell;
    my_cells.count++;
  }
  pthread_mutex_unlock(&pool.mutex);
}

static inline void begin_thread_at_once(void) {
  if (__builtin_expect(!waxwing_my_calls.free, 0)) waxwing_my_calls.free = waxwing_calls_grow();
}

waxwing_cell *waxwing_async_call_begin(const waxwing_slot *slot) {
  begin_thread_at_once();
  if (__builtin_expect(!my_cells.free, 0)) take_from_pool();
  pooled_cell *taken = my_cells.free;
  my_cells.free = taken->next_free;
  my_cells.count--;
  waxwing_cell *cell = &taken->cell;
  uint64_t number = ++waxwing_my_calls.last_identity;
  atomic_store_explicit(&cell->identity, number | (uint64_t)1 << 63, memory_order_relaxed);
  atomic_store_explicit(&cell->since, 0, memory_order_relaxed);
  waxwing_cell_announce(cell, slot);
  return cell;
}

void waxwing_async_call_end(waxwing_cell *cell) {
  begin_thread_at_once(); /* at whose end they are given back */
  waxwing_cell_withdraw(cell);
  pooled_cell *pooled = (pooled_cell *)cell;
  pooled->next_free = my_cells.free;
  my_cells.free = pooled;
  if (__builtin_expect(++my_cells.count == MOST_OWN_CELLS, 0)) give_to_pool(CELLS_AT_ONCE);
}

/* ====== }== */

/* {== Reading all cells ====== */

void waxwing_calls_barrier(void) {
  pthread_once(&once, prepare);
  atomic_thread_fence(memory_order_seq_cst);
  if (!atomic_load_explicit(&waxwing_has_membarrier, memory_order_relaxed)) return;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
    /* Registered once, it cannot fail; without it no answer about calls would be true. */
    perror("waxwing: membarrier");
    abort();
  }
}

typedef struct collection {
  const waxwing_slot *slot;        /* NULL: any */
  const waxwing_switch *in_switch; /* likewise */
  waxwing_call *calls;
  size_t capacity;
  size_t count;
} collection;

static void collect_cells(collection *into, waxwing_cell *first, uint64_t thread) {
  for (waxwing_cell *cell = first; cell;
       cell = atomic_load_explicit(&cell->next, memory_order_acquire)) {
    /* in_switch first: it is cleared before the slot, and both loads acquire. */
    const waxwing_switch *in_switch = atomic_load_explicit(&cell->in_switch, memory_order_acquire);
    const waxwing_slot *slot = atomic_load_explicit(&cell->slot, memory_order_acquire);
    if (!slot || (into->slot && slot != into->slot) ||
        (into->in_switch && in_switch != into->in_switch))
      continue;
    if (into->count < into->capacity)
      into->calls[into->count] = (waxwing_call){
          .identity = atomic_load_explicit(&cell->identity, memory_order_relaxed),
          .thread = thread,
          .slot = slot,
          .in_switch = in_switch,
          .since = atomic_load_explicit(&cell->since, memory_order_relaxed),
      };
    into->count++;
  }
}

static size_t collect(collection into) {
  for (thread_record *record = atomic_load_explicit(&all_records, memory_order_acquire); record;
       record = record->next)
    collect_cells(&into, record->first,
                  atomic_load_explicit(&record->thread, memory_order_relaxed));
  collect_cells(&into, atomic_load_explicit(&pool.first, memory_order_acquire), 0);
  return into.count;
}

size_t waxwing_slot_calls(const waxwing_slot *slot, waxwing_call *calls, size_t capacity) {
  return collect((collection){.slot = slot, .calls = calls, .capacity = capacity});
}

size_t waxwing_switch_calls(const waxwing_switch *in_switch, waxwing_call *calls, size_t capacity) {
  return collect((collection){.in_switch = in_switch, .calls = calls, .capacity = capacity});
}

/* ====== }== */
