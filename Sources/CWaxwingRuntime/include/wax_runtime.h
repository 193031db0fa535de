/* SPDX-License-Identifier: MIT */

/* What the entry of a patch point leads to, and what happens when a call arrives there.
 *
 *   entry --> stub --> wax_runtime_dispatch(slot, frame)
 *                        |  slot: one per patch point, its layers by rank, the highest first
 *                        +-> layer C (its switch is off: skipped)
 *                        +-> layer B  handler(context, frame) --wax_runtime_call_next--+
 *                        +-> layer A  <------------------------------------------------+
 *                        +-> the program's own code
 *
 * Words: a *slot* is the stub and the state of one patch point, for as long as the process lives.
 * A *layer* is one override of it. A *switch* makes all layers that share it live, or not; any
 * number of switches change in one store. The *baseline* word of an entry is what it leads to when
 * nothing is overridden. A *call* is in flight from the moment a stub has announced it until its
 * last layer has returned. One that no layer takes goes on to the program's own code and is in
 * flight no more. */

#ifndef WAX_RUNTIME_H
#define WAX_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wax_runtime_frame.h"

typedef struct wax_runtime_slot wax_runtime_slot;
typedef struct wax_runtime_layer wax_runtime_layer;
typedef struct wax_runtime_session_switch wax_runtime_session_switch;

/* Stands in for a function during one call. True: the results are in the frame. False: it
 * declines, and the call goes on to the next older layer as if this one were off; `frame`'s
 * argument fields must then be as they came. Runs on the caller's thread, with no lock held. */
typedef bool (*wax_runtime_handler)(void *context, wax_runtime_frame *frame);

/* Whether functions can be overridden and called on this CPU. If not, wax_runtime_slot_claim
 * answers WAX_RUNTIME_CLAIM_UNSUPPORTED and the calls below that would need machine code abort. */
bool wax_runtime_cpu_supported(void);

/* {== Calling ====== */

/* Calls `function` with the registers of `frame` and `stack_bytes` (a multiple of 8) copied from
 * frame->stack; the results and r12 land in the frame, the argument fields stay as they are.
 * `error` is loaded as it is: zero it before calling a function that throws. */
void wax_runtime_invoke(const void *function, wax_runtime_frame *frame, size_t stack_bytes);

/* Calls the original for a handler: the next older layer that is on, or else the program's own
   code. `layer` is the handler's own; `frame` the one it was given or a copy. The results and the
   error are in `frame` afterwards. It may be called any number of times, before the handler returns
   and on its thread. A thrown error of an earlier call is forgotten, not passed in. */
void wax_runtime_call_next(const wax_runtime_layer *layer, wax_runtime_frame *frame);

/* Calls the original for a caller that is not in a call of the layer's handler. False, and nothing
   is called, if the layer has been removed; it must not have been destroyed. */
bool wax_runtime_call_next_if_installed(const wax_runtime_layer *layer, wax_runtime_frame *frame);

/* ====== }== */

/* {== Calls without an outcome ====== */

/* The caller of a function may say, in the frame of its call, that it can do without what the
 * function leaves behind: then a handler may end the call with nothing run. The frame says so in
 * async_context, which a function that is not async does not look at, but hands on, and which an
 * async one gets another word for. */
#define WAX_RUNTIME_MAY_CANCEL UINT64_C(0x5c3a91e7d40b6f28)

/* Before the call, with the frame that wax_runtime_invoke or wax_runtime_call_next gets. */
static inline void wax_runtime_allow_cancel(wax_runtime_frame *frame) {
  frame->async_context = (uint64_t)(uintptr_t)frame ^ WAX_RUNTIME_MAY_CANCEL;
}

/* After it. True: there are no results and no error; what the function takes over is gone. */
static inline bool wax_runtime_was_cancelled(const wax_runtime_frame *frame) {
  return frame->async_context != ((uint64_t)(uintptr_t)frame ^ WAX_RUNTIME_MAY_CANCEL);
}

/* For a handler of a function that is not async: whether its own caller has allowed this, with no
   code in between that looks at the outcome. */
bool wax_runtime_may_cancel(const wax_runtime_frame *frame);

/* Ends the call like this, once the handler returns true. wax_runtime_may_cancel has said that it
 * may. */
void wax_runtime_cancel(wax_runtime_frame *frame);

/* ====== }== */

/* {== Closures ====== */

/* A function that runs when a closure of ours is called: `context` is the closure's, the frame as
   for a wax_runtime_handler. The caller keeps the context alive. */
