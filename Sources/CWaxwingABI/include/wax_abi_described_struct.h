/* SPDX-License-Identifier: MIT
 *
 * Metadata for a struct of which the program has a descriptor and no metadata, made at run time.
 *
 *     { stand-in, no layout string, value witnesses || kind, descriptor, offsets: UInt32 … }
 *                                                   ^ the metadata's address
 *
 * The stand-in is a type that is laid out alike: the tuple of the stored properties, or the only
 * one. The value witnesses are the stand-in's, called with the stand-in's metadata.
 */
#ifndef WAX_ABI_DESCRIBED_STRUCT_H
#define WAX_ABI_DESCRIBED_STRUCT_H

#include <stddef.h>

/* Metadata that is kept for good; NULL if there is no memory. Whoever calls twice gets two types:
   remember the first. `types` are the metadata of the stored properties, in order. */
const void *wax_abi_described_struct(const void *descriptor, const void *const *types,
                                     size_t count);

#endif
