/* SPDX-License-Identifier: MIT */

/* What the parts of code entries share: see code_entry.c for how they work together.
 *
 *   code_file.c     the code of a function as its image's file has it
 *   code_branches.c whether a function jumps to a near address
 *   code_reads.c    which arguments a function uses
 *   code_window.c   judges the first instructions of a function, and relocates them
 *   code_islands.c  memory near a function, for islands and for relocated instructions
 *   code_write.c    writes into code
 *   code_traps.c    the handler of SIGILL, and the table that it reads
 *   code_threads.c  whether a thread would not get there
 *
 * All but the handler run under the lock of writers. */

#ifndef CODE_H
#define CODE_H

#include "entry.h"

#if WAX_RUNTIME_CPU_SUPPORTED

/* `jmp rel32`. */
#define WAX_RUNTIME_JUMP_SIZE 5

/* The instructions that begin in the bytes of the jump. */
typedef struct wax_runtime_code_window {
  uint8_t *at;                           /* the jump: the code, or behind its endbr64 */
  bool lands;                            /* there is one */
  uint8_t size;                          /* of all of them */
  uint8_t count;                         /* of the instructions */
  uint8_t starts[WAX_RUNTIME_JUMP_SIZE]; /* from `at` */
} wax_runtime_code_window;

/* Whether an instruction begins at a byte of the jump that is not its first. */
static inline bool wax_runtime_code_is_boundary(const wax_runtime_code_window *window,
                                                size_t byte) {
  for (size_t i = 1; i < window->count; i++) {
    if (window->starts[i] == byte) return true;
  }
  return false;
}

/* The most bytes that relocated instructions take. */
#define WAX_RUNTIME_COPY_SIZE 64

typedef struct wax_runtime_code_copy {
  uint8_t bytes[WAX_RUNTIME_COPY_SIZE];
  uint8_t size;
  uint8_t starts[WAX_RUNTIME_JUMP_SIZE]; /* where the instructions of the window are */
} wax_runtime_code_copy;

/* Of one function with a code entry, for as long as the process lives. */
typedef struct wax_runtime_code {
  wax_runtime_code_window window;
  uint8_t original[WAX_RUNTIME_JUMP_SIZE];
  uint8_t jump[WAX_RUNTIME_JUMP_SIZE];
  uint8_t written[WAX_RUNTIME_JUMP_SIZE]; /* what we know to be there; for writers */
  uint8_t *copy;                          /* the relocated instructions */
  uint8_t copy_starts[WAX_RUNTIME_JUMP_SIZE];
  uint8_t *island;
  /* Where a thread goes on that has trapped at the first byte: the island or the copy. */
  _Atomic(uint8_t *) target;
} wax_runtime_code;

/* {== code_entry.c ====== */

/* Whether the code of a function can be an entry, as far as it tells itself. */
wax_runtime_claim wax_runtime_code_look_at(const wax_runtime_point *point) WAX_RUNTIME_HIDDEN;

/* ====== }== */

/* {== code_file.c ====== */

/* Reads `size` bytes of an image's code as its file has them. */
wax_runtime_claim wax_runtime_code_read_file(const void *code, size_t size,
                                             uint8_t *bytes) WAX_RUNTIME_HIDDEN;

/* Reads `size` bytes of an image's code as they are. False: it is no image's. */
bool wax_runtime_code_read_live(const void *code, size_t size, uint8_t *bytes) WAX_RUNTIME_HIDDEN;

/* ====== }== */

/* {== code_window.c ====== */

/* Bytes behind a function that may be padding. */
#define WAX_RUNTIME_PADDING 16

/* Judges a function whose code has `size` bytes. `bytes` are these, and WAX_RUNTIME_PADDING more,
 * as its file has them. */
wax_runtime_claim wax_runtime_code_judge(const uint8_t *bytes, uint8_t *code, size_t size,
                                         wax_runtime_code_window *window) WAX_RUNTIME_HIDDEN;

/* Makes the copy of a window's instructions that is to lie at `to`. */
wax_runtime_claim wax_runtime_code_relocate(const wax_runtime_code_window *window,
                                            const uint8_t *to,
                                            wax_runtime_code_copy *copy) WAX_RUNTIME_HIDDEN;

/* ====== }== */

/* {== code_islands.c ====== */

/* Bytes that trap wherever they stand: they are whole instructions, which 64-bit mode lacks. */
#define WAX_RUNTIME_TRAP 0xd6

/* Room for an island, such that the distance from the window's jump has a byte that traps at every
 * boundary. NULL: there is none. `word`: where it reads where it leads to. */
#define WAX_RUNTIME_CODE_ISLAND_SIZE 6
uint8_t *wax_runtime_code_take_island(const wax_runtime_code_window *window,
                                      _Atomic(const void *) **word) WAX_RUNTIME_HIDDEN;
void wax_runtime_code_return_island(uint8_t *island) WAX_RUNTIME_HIDDEN;

/* Room for a copy near a function. What was taken last may be returned. */
uint8_t *wax_runtime_code_take_copy(const uint8_t *code) WAX_RUNTIME_HIDDEN;
void wax_runtime_code_return_copy(uint8_t *copy) WAX_RUNTIME_HIDDEN;

/* ====== }== */

/* {== code_write.c ====== */

typedef struct wax_runtime_code_writer {
  int memory;       /* the process's own memory as a file; -1: pages are mapped anew */
  int error_number; /* why the last write has failed */
} wax_runtime_code_writer;

/* For one batch of writes: whose memory it is says the process that begins it. */
wax_runtime_code_writer wax_runtime_code_begin_writing(void) WAX_RUNTIME_HIDDEN;
void wax_runtime_code_end_writing(wax_runtime_code_writer *writer) WAX_RUNTIME_HIDDEN;

/* Writes into code, in no order. False: some or all of it is not written. */
bool wax_runtime_code_write(wax_runtime_code_writer *writer, uint8_t *to, const uint8_t *bytes,
                            size_t size) WAX_RUNTIME_HIDDEN;

/* After it returns no thread runs instructions that it has decoded before. False: the kernel cannot
 * do it. */
bool wax_runtime_code_synchronize(wax_runtime_code_writer *writer) WAX_RUNTIME_HIDDEN;

/* ====== }== */

/* {== code_traps.c ====== */

/* From here on the handler knows the code. What it reads has been written. */
void wax_runtime_code_add(wax_runtime_code *code) WAX_RUNTIME_HIDDEN;

/* The code whose jump is there. */
wax_runtime_code *wax_runtime_code_at(uintptr_t jump) WAX_RUNTIME_HIDDEN;

/* Sees to it that SIGILL comes to our handler, which hands on to whoever had it before. */
bool wax_runtime_code_catch_traps(void) WAX_RUNTIME_HIDDEN;

/* ====== }== */

/* {== code_threads.c ====== */

/* Whether all threads would get a trap to the handler: the kernel ends a program in which one traps
 * that blocks the signal. */
wax_runtime_claim wax_runtime_code_check_threads(void) WAX_RUNTIME_HIDDEN;

/* ====== }== */

#endif

/* Notes, for wax_runtime_claim_detail, what a refusal is about. */
void wax_runtime_refuse_number(int error_number) WAX_RUNTIME_HIDDEN;
void wax_runtime_refuse_thread(int thread, const char *name) WAX_RUNTIME_HIDDEN;

#endif