typedef void (*wax_runtime_closure_handler)(void *context, wax_runtime_frame *frame);

/* The beginning of the context of a closure of ours: the header of a Swift object, whose first
   stored property is the handler. */
typedef struct wax_runtime_closure_context {
  const void *metadata;
  uintptr_t reference_counts;
  wax_runtime_closure_handler handler;
} wax_runtime_closure_context;

/* The code pointer of closures of ours, whatever their type; NULL where the CPU is not supported.
 */
const void *wax_runtime_closure_code(void);

/* ====== }== */

/* {== Switches ====== */

/* A switch that is off. NULL if memory ran out. */
wax_runtime_session_switch *wax_runtime_session_switch_create(void);

/* Turns all layers of some switches on and those of others off, in one store: no call sees some of
 * it only. A call that has begun in a handler goes on in it; one that begins after its switch is
 * off does not start it. */
void wax_runtime_session_switches_flip(wax_runtime_session_switch *const *on, size_t on_count,
                                       wax_runtime_session_switch *const *off, size_t off_count);
void wax_runtime_session_switch_set(wax_runtime_session_switch *, bool on);
bool wax_runtime_session_switch_is_on(const wax_runtime_session_switch *);

/* Frees it. Every layer that had it must be destroyed before. */
void wax_runtime_session_switch_destroy(wax_runtime_session_switch *);

/* ====== }== */

/* {== Slots and layers ====== */

/* All functions of this section may be called on any thread; they take turns. */

typedef enum wax_runtime_claim {
  WAX_RUNTIME_CLAIM_OK,
  WAX_RUNTIME_CLAIM_UNSUPPORTED, /* no stubs for this CPU */
  WAX_RUNTIME_CLAIM_EXHAUSTED,   /* wax_runtime_slot_capacity() patch points have their slot already
                                  */
  WAX_RUNTIME_CLAIM_CONFLICT,    /* claimed before with another function or other stack arguments */
  WAX_RUNTIME_CLAIM_NO_POINTER,  /* no async function pointer that can be written is there */
  WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY, /* nothing can be mapped within 2 GB of it */
  WAX_RUNTIME_CLAIM_FOREIGN,        /* installing: somebody else has written the entry */
  WAX_RUNTIME_CLAIM_NO_MEMORY,
  /* Of a function's code: */
  WAX_RUNTIME_CLAIM_NO_CODE,             /* no code of a loaded image is there */
  WAX_RUNTIME_CLAIM_CODE_FILE,           /* the image's file cannot be read; an error number */
  WAX_RUNTIME_CLAIM_CODE_BREAKPOINT,     /* a breakpoint is in its first instructions */
  WAX_RUNTIME_CLAIM_CODE_CHANGED,        /* these are not as in the image's file */
  WAX_RUNTIME_CLAIM_CODE_SHORT,          /* it has no room for a jump */
  WAX_RUNTIME_CLAIM_CODE_INSTRUCTION,    /* it has one that is not known, or that cannot move */
  WAX_RUNTIME_CLAIM_CODE_LOOP,           /* it branches back into its first bytes */
  WAX_RUNTIME_CLAIM_CODE_READ_ONLY,      /* code cannot be written; an error number */
  WAX_RUNTIME_CLAIM_CODE_NO_BARRIER,     /* the kernel cannot tell all CPUs; an error number */
  WAX_RUNTIME_CLAIM_CODE_SIGNAL_BLOCKED, /* a thread blocks SIGILL */
  WAX_RUNTIME_CLAIM_CODE_THREADS,        /* the threads cannot be seen; an error number */
} wax_runtime_claim;

/* What the last claim, installation or restoration that was refused on this thread is about. */
typedef struct wax_runtime_claim_details {
  int error_number;
  int thread; /* kernel thread id */
  char thread_name[16];
} wax_runtime_claim_details;

wax_runtime_claim_details wax_runtime_claim_details_of_thread(void);

/* The kind of an entry, which leads the calls of a function to its overrides: see entry.h. */
typedef enum wax_runtime_entry_kind {
  WAX_RUNTIME_ENTRY_REPLACEMENT, /* the function's replacement entry, `…TX` */
  WAX_RUNTIME_ENTRY_WORD,        /* a word of a table or of metadata, which its callers read */
  /* The async function pointer, `…Tu`, that values of the function lead to: calls of these are
     seen, and no direct ones. */
  WAX_RUNTIME_ENTRY_ASYNC_POINTER,
  WAX_RUNTIME_ENTRY_CODE, /* the function's first instructions: all calls are seen */
} wax_runtime_entry_kind;

