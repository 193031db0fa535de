/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include "wax_process_breadcrumbs.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

_Static_assert(sizeof(wax_process_breadcrumb_page) == WAX_PROCESS_BREADCRUMB_BYTES,
               "wax_process_breadcrumb_page");
_Static_assert(sizeof(wax_process_breadcrumb_slot) == 16, "wax_process_breadcrumb_slot");
_Static_assert(sizeof(wax_process_breadcrumb_name) == 64, "wax_process_breadcrumb_name");

bool wax_process_breadcrumbs_kept;

/* Reserved once and never given back: threads keep pointers into it. Files are mapped over it. */
static wax_process_breadcrumb_page *page;
/* Goes up with each file: a slot of an older one is not the thread's any more. Never 0. */
static uint32_t epoch = 1;

static pthread_key_t exit_key;
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;
static bool has_exit_key;

typedef struct own_slot {
  uint32_t place; /* number + 1; 0: none */
  uint32_t epoch;
} own_slot;

static __thread own_slot own;

/* {== Files ====== */

static void *reserve(void) {
  void *memory = mmap(NULL, WAX_PROCESS_BREADCRUMB_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

bool wax_process_breadcrumbs_open(int descriptor, uint64_t run) {
  if (page == NULL) page = reserve();
  if (page == NULL) return false;
  wax_process_breadcrumbs_close();
  /* Written, not only made longer: storing into a hole of a full disk is SIGBUS. */
  static const char zeros[WAX_PROCESS_BREADCRUMB_BYTES];
  ssize_t written = pwrite(descriptor, zeros, sizeof zeros, 0);
  if (written != sizeof zeros) {
    if (written >= 0) errno = ENOSPC;
    return false;
  }
  void *memory = mmap(page, WAX_PROCESS_BREADCRUMB_BYTES, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED, descriptor, 0);
  if (memory == MAP_FAILED) return false;
  page->run = run;
  page->magic = WAX_PROCESS_BREADCRUMB_MAGIC;
  __atomic_store_n(&wax_process_breadcrumbs_kept, true, __ATOMIC_RELEASE);
  return true;
}

void wax_process_breadcrumbs_close(void) {
  if (!__atomic_exchange_n(&wax_process_breadcrumbs_kept, false, __ATOMIC_ACQ_REL)) return;
  __atomic_add_fetch(&epoch, 1, __ATOMIC_ACQ_REL);
  /* In one step: a thread that is writing writes into the one or the other. */
  mmap(page, WAX_PROCESS_BREADCRUMB_BYTES, PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

void wax_process_breadcrumbs_name(uint64_t patch, const char *name) {
  static unsigned next;
  if (!__atomic_load_n(&wax_process_breadcrumbs_kept, __ATOMIC_ACQUIRE)) return;
  wax_process_breadcrumb_name *entry = NULL;
  for (unsigned i = 0; i < WAX_PROCESS_BREADCRUMB_NAMES && entry == NULL; i++) {
    if (page->names[i].patch == patch || page->names[i].patch == 0) entry = &page->names[i];
  }
  for (unsigned i = 0; i < WAX_PROCESS_BREADCRUMB_NAMES && entry == NULL; i++) {
    unsigned oldest = next++ % WAX_PROCESS_BREADCRUMB_NAMES;
    if (!page->live[oldest]) entry = &page->names[oldest];
  }
  if (entry == NULL) entry = &page->names[next++ % WAX_PROCESS_BREADCRUMB_NAMES];
  if (entry->patch != patch) page->live[entry - page->names] = 0;
  entry->patch = 0;
  size_t length = strnlen(name, WAX_PROCESS_BREADCRUMB_NAME_BYTES);
  memset(entry->name, 0, sizeof entry->name);
  memcpy(entry->name, name, length);
  __atomic_store_n(&entry->patch, patch, __ATOMIC_RELEASE);
}

void wax_process_breadcrumbs_set_live(uint64_t patch, bool is_live) {
  if (!__atomic_load_n(&wax_process_breadcrumbs_kept, __ATOMIC_ACQUIRE)) return;
  for (unsigned i = 0; i < WAX_PROCESS_BREADCRUMB_NAMES; i++) {
    if (page->names[i].patch == patch) page->live[i] = is_live;
  }
}

/* ====== }== */

/* {== Slots ====== */

static void forget_thread(void *value) {
  (void)value;
  own_slot mine = own;
  own.place = 0;
  if (mine.place == 0 || mine.epoch != __atomic_load_n(&epoch, __ATOMIC_ACQUIRE)) return;
  wax_process_breadcrumb_slot *slot = &page->slots[mine.place - 1];
  __atomic_store_n(&slot->patch, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->thread, 0, __ATOMIC_RELEASE);
}

static void make_exit_key(void) {
  has_exit_key = pthread_key_create(&exit_key, forget_thread) == 0;
}

static uint32_t claim(uint32_t thread) {
  for (uint32_t i = 0; i < WAX_PROCESS_BREADCRUMB_SLOTS; i++) {
    uint32_t free_slot = 0;
    if (__atomic_load_n(&page->slots[i].thread, __ATOMIC_RELAXED) == 0 &&
        __atomic_compare_exchange_n(&page->slots[i].thread, &free_slot, thread, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      return i + 1;
    }
  }
  return 0;
}

/* The thread's slot, which it keeps until it ends. */
static uint32_t claim_own(uint32_t now) {
  pthread_once(&exit_key_once, make_exit_key);
  if (!has_exit_key) return 0;
  own.epoch = now;
  own.place = claim((uint32_t)gettid());
  /* The value only has to be there for the destructor to run. */
  if (own.place != 0) pthread_setspecific(exit_key, &own);
  return own.place;
}

wax_process_breadcrumb wax_process_breadcrumb_write(uint64_t patch) {
  uint32_t now = __atomic_load_n(&epoch, __ATOMIC_ACQUIRE);
  uint32_t place = own.epoch == now ? own.place : 0;
  if (__builtin_expect(place == 0, false)) place = claim_own(now);
  wax_process_breadcrumb outer = {0, place, now};
  if (place == 0) {
    __atomic_add_fetch(&page->overflow, 1, __ATOMIC_RELAXED);
    return outer;
  }
  wax_process_breadcrumb_slot *slot = &page->slots[place - 1];
  outer.patch = __atomic_load_n(&slot->patch, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->patch, patch, __ATOMIC_RELAXED);
  return outer;
}

void wax_process_breadcrumb_restore(wax_process_breadcrumb outer) {
  if (outer.epoch != __atomic_load_n(&epoch, __ATOMIC_ACQUIRE)) return;
  if (outer.place == 0) {
    __atomic_sub_fetch(&page->overflow, 1, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(&page->slots[outer.place - 1].patch, outer.patch, __ATOMIC_RELAXED);
  }
}

wax_process_breadcrumb wax_process_breadcrumb_begin(uint64_t patch) {
  wax_process_breadcrumb begun = {0, 0, 0};
  if (!__atomic_load_n(&wax_process_breadcrumbs_kept, __ATOMIC_ACQUIRE) || patch == 0) return begun;
  begun.epoch = __atomic_load_n(&epoch, __ATOMIC_ACQUIRE);
  begun.place = claim((uint32_t)gettid());
  if (begun.place == 0) {
    __atomic_add_fetch(&page->overflow, 1, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(&page->slots[begun.place - 1].patch, patch, __ATOMIC_RELAXED);
  }
  return begun;
}

void wax_process_breadcrumb_end(wax_process_breadcrumb begun) {
  wax_process_breadcrumb_leave(begun);
  if (begun.place == 0 || begun.epoch != __atomic_load_n(&epoch, __ATOMIC_ACQUIRE)) return;
  __atomic_store_n(&page->slots[begun.place - 1].thread, 0, __ATOMIC_RELEASE);
}

/* ====== }== */
