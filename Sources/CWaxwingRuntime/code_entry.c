/* SPDX-License-Identifier: MIT */

/* Entries that are code: a jump, `jmp rel32`, in place of the first instructions of a function. All
 * calls are seen, whoever makes them. The jump leads to an island near the function, and that to
 * the slot's stub; of an async function first to an island of async_islands.c. The original is
 * called by a copy of the instructions, behind which stands a jump to the rest of the function.
 *
 * No thread is stopped, and none is looked at. Threads run in these bytes while they change, and
 * may be held up between two of the old instructions for any time. The rule for them: wherever an
 * old instruction begins, the jump has a byte that traps (code_islands.c). Whoever goes on there is
 * led to the same instruction of the copy by the handler (code_traps.c), now or next week.
 *
 *   installing                              removing
 *   1  the first byte traps                 1  the first byte traps
 *   2  each boundary traps, one by one      2  all other bytes but the boundaries
 *   3  all other bytes                      3  the boundaries, one by one
 *   4  the first byte of the jump           4  the first byte
 *
 * After each step all CPUs have thrown away what they had decoded. As long as the first byte traps
 * the handler sends callers to the island, or to the copy. So no CPU ever runs an instruction that
 * is half old and half new: before the bytes of an old instruction change its first one traps, and
 * it does until they are all back.
 *
 * A step that fails leaves a function that runs right, if slowly: what traps is led on as before.
 *
 * Calls arrive with the registers and the stack as their callers left them: jumps lead to the stub.
 * Nothing ever returns into a copy, so that whoever walks a stack finds the function itself
 * (code_window.c). Only a thread that is stopped in the few instructions of a copy, by a profiler
 * or by a fault of one of them, is at a place that has no symbol and no unwind information.
 *
 * A function that calls by a register and returns into the bytes of the jump traps at each return,
 * which is right and takes some microseconds. */

#include <stdlib.h>
#include <string.h>

#include "async_islands.h"
#include "code.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#define SIZE ((size_t)WAX_RUNTIME_JUMP_SIZE)
#define JUMP 0xe9
#define BREAKPOINT 0xcc

/* The code of a function: its jump may be behind an endbr64. NULL: it has never been an entry. */
static wax_runtime_code *code_at(const void *function) {
  wax_runtime_code *found = wax_runtime_code_at((uintptr_t)function);
  return found ? found : wax_runtime_code_at((uintptr_t)function + 4);
}

/* The code of a slot that is claimed. */
static wax_runtime_code *code_of(const wax_runtime_slot *slot) {
  return code_at((const void *)slot->entry);
}

_Static_assert(WAX_RUNTIME_REPLACED_BYTES == WAX_RUNTIME_JUMP_SIZE, "the jump is in their place");

bool wax_runtime_code_replaced(const void *function, wax_runtime_replaced *replaced) {
  const wax_runtime_code *code = code_at(function);
  if (!code) return false;
  replaced->at = code->window.at;
  memcpy(replaced->bytes, code->original, SIZE);
  return true;
}

/* Other threads do not write these bytes, but whoever else does is not asked. */
static void read_live(const wax_runtime_code *code, uint8_t bytes[SIZE]) {
  for (size_t i = 0; i < SIZE; i++) bytes[i] = ((const volatile uint8_t *)code->window.at)[i];
}

static bool is_live(const wax_runtime_code *code, const uint8_t bytes[SIZE]) {
  uint8_t live[SIZE];
  read_live(code, live);
  return memcmp(live, bytes, SIZE) == 0;
}

/* {== Steps ====== */

static bool put(wax_runtime_code_writer *writer, wax_runtime_code *code, size_t place,
                uint8_t byte) {
  bool is_written = wax_runtime_code_write(writer, code->window.at + place, &byte, 1);
  if (is_written)
    code->written[place] = byte;
  else
    read_live(code, code->written); /* it may be there all the same */
  return is_written;
}

/* Writes the boundaries alone, each by itself, or all other bytes. */
static bool put_tail(wax_runtime_code_writer *writer, wax_runtime_code *code, const uint8_t *wanted,
                     bool boundaries) {
  for (size_t i = 1; i < SIZE; i++) {
    bool is_one = wax_runtime_code_is_boundary(&code->window, i);
    if (is_one != boundaries || code->written[i] == wanted[i]) continue;
    if (!put(writer, code, i, wanted[i])) return false;
  }
  return wax_runtime_code_synchronize(writer);
}

