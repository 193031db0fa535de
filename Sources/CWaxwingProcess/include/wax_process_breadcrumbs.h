/* SPDX-License-Identifier: MIT
 *
 * Breadcrumbs: which patch each thread is in, in a file that is mapped shared. The kernel keeps
 * what was written when the process is killed, so that the next start knows the suspect.
 *
 * The file: WAX_PROCESS_BREADCRUMB_BYTES. A header, slots, and a table of the patches' names; all
 * numbers are little endian, as the CPU writes them.
 */
#ifndef WAX_PROCESS_BREADCRUMBS_H
#define WAX_PROCESS_BREADCRUMBS_H

#include <stdbool.h>
#include <stdint.h>

#define WAX_PROCESS_BREADCRUMB_MAGIC UINT64_C(0x31626d7572637877) /* "wxcrumb1" */
#define WAX_PROCESS_BREADCRUMB_BYTES 8192
#define WAX_PROCESS_BREADCRUMB_SLOTS 126
#define WAX_PROCESS_BREADCRUMB_NAMES 64
#define WAX_PROCESS_BREADCRUMB_NAME_BYTES 56

/* A thread that is, or was, in an override. */
typedef struct wax_process_breadcrumb_slot {
  uint64_t patch;  /* the first 8 bytes of its hash, 0: the thread is in no patch */
  uint32_t thread; /* 0: the slot is free */
  uint32_t reserved;
} wax_process_breadcrumb_slot;

typedef struct wax_process_breadcrumb_name {
  uint64_t patch; /* 0: the entry is free */
  char name[WAX_PROCESS_BREADCRUMB_NAME_BYTES];
} wax_process_breadcrumb_name;

typedef struct wax_process_breadcrumb_page {
  uint64_t magic;
  uint64_t run;      /* that of the boot record: other breadcrumbs are an older run's */
  uint64_t overflow; /* calls in patches now, of threads without a slot */
  uint64_t reserved;
  wax_process_breadcrumb_slot slots[WAX_PROCESS_BREADCRUMB_SLOTS];
  uint8_t live[WAX_PROCESS_BREADCRUMB_NAMES]; /* 1: the patch of that name is live */
  uint8_t unused[4096 - 32 - WAX_PROCESS_BREADCRUMB_SLOTS * 16 - WAX_PROCESS_BREADCRUMB_NAMES];
  wax_process_breadcrumb_name names[WAX_PROCESS_BREADCRUMB_NAMES];
} wax_process_breadcrumb_page;

/* The patch that a thread was in before; for wax_process_breadcrumb_leave. */
typedef struct wax_process_breadcrumb {
  uint64_t patch;
  uint32_t place; /* a slot's number + 1; 0: nothing was written */
  uint32_t epoch;
} wax_process_breadcrumb;

/* Whether breadcrumbs are kept at all. Only for wax_process_breadcrumb_enter. */
extern bool wax_process_breadcrumbs_kept;

/* Maps a file of WAX_PROCESS_BREADCRUMB_BYTES, which is made empty. One at a time; the descriptor
 * may be closed. False: errno. */
bool wax_process_breadcrumbs_open(int descriptor, uint64_t run);

/* No breadcrumbs are written any more. */
void wax_process_breadcrumbs_close(void);

/* Gives a patch its name; the oldest entry makes room, of patches that are not live if there is
 * one. By one thread at a time. */
void wax_process_breadcrumbs_name(uint64_t patch, const char *name);
/* Says that a patch that has a name is live, or is not any more. By the same thread. */
void wax_process_breadcrumbs_set_live(uint64_t patch, bool is_live);

wax_process_breadcrumb wax_process_breadcrumb_write(uint64_t patch);
void wax_process_breadcrumb_restore(wax_process_breadcrumb outer);

/* The calling thread goes into a patch, or what its Lua code calls. */
static inline wax_process_breadcrumb wax_process_breadcrumb_enter(uint64_t patch) {
  if (__builtin_expect(!__atomic_load_n(&wax_process_breadcrumbs_kept, __ATOMIC_RELAXED), true) ||
      patch == 0) {
    wax_process_breadcrumb none = {0, 0, 0};
    return none;
  }
  return wax_process_breadcrumb_write(patch);
}

/* Leaves the patch. On the thread of the entry, innermost first. */
static inline void wax_process_breadcrumb_leave(wax_process_breadcrumb outer) {
  if (outer.epoch != 0) wax_process_breadcrumb_restore(outer);
}

/* Enters a patch for a call that belongs to no thread: a call of an async function that is in a
   patch's original. It has a slot of its own from begin to end. */
wax_process_breadcrumb wax_process_breadcrumb_begin(uint64_t patch);
void wax_process_breadcrumb_end(wax_process_breadcrumb begun);

#endif
