/* SPDX-License-Identifier: MIT
 *
 * Breadcrumbs: which patch each thread is in, in a file that is mapped shared. The kernel keeps
 * what was written when the process is killed, so that the next start knows the suspect.
 *
 * The file: WAXWING_CRUMB_BYTES. A header, slots, and a table of the patches' names; all
 * numbers are little endian, as the CPU writes them.
 */
#ifndef WAXWING_BREADCRUMBS_H
#define WAXWING_BREADCRUMBS_H

#include <stdbool.h>
#include <stdint.h>

#define WAXWING_CRUMB_MAGIC UINT64_C(0x31626d7572637877) /* "wxcrumb1" */
#define WAXWING_CRUMB_BYTES 8192
#define WAXWING_CRUMB_SLOTS 126
#define WAXWING_CRUMB_NAMES 64
#define WAXWING_CRUMB_NAME_BYTES 56

/* A thread that is, or was, in an override. */
typedef struct waxwing_crumb_slot {
  uint64_t patch;  /* the first 8 bytes of its hash, 0: the thread is in no patch */
  uint32_t thread; /* 0: the slot is free */
  uint32_t reserved;
} waxwing_crumb_slot;

typedef struct waxwing_crumb_name {
  uint64_t patch; /* 0: the entry is free */
  char name[WAXWING_CRUMB_NAME_BYTES];
} waxwing_crumb_name;

typedef struct waxwing_crumb_page {
  uint64_t magic;
  uint64_t run;      /* that of the boot record: other crumbs are an older run's */
  uint64_t overflow; /* calls in patches now, of threads without a slot */
  uint64_t reserved;
  waxwing_crumb_slot slots[WAXWING_CRUMB_SLOTS];
  uint8_t unused[4096 - 32 - WAXWING_CRUMB_SLOTS * 16];
  waxwing_crumb_name names[WAXWING_CRUMB_NAMES];
} waxwing_crumb_page;

/* What a thread was in before; for waxwing_crumb_leave. */
typedef struct waxwing_crumb {
  uint64_t patch;
  uint32_t place; /* a slot's number + 1; 0: nothing was written */
  uint32_t epoch;
} waxwing_crumb;

/* Whether crumbs are kept at all. Only for waxwing_crumb_enter. */
extern bool waxwing_crumbs_kept;

/* Maps a file of WAXWING_CRUMB_BYTES, which is made empty. One at a time; the descriptor may be
 * closed. False: errno. */
bool waxwing_crumbs_open(int descriptor, uint64_t run);

/* No crumbs are written any more. */
void waxwing_crumbs_close(void);

/* Gives a patch its name; the oldest entry makes room. By one thread at a time. */
void waxwing_crumbs_name(uint64_t patch, const char *name);

waxwing_crumb waxwing_crumb_write(uint64_t patch);
void waxwing_crumb_restore(waxwing_crumb outer);

/* The calling thread goes into a patch, or what its Lua code calls. */
static inline waxwing_crumb waxwing_crumb_enter(uint64_t patch) {
  if (__builtin_expect(!__atomic_load_n(&waxwing_crumbs_kept, __ATOMIC_RELAXED), true) ||
      patch == 0) {
    waxwing_crumb none = {0, 0, 0};
    return none;
  }
  return waxwing_crumb_write(patch);
}

/* It comes out. On the thread of the entry, innermost first. */
static inline void waxwing_crumb_leave(waxwing_crumb outer) {
  if (outer.epoch != 0) waxwing_crumb_restore(outer);
}

/* The same for what belongs to no thread: a call of an async function that is in a patch's
 * original. It has a slot of its own from begin to end. */
waxwing_crumb waxwing_crumb_begin(uint64_t patch);
void waxwing_crumb_end(waxwing_crumb begun);

#endif
