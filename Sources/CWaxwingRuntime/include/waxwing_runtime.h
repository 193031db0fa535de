/* SPDX-License-Identifier: MIT */

/* What a replacement entry points at, and what happens when a call arrives there.
 *
 *   entry --> stub --> waxwing_dispatch(slot, frame)
 *                        |  slot: one per patch point, its layers by rank, the highest first
 *                        +-> layer C (its switch is off: skipped)
 *                        +-> layer B  handler(context, frame) --waxwing_call_next--+
 *                        +-> layer A                                     <---------+
 *                        +-> the program's own code
 *
 * Words: a *slot* is the stub and the state of one patch point, for as long as the process lives.
 * A *layer* is one override of it. A *switch* makes all layers that share it live, or not; any
 * number of switches change in one store. A *call* is in flight from the moment a stub has
 * announced it until its last layer has returned. One that no layer takes goes on to the program's
 * own code and is in flight no more. */

#ifndef WAXWING_RUNTIME_H
#define WAXWING_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "waxwing_frame.h"

typedef struct waxwing_slot waxwing_slot;
typedef struct waxwing_layer waxwing_layer;
typedef struct waxwing_switch waxwing_switch;

/* Stands in for a function during one call. True: the results are in the frame. False: it
 * declines, and the call goes on to the next older layer as if this one were off; `frame`'s
 * argument fields must then be as they came. Runs on the caller's thread, with no lock held. */
typedef bool (*waxwing_handler)(void *context, waxwing_frame *frame);

/* Whether functions can be overridden and called on this CPU. If not, waxwing_slot_claim answers
 * WAXWING_CLAIM_UNSUPPORTED and the calls below that would need machine code abort. */
bool waxwing_cpu_supported(void);

/* {== Calling ====== */

/* Calls `function` with the registers of `frame` and `stack_bytes` (a multiple of 8) copied from
 * frame->stack; the results and r12 land in the frame, the argument fields stay as they are.
 * `error` is loaded as it is: zero it before calling a function that throws. */
void waxwing_invoke(const void *function, waxwing_frame *frame, size_t stack_bytes);

/* What a handler calls for the original: the next older layer that is on, else the program's own
 * code. `layer` is the handler's own; `frame` the one it was given or a copy. The results and the
 * error are in `frame` afterwards; it may be called any number of times, before the handler
 * returns and on its thread. A thrown error of an earlier call is forgotten, not passed in. */
void waxwing_call_next(const waxwing_layer *layer, waxwing_frame *frame);

/* The same for who is not in a call of the layer's handler. False, and nothing is called, if the
 * layer has been removed; it must not have been destroyed. */
bool waxwing_call_next_if_installed(const waxwing_layer *layer, waxwing_frame *frame);

/* ====== }== */

/* {== Closures ====== */

/* What runs when a closure of ours is called: `context` is the closure's, the frame as for a
 * waxwing_handler. The caller keeps the context alive. */
typedef void (*waxwing_closure_handler)(void *context, waxwing_frame *frame);

/* How the context of a closure of ours begins: with the header of a Swift object, whose first
 * stored property is the handler. */
typedef struct waxwing_closure_context {
  const void *metadata;
  uintptr_t reference_counts;
  waxwing_closure_handler handler;
} waxwing_closure_context;

/* The code pointer of closures of ours, whatever their type; NULL where the CPU is not supported.
 */
const void *waxwing_closure_code(void);

/* ====== }== */

/* {== Switches ====== */

/* A switch that is off. NULL if memory ran out. */
waxwing_switch *waxwing_switch_create(void);

/* Turns all layers of some switches on and those of others off, in one store: no call sees some of
 * it only. A call that has begun in a handler goes on in it; one that begins after its switch is
 * off does not start it. */
void waxwing_switches_flip(waxwing_switch *const *on, size_t on_count, waxwing_switch *const *off,
                           size_t off_count);
void waxwing_switch_set(waxwing_switch *, bool on);
bool waxwing_switch_is_on(const waxwing_switch *);

/* Frees it. Every layer that had it must be destroyed before. */
void waxwing_switch_destroy(waxwing_switch *);

/* ====== }== */

/* {== Slots and layers ====== */

/* All functions of this section may be called on any thread; they take turns. */

typedef enum waxwing_claim {
  WAXWING_CLAIM_OK,
  WAXWING_CLAIM_UNSUPPORTED, /* no stubs for this CPU */
  WAXWING_CLAIM_EXHAUSTED,   /* waxwing_slot_capacity() patch points have their slot already */
  WAXWING_CLAIM_CONFLICT,    /* claimed before with another function or other stack arguments */
} waxwing_claim;

