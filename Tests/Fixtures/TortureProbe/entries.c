/* SPDX-License-Identifier: MIT */

/* The replacement entries by their symbols: a function that changes its signature changes its name
 * here. Read from memory, without asking the engine. */

#include <stdatomic.h>

#include "torture_probe.h"

#define SUBJECT "$s14TortureFixture0A7SubjectC"

extern _Atomic(const void *) number_entry __asm__(SUBJECT "6numberyS2iFTX");
extern _Atomic(const void *) text_entry __asm__(SUBJECT "4textyS2SFTX");
extern _Atomic(const void *) token_entry __asm__(SUBJECT "5tokenyAA0A5TokenCAFFTX");
extern _Atomic(const void *) risky_entry __asm__(SUBJECT "5riskyyS2iKFTX");
extern _Atomic(const void *) apply_entry __asm__(SUBJECT "5applyyS3iXE_SitFTX");
extern _Atomic(const void *) generic_entry __asm__(SUBJECT "7genericySixlFTX");
extern _Atomic(const void *) descend_entry __asm__(SUBJECT "7descendyS2iFTX");
extern _Atomic(const void *) nested_entry __asm__(SUBJECT "6nestedySiAA0A4SinkCFTX");
extern _Atomic(const void *) blocks_entry __asm__(SUBJECT "6blocksySiAA0A4GateCFTX");
extern _Atomic(const void *) lamp_entry __asm__(SUBJECT "4lampyAA0A4LampCSiFTX");
extern _Atomic(const void *) later_entry __asm__(SUBJECT "5lateryS2iYaFTX");
extern _Atomic(const void *) late_entry __asm__("$s14TortureFixture11tortureLateyS2iFTX");

static const struct {
  const char *name;
  _Atomic(const void *) *entry;
} entries[] = {
    {"number", &number_entry},   {"text", &text_entry},     {"token", &token_entry},
    {"risky", &risky_entry},     {"apply", &apply_entry},   {"generic", &generic_entry},
    {"descend", &descend_entry}, {"nested", &nested_entry}, {"blocks", &blocks_entry},
    {"late", &late_entry},       {"lamp", &lamp_entry},     {"later", &later_entry},
};

extern const char plain_code[] __asm__("$s12TorturePlain0A4ShopC5plainyS2iF");
extern const char holds_code[] __asm__("$s12TorturePlain0A4ShopC5holdsySi0A7Fixture0A4GateCF");

/* Code that takes the address of a function of TorturePlain may have been compiled with it, for all
   that the engine can tell. Data is no code. */
static const char *const volatile plain_address = plain_code;
static const char *const volatile holds_address = holds_code;

size_t torture_entry_count(void) { return sizeof entries / sizeof entries[0]; }

const char *torture_entry_name(size_t index) { return entries[index].name; }

const void *torture_entry_word(size_t index) {
  return atomic_load_explicit(entries[index].entry, memory_order_acquire);
}

const void *torture_late_word(void) {
  return atomic_load_explicit(&late_entry, memory_order_acquire);
}

const void *torture_plain_code(void) { return plain_address; }

const void *torture_holds_code(void) { return holds_address; }

uint64_t torture_word_at(uintptr_t address) {
  return atomic_load_explicit((const _Atomic(uint64_t) *)address, memory_order_acquire);
}

typedef __attribute__((swiftcall)) long late_function(long);

long torture_call_late(const void *word, long argument) {
  return ((late_function *)word)(argument);
}