/* A patch point, as it is claimed. */
typedef struct wax_runtime_point {
  wax_runtime_entry_kind kind;
  /* Whether the function is `async`: then the words of its entry, and `function`, are async
   * function pointers. */
  bool is_async;
  void **entry;
  /* The function's own address. Of a word and of an async function pointer it is the entry's, and
   * so it is of code, but of an async function's: there it is the async function pointer. */
  const void *function;
  size_t stack_bytes; /* the size of its stack arguments */
  uint32_t code_size; /* of a code entry the size of the function's code; 0 of others */
} wax_runtime_point;

/* Finds or makes the slot of a patch point. The entry is only read; of code the same bytes are
 * written, to see whether they can be. What the first claim finds there is the baseline for good.
 */
wax_runtime_claim wax_runtime_slot_claim(wax_runtime_point point, wax_runtime_slot **slot);

/* Makes the slot of a word that has no function of its own, such as a requirement in a witness
 * table of ours: `answer` answers the calls that no layer takes, for as long as the process lives.
 * The slot's stub is the baseline word, which is written into the entry. Claim it before anything
 * else does; WAX_RUNTIME_CLAIM_CONFLICT: it has been. For one that is async:
 * wax_runtime_slot_claim_answering_async. */
wax_runtime_claim wax_runtime_slot_claim_answering(wax_runtime_point point,
                                                   wax_runtime_closure_handler answer,
                                                   void *context);
size_t wax_runtime_slot_capacity(void);
size_t wax_runtime_slots_claimed(void);

/* The patch point of a slot, as it was claimed. */
wax_runtime_point wax_runtime_slot_point(const wax_runtime_slot *);
const void *wax_runtime_slot_stub(const wax_runtime_slot *);

/* The word that an entry holds: before the first override it is the baseline. */
const void *wax_runtime_entry_word_of(wax_runtime_point point);

/* Whether an entry holds a word, or one of the links of the replacements in Swift code that a
 * replacement entry leads to does. */
bool wax_runtime_entry_leads_to(wax_runtime_point point, const void *word);

/* Whether the entry holds its baseline word, read from the entry itself. */
bool wax_runtime_slot_is_at_baseline(const wax_runtime_slot *);

/* From here on the entry holds the slot's stub for good, which counts as its baseline: for words of
 * metadata that is made at run time, since a caller may use a word much later than it has read it.
 * Calls that no layer takes go on in the slot `lower`, of the function that the original is; NULL:
 * to the original. The layers of both are seen in one epoch. False: the entry holds a word of
 * somebody else's, and keeps it.
 *
 * Precondition: the slot answers no calls by itself. */
bool wax_runtime_slot_stay(wax_runtime_slot *slot, wax_runtime_slot *lower);

/* The place of a layer among those of its slot: a layer of a higher session is nearer to the
   caller, within one session a layer of a higher order. */
typedef struct wax_runtime_rank {
  uint64_t session;
  uint64_t order;
} wax_runtime_rank;

/* A layer that is not yet part of its slot, which is not async. NULL if memory ran out. For one
 * that is: wax_runtime_layer_create_async. */
wax_runtime_layer *wax_runtime_layer_create(wax_runtime_slot *, wax_runtime_session_switch *,
                                            wax_runtime_rank rank, wax_runtime_handler,
                                            void *context);

/* Continues below `continuation`, a layer of another slot, if nothing is left below the layer in
   its own slot. `continuation` lives as long as the layer; it may have been removed. Called before
   the layer is installed. */
void wax_runtime_layer_continue(wax_runtime_layer *layer, const wax_runtime_layer *continuation);

/* Puts the layer above all of its slot's whose rank is not higher, and points the entry at the
 * slot's stub if it is not there. WAX_RUNTIME_CLAIM_FOREIGN: the entry holds a word that is neither
 * the baseline nor the stub; other than WAX_RUNTIME_CLAIM_OK: why it cannot be written. The layer
 * is not installed then, and calls go where they went; but a call that came meanwhile may have seen
 * it: it is destroyed like one that was removed. */
wax_runtime_claim wax_runtime_layer_install(wax_runtime_layer *);

/* Takes the layer out of its slot. Calls that are in its handler go on; a call in flight may still
 * see it: destroy it when every call of wax_runtime_slot_calls taken after this has ended. */
