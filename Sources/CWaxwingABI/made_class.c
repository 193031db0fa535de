/* SPDX-License-Identifier: MIT */

/* The destroyer of classes that are made at run time.
 *
 * Their objects have the size and the fields of the superclass's, so that its destroyer does all
 * there is to do; ours only tells that it is about to run. */

#include "wax_abi_made_class.h"

#include "wax_process_stack.h"

#define MAGIC 0x57617877696e6743u /* "WaxwingC" */

/* Offsets in class metadata without Objective-C: include/swift/ABI/Metadata.h, Swift 6.3. */
#define DESTROYER (-16)
#define SUPERCLASS 8
#define ADDRESS_POINT 36

#define SWIFTCALL __attribute__((swiftcall))
#define SWIFT_CONTEXT __attribute__((swift_context))

typedef SWIFTCALL void (*destroyer)(SWIFT_CONTEXT void *object);

extern void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask);

static const void *word_at(const void *metadata, ptrdiff_t offset) {
  return *(const void *const *)((const char *)metadata + offset);
}

static const wax_abi_made_class *block_of(const void *metadata) {
  uint32_t address_point = *(const uint32_t *)((const char *)metadata + ADDRESS_POINT);
  return (const wax_abi_made_class *)((const char *)metadata - address_point) - 1;
}

static void tell_ended(void *object) {
  const wax_abi_made_class *made = block_of(*(const void **)object);
  made->ended(made->context, object);
}

static SWIFTCALL void destroy_object(SWIFT_CONTEXT void *object) {
  const wax_abi_made_class *made = block_of(*(const void **)object);
  wax_process_with_stack(tell_ended, object, false);
  /* Read each time: it may have been replaced. */
  ((destroyer)word_at(made->superclass, DESTROYER))(object);
}

static bool is_made(const void *metadata) {
  return word_at(metadata, DESTROYER) == (const void *)destroy_object;
}

void wax_abi_made_class_init(wax_abi_made_class *block, void *metadata, void *context,
                             wax_abi_object_ended ended) {
  const void *parent = word_at(metadata, SUPERCLASS);
  const void *superclass = is_made(metadata) ? block_of(parent)->superclass : parent;
  *block = (wax_abi_made_class){MAGIC, context, ended, superclass};
  *(const void **)((char *)metadata + DESTROYER) = (const void *)destroy_object;
}

const wax_abi_made_class *wax_abi_made_class_of(const void *metadata) {
  if (!is_made(metadata)) return NULL;
  const wax_abi_made_class *block = block_of(metadata);
  return block->magic == MAGIC ? block : NULL;
}

bool wax_abi_made_class_is(const void *metadata, const void *ancestor) {
  while (metadata) {
    if (metadata == ancestor) return true;
    if (!is_made(metadata)) return false; /* nothing of ours is above a class of the program's */
    metadata = word_at(metadata, SUPERCLASS);
  }
  return false;
}

void *wax_abi_object_allocate(const void *metadata, size_t size, size_t alignment_mask) {
  return swift_allocObject(metadata, size, alignment_mask);
}