static bool put_first(wax_runtime_code_writer *writer, wax_runtime_code *code, uint8_t byte) {
  return put(writer, code, 0, byte) && wax_runtime_code_synchronize(writer);
}

/* Release: what an island leads to is there before a thread is sent to it. */
static void set_target(wax_runtime_code *code, uint8_t *target) {
  atomic_store_explicit(&code->target, target, memory_order_release);
}

static bool take_out(wax_runtime_code_writer *writer, wax_runtime_code *code) {
  if (!put_first(writer, code, WAX_RUNTIME_TRAP)) return false;
  set_target(code, code->copy);
  return put_tail(writer, code, code->original, false) &&
         put_tail(writer, code, code->original, true) && put_first(writer, code, code->original[0]);
}

static bool put_in(wax_runtime_code_writer *writer, wax_runtime_code *code) {
  if (!put_first(writer, code, WAX_RUNTIME_TRAP)) return false;
  set_target(code, code->island);
  return put_tail(writer, code, code->jump, true) && put_tail(writer, code, code->jump, false) &&
         put_first(writer, code, JUMP);
}

/* What cannot be put back goes on trapping, and is led to the copy. */
static void put_back(wax_runtime_code_writer *writer, wax_runtime_code *code) {
  if (code->written[0] != WAX_RUNTIME_TRAP) return;
  set_target(code, code->copy);
  if (memcmp(code->written + 1, code->original + 1, SIZE - 1) == 0)
    (void)put_first(writer, code, code->original[0]);
  else
    (void)take_out(writer, code);
}

/* ====== }== */

/* {== What every batch of writes begins with ====== */

static wax_runtime_claim refuse(const wax_runtime_code_writer *writer, wax_runtime_claim reason) {
  wax_runtime_refuse_number(writer->error_number);
  return reason;
}

/* All that has to be so before a byte may trap. */
static wax_runtime_claim make_ready(wax_runtime_code_writer *writer) {
  if (!wax_runtime_code_synchronize(writer))
    return refuse(writer, WAX_RUNTIME_CLAIM_CODE_NO_BARRIER);
  if (!wax_runtime_code_catch_traps()) return WAX_RUNTIME_CLAIM_NO_MEMORY;
  return wax_runtime_code_check_threads();
}

/* ====== }== */

/* {== Preparing ====== */

/* The function's code as its file has it, and what is behind it; NULL: `*outcome` says why. */
static uint8_t *read_code(const void *code, size_t code_size, wax_runtime_claim *outcome) {
  size_t size = code_size + WAX_RUNTIME_PADDING;
  uint8_t *bytes = malloc(size);
  *outcome = bytes ? wax_runtime_code_read_file(code, size, bytes) : WAX_RUNTIME_CLAIM_NO_MEMORY;
  if (*outcome == WAX_RUNTIME_CLAIM_OK) return bytes;
  free(bytes);
  return NULL;
}

/* Whether memory has what the file has, from the beginning to the end of the jump and of the
 * instructions it takes the place of. */
static wax_runtime_claim compare(const uint8_t *live, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (live[i] == bytes[i]) continue;
    return live[i] == BREAKPOINT ? WAX_RUNTIME_CLAIM_CODE_BREAKPOINT
                                 : WAX_RUNTIME_CLAIM_CODE_CHANGED;
  }
  return WAX_RUNTIME_CLAIM_OK;
}

/* Functions that begin within the first instructions of each other cannot both be entered. */
#define LONGEST_WINDOW (SIZE - 1 + 15)

static size_t end_of(const wax_runtime_code_window *window) {
  return window->size > SIZE ? window->size : SIZE;
}

static bool overlaps(const wax_runtime_code_window *window) {
  uintptr_t at = (uintptr_t)window->at;
  for (uintptr_t other = at - LONGEST_WINDOW; other < at + end_of(window); other++) {
    const wax_runtime_code *found = wax_runtime_code_at(other);
    if (found && other + end_of(&found->window) > at) return true;
  }
  return false;
}