/* Finds or makes the slot of a patch point. `entry` is its replacement entry, `function` the
 * function's own address, `stack_bytes` the size of its stack arguments. Of an `async` function the
 * word in the entry and `function` are its async function pointer. The entry is only read. The word
 * found in it by the first claim is the baseline word for good. */
waxwing_claim waxwing_slot_claim(void **entry, const void *function, size_t stack_bytes,
                                 bool is_async, waxwing_slot **slot);

/* The same for a patch point that has no function of its own, such as a requirement in a witness
 * table of ours: `answer` answers the calls that no layer takes, for as long as the process lives.
 * The slot's stub is the baseline word, which is written into the entry. Claim it before anything
 * else does; WAXWING_CLAIM_CONFLICT: it has been. Later claims name `entry` as the function. For
 * one that is async: waxwing_slot_claim_answering_async. */
waxwing_claim waxwing_slot_claim_answering(void **entry, size_t stack_bytes,
                                           waxwing_closure_handler answer, void *context);
size_t waxwing_slot_capacity(void);
size_t waxwing_slots_claimed(void);

void **waxwing_slot_entry(const waxwing_slot *);
const void *waxwing_slot_baseline(const waxwing_slot *);
const void *waxwing_slot_stub(const waxwing_slot *);

/* Whether the entry holds its baseline word, read from the entry itself. */
bool waxwing_slot_is_at_baseline(const waxwing_slot *);

/* Where a layer is among those of its slot: that of a higher session is nearer to the caller,
 * within one session that of a higher order. */
typedef struct waxwing_rank {
  uint64_t session;
  uint64_t order;
} waxwing_rank;

/* A layer that is not yet part of its slot, which is not async. NULL if memory ran out. For one
 * that is: waxwing_layer_create_async. */
waxwing_layer *waxwing_layer_create(waxwing_slot *, waxwing_switch *, waxwing_rank rank,
                                    waxwing_handler, void *context);

/* Where nothing is left below the layer in its slot, its original is what is below `continuation`,
 * a layer of another slot, which lives as long; it may have been removed. Before it is installed.
 */
void waxwing_layer_continue(waxwing_layer *layer, const waxwing_layer *continuation);

/* Puts the layer above all of its slot's whose rank is not higher, and points the entry at the
 * slot's stub if it is not there. False: the entry holds a word that is neither the baseline nor
 * the stub; nothing was changed. */
bool waxwing_layer_install(waxwing_layer *);

/* Takes the layer out of its slot. Calls that are in its handler go on; a call in flight may still
 * see it: destroy it when every call of waxwing_slot_calls taken after this has ended. */
void waxwing_layer_remove(waxwing_layer *);
void waxwing_layer_destroy(waxwing_layer *);
waxwing_slot *waxwing_layer_slot(const waxwing_layer *);

typedef enum waxwing_restore {
  WAXWING_RESTORE_DONE,     /* the entry holds its baseline word */
  WAXWING_RESTORE_LAYERED,  /* layers are left: not tried */
  WAXWING_RESTORE_TAMPERED, /* the entry holds a foreign word: left alone */
} waxwing_restore;

/* Writes the baseline word back into the entry of a slot without layers, whoever is in a call. */
waxwing_restore waxwing_slot_restore(waxwing_slot *);

/* ====== }== */

/* {== Calls in flight ====== */

typedef struct waxwing_call {
  uint64_t identity;               /* no two calls of a process have the same */
  uint64_t thread;                 /* kernel thread id; 0: an async call, which belongs to none */
  const waxwing_slot *slot;        /* the patch point called */
  const waxwing_switch *in_switch; /* that of the handler it is in, NULL if in none */
  uint64_t since;                  /* on the monotonic clock, ns; 0: it has been in no handler */
} waxwing_call;

/* How many async calls there is room for: as many as were ever in flight at once, and some for each
 * thread. The room stays. */
size_t waxwing_async_cells(void);

/* Writes the calls in flight on a slot, on all if that is NULL, or in handlers of a switch, to
 * `calls` and returns how many there are, which may be more than `capacity`. A call that began
 * after the caller's last waxwing_calls_barrier may be missing. */
size_t waxwing_slot_calls(const waxwing_slot *, waxwing_call *calls, size_t capacity);
size_t waxwing_switch_calls(const waxwing_switch *, waxwing_call *calls, size_t capacity);

/* After it returns, a call either is visible to the two functions above or sees everything that
 * the calling thread wrote before. Costs a system call. */
void waxwing_calls_barrier(void);

/* Between these the calling thread calls the program's own code, whatever is overridden; they nest.
 * Async functions are not concerned. */
void waxwing_without_patches_begin(void);
void waxwing_without_patches_end(void);

/* ====== }== */

#endif