void wax_runtime_layer_remove(wax_runtime_layer *);
void wax_runtime_layer_destroy(wax_runtime_layer *);
wax_runtime_slot *wax_runtime_layer_slot(const wax_runtime_layer *);
wax_runtime_rank wax_runtime_layer_rank(const wax_runtime_layer *);

typedef enum wax_runtime_restore {
  WAX_RUNTIME_RESTORE_DONE,     /* the entry holds its baseline word */
  WAX_RUNTIME_RESTORE_LAYERED,  /* layers are left: not tried */
  WAX_RUNTIME_RESTORE_TAMPERED, /* the entry holds a foreign word: left alone */
  WAX_RUNTIME_RESTORE_FAILED,   /* the entry cannot be written; calls find no layer, as before */
} wax_runtime_restore;

/* Writes the baseline word back into the entry of a slot without layers, whoever is in a call. */
wax_runtime_restore wax_runtime_slot_restore(wax_runtime_slot *);

/* ====== }== */

/* {== Code entries ====== */

/* What claiming a code entry would say of the function's own code, for those who list functions.
 * Nothing is written, and no slot is taken. */
wax_runtime_claim wax_runtime_code_look(wax_runtime_point point);

/* Registers of arguments, from the first: the n-th is shifted by n. */
#define WAX_RUNTIME_READ_INTEGER 0x1u
#define WAX_RUNTIME_READ_SELF 0x80u
#define WAX_RUNTIME_READ_VECTOR 0x100u

/* Which of the wanted registers the code of a function reads for sure before it writes them, on one
 * way through it at least. What calls read that it makes counts where their code tells. */
uint32_t wax_runtime_code_reads(const void *code, size_t size, uint32_t wanted);

/* Whether the code of a function jumps to `target` with a distance of one byte, or cannot be read.
 * The last instruction may be cut. */
bool wax_runtime_code_jumps_short(const void *code, size_t size, const void *target);

/* The bytes of a function's code that have a jump in their place, as they were compiled: up to
 * WAX_RUNTIME_REPLACED_BYTES from `at` on. False: none have. */
#define WAX_RUNTIME_REPLACED_BYTES 5
typedef struct wax_runtime_replaced {
  const void *at;
  uint8_t bytes[WAX_RUNTIME_REPLACED_BYTES];
} wax_runtime_replaced;
bool wax_runtime_code_replaced(const void *code, wax_runtime_replaced *replaced);

/* Lets code be written by mapping its pages anew, as it is where the process's memory cannot be
 * written as a file: for tests. */
void wax_runtime_code_write_by_mapping(bool maps);

/* How many threads have run into bytes of ours: at first bytes, and at others of the jumps. */
typedef struct wax_runtime_code_trap_counts {
  uint64_t first;
  uint64_t inner;
} wax_runtime_code_trap_counts;

wax_runtime_code_trap_counts wax_runtime_code_traps_handled(void);

/* ====== }== */

/* {== Calls in flight ====== */

typedef struct wax_runtime_call_in_flight {
  uint64_t identity;            /* no two calls of a process have the same */
  uint64_t thread;              /* kernel thread id; 0: an async call, which belongs to none */
  const wax_runtime_slot *slot; /* the patch point called */
  const wax_runtime_session_switch *in_switch; /* that of the handler it is in, NULL if in none */
  uint64_t since; /* on the monotonic clock, ns; 0: it has been in no handler */
} wax_runtime_call_in_flight;

/* The number of async calls for which there is room: as many as were ever in flight at once, and
   some for each thread. The room is never freed. */
size_t wax_runtime_async_in_flight_records(void);

/* Writes the calls in flight on a slot, on all if that is NULL, or in handlers of a switch, to
 * `calls` and returns how many there are, which may be more than `capacity`. A call that began
 * after the caller's last wax_runtime_calls_barrier may be missing. */
size_t wax_runtime_slot_calls(const wax_runtime_slot *, wax_runtime_call_in_flight *calls,
                              size_t capacity);
size_t wax_runtime_session_switch_calls(const wax_runtime_session_switch *,
                                        wax_runtime_call_in_flight *calls, size_t capacity);

/* After it returns, a call either is visible to the two functions above or sees everything that
 * the calling thread wrote before. Costs a system call. */
void wax_runtime_calls_barrier(void);

/* Between these the calling thread calls the program's own code, whatever is overridden; they nest.
 * Async functions are not concerned. */
void wax_runtime_without_patches_begin(void);
void wax_runtime_without_patches_end(void);

/* ====== }== */

#endif