static wax_runtime_claim judge(uint8_t *code, size_t size, wax_runtime_code_window *window) {
  wax_runtime_claim outcome;
  uint8_t *bytes = read_code(code, size, &outcome);
  if (!bytes) return outcome;
  outcome = wax_runtime_code_judge(bytes, code, size, window);
  if (outcome == WAX_RUNTIME_CLAIM_OK)
    outcome = compare(code, bytes, (size_t)(window->at - code) + end_of(window));
  free(bytes);
  if (outcome == WAX_RUNTIME_CLAIM_OK && overlaps(window)) return WAX_RUNTIME_CLAIM_CONFLICT;
  return outcome;
}

static bool write_copy(wax_runtime_code_writer *writer, wax_runtime_code *code,
                       wax_runtime_claim *outcome) {
  wax_runtime_code_copy copy;
  *outcome = wax_runtime_code_relocate(&code->window, code->copy, &copy);
  if (*outcome != WAX_RUNTIME_CLAIM_OK) return false;
  memcpy(code->copy_starts, copy.starts, sizeof copy.starts);
  if (wax_runtime_code_write(writer, code->copy, copy.bytes, copy.size)) return true;
  *outcome = refuse(writer, WAX_RUNTIME_CLAIM_CODE_READ_ONLY);
  return false;
}

static wax_runtime_claim write_island(wax_runtime_code_writer *writer, wax_runtime_code *code,
                                      _Atomic(const void *) *word) {
  uint8_t island[WAX_RUNTIME_CODE_ISLAND_SIZE] = {0xff, 0x25}; /* jmpq *word(%rip) */
  int32_t away = (int32_t)((const uint8_t *)word - (code->island + sizeof island));
  memcpy(island + 2, &away, sizeof away);
  if (!wax_runtime_code_write(writer, code->island, island, sizeof island))
    return refuse(writer, WAX_RUNTIME_CLAIM_CODE_READ_ONLY);
  int32_t distance = (int32_t)(code->island - (code->window.at + SIZE));
  code->jump[0] = JUMP;
  memcpy(code->jump + 1, &distance, sizeof distance);
  return WAX_RUNTIME_CLAIM_OK;
}

/* What calls are led to, and what the original is called by. */
static wax_runtime_claim lead_slot(wax_runtime_slot *slot, wax_runtime_code *code,
                                   _Atomic(const void *) *word) {
  if (!slot->is_async) {
    slot->original = code->copy;
    atomic_store_explicit(word, wax_runtime_stub_of(slot), memory_order_release);
    return WAX_RUNTIME_CLAIM_OK;
  }
  wax_runtime_async_record own = {
      .word = __atomic_load_n((const uint64_t *)slot->function, __ATOMIC_RELAXED)};
  wax_runtime_async_island *island = wax_runtime_async_island_take(slot->entry);
  if (!island) return WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY;
  if (!wax_runtime_async_lead(&island->original, code->copy, own.context_size, &island->original)) {
    wax_runtime_async_island_return(island);
    return WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY;
  }
  island->slot = slot;
  slot->original = &island->original;
  atomic_store_explicit(word, wax_runtime_async_island_code(island), memory_order_release);
  return WAX_RUNTIME_CLAIM_OK;
}

/* All that installing needs but the jump itself. */
static wax_runtime_claim make_parts(wax_runtime_code_writer *writer, wax_runtime_slot *slot,
                                    wax_runtime_code *code) {
  wax_runtime_claim outcome = make_ready(writer);
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  /* The same bytes: the page is the process's own from here on. */
  if (!wax_runtime_code_write(writer, code->window.at, code->original, SIZE))
    return refuse(writer, WAX_RUNTIME_CLAIM_CODE_READ_ONLY);
  _Atomic(const void *) *word;
  code->island = wax_runtime_code_take_island(&code->window, &word);
  code->copy = wax_runtime_code_take_copy(code->window.at);
  if (!code->island || !code->copy) return WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY;
  if (!write_copy(writer, code, &outcome)) return outcome;
  outcome = write_island(writer, code, word);
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  return lead_slot(slot, code, word);
}

static wax_runtime_claim make_code(wax_runtime_slot *slot, wax_runtime_code *code) {
  wax_runtime_claim outcome = judge((uint8_t *)slot->entry, slot->code_size, &code->window);
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  memcpy(code->original, code->window.at, SIZE);
  memcpy(code->written, code->original, SIZE);
  wax_runtime_code_writer writer = wax_runtime_code_begin_writing();
  outcome = make_parts(&writer, slot, code);
  wax_runtime_code_end_writing(&writer);
  return outcome;
}

