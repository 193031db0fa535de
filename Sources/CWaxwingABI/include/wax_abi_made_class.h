/* SPDX-License-Identifier: MIT
 *
 * Classes that are made at run time: what stands in front of their metadata, and what destroys
 * their objects.
 *
 *     wax_abi_made_class { magic, context, ended, superclass }
 *     metadata of the superclass, copied, from its first word on:
 *       … | destroyer | value witnesses || kind | superclass | … | descriptor | … | vtable
 *                                         ^ the metadata's address; the address point, counted
 *                                           from the first word, is in it
 */
#ifndef WAX_ABI_MADE_CLASS_H
#define WAX_ABI_MADE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called when the last reference to an object of the class has gone, before anything of it is
   destroyed. The object must not be retained beyond the call. Any thread. */
typedef void (*wax_abi_object_ended)(void *context, void *object);

typedef struct wax_abi_made_class {
  uint64_t magic;
  void *context; /* of `ended`; not owned */
  wax_abi_object_ended ended;
  const void *superclass; /* the nearest that Swift has made: its destroyer does the rest */
} wax_abi_made_class;

/* Sets up what stands in front of the metadata, of which `block` is the first byte, and lets the
   metadata's destroyer be ours. The metadata has been copied from that of the superclass. */
void wax_abi_made_class_init(wax_abi_made_class *block, void *metadata, void *context,
                             wax_abi_object_ended ended);

/* The data in front of the metadata of a class that was made here; NULL for other classes. */
const wax_abi_made_class *wax_abi_made_class_of(const void *metadata);

/* Whether one class is another or inherits from it, both by their metadata, the other one made
   here. Cheap where the first was not. */
bool wax_abi_made_class_is(const void *metadata, const void *ancestor);

/* An object whose fields are not initialized, at +1: size in bytes. HeapObject.h */
void *wax_abi_object_allocate(const void *metadata, size_t size, size_t alignment_mask);

#endif