/* Whether a patch point has what it takes; WAX_RUNTIME_CLAIM_OK. */
static wax_runtime_claim check(const wax_runtime_point *point) {
  if (point->code_size == 0 || !point->entry) return WAX_RUNTIME_CLAIM_NO_CODE;
  if (!point->is_async)
    return point->function == (const void *)point->entry ? WAX_RUNTIME_CLAIM_OK
                                                         : WAX_RUNTIME_CLAIM_NO_CODE;
  const wax_runtime_async_record *record = point->function;
  bool is_there = wax_runtime_is_data(record, sizeof *record) &&
                  record->context_size >= WAX_RUNTIME_LEAST_CONTEXT;
  return is_there ? WAX_RUNTIME_CLAIM_OK : WAX_RUNTIME_CLAIM_NO_POINTER;
}

wax_runtime_claim wax_runtime_code_look_at(const wax_runtime_point *point) {
  wax_runtime_claim outcome = check(point);
  wax_runtime_code_window window;
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  return judge((uint8_t *)point->entry, point->code_size, &window);
}

static wax_runtime_claim prepare(wax_runtime_slot *slot) {
  wax_runtime_point point = wax_runtime_slot_point(slot);
  wax_runtime_claim outcome = check(&point);
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  wax_runtime_code *code = calloc(1, sizeof *code);
  if (!code) return WAX_RUNTIME_CLAIM_NO_MEMORY;
  outcome = make_code(slot, code);
  if (outcome != WAX_RUNTIME_CLAIM_OK) {
    if (code->copy) wax_runtime_code_return_copy(code->copy);
    if (code->island) wax_runtime_code_return_island(code->island);
    free(code);
    return outcome;
  }
  slot->asks_lookup = false;
  atomic_init(&code->target, code->copy);
  wax_runtime_code_add(code);
  return WAX_RUNTIME_CLAIM_OK;
}

/* ====== }== */

/* {== The interface ====== */

static bool is_ours(const wax_runtime_slot *slot) {
  const wax_runtime_code *code = code_of(slot);
  return is_live(code, code->written);
}

static wax_runtime_claim change(wax_runtime_code *code,
                                bool (*steps)(wax_runtime_code_writer *, wax_runtime_code *)) {
  wax_runtime_code_writer writer = wax_runtime_code_begin_writing();
  wax_runtime_claim outcome = make_ready(&writer);
  if (outcome == WAX_RUNTIME_CLAIM_OK && !steps(&writer, code)) {
    outcome = refuse(&writer, WAX_RUNTIME_CLAIM_CODE_READ_ONLY);
    put_back(&writer, code);
  }
  wax_runtime_code_end_writing(&writer);
  return outcome;
}

static wax_runtime_claim install(wax_runtime_slot *slot) {
  wax_runtime_code *code = code_of(slot);
  if (is_live(code, code->jump)) return WAX_RUNTIME_CLAIM_OK;
  return change(code, put_in);
}

static wax_runtime_claim remove_entry(wax_runtime_slot *slot) {
  wax_runtime_code *code = code_of(slot);
  if (is_live(code, code->original)) return WAX_RUNTIME_CLAIM_OK;
  if (!is_live(code, code->written)) return WAX_RUNTIME_CLAIM_FOREIGN;
  return change(code, take_out);
}

static bool verify(const wax_runtime_slot *slot) {
  const wax_runtime_code *code = code_of(slot);
  return is_live(code, code->original);
}

/* ====== }== */

/* The bytes of code may be anywhere, of any alignment. */
static bool leads_to(const void *const *entry, const void *word) {
  return memcmp(entry, &word, sizeof word) == 0;
}

const wax_runtime_entry_functions wax_runtime_code_entry = {
    .prepare = prepare,
    .is_ours = is_ours,
    .install = install,
    .remove = remove_entry,
    .verify = verify,
    .leads_to = leads_to,
};

#else

bool wax_runtime_code_replaced(const void *function, wax_runtime_replaced *replaced) {
  (void)function, (void)replaced;
  return false;
}

#endif
