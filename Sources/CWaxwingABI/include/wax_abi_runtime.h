/* SPDX-License-Identifier: MIT
 *
 * Functions that the Swift runtime exports to compiled code: include/swift/Runtime/ of the
 * compiler's source. Declared here because Swift source may not name them.
 */
#ifndef WAX_ABI_RUNTIME_H
#define WAX_ABI_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

/* Frees an object of which the initializer of this class has initialized nothing; what its
   subclasses have is destroyed. HeapObject.h */
void swift_deallocPartialClassInstance(void *object, const void *class_metadata, size_t size,
                                       size_t alignment_mask);

/* The object itself if it is an instance of the class or of one that inherits from it, else NULL.
   Casting.h */
const void *swift_dynamicCastClass(const void *object, const void *class_metadata);

/* The witness table of a type's conformance to a protocol, by metadata and descriptor; NULL if the
   type does not conform. Conformances that depend on conditions are looked up too. Casting.h,
   Metadata.h */
const void *swift_conformsToProtocol(const void *type, const void *protocol);

/* Makes the conformances known that are between the pointers: relative pointers to descriptors,
   which stay where they are. Whatever is between them, what was known of conformances is forgotten
   and looked up again. ProtocolConformance.cpp */
void swift_registerProtocolConformances(const void *begin, const void *end);

/* The text of a symbol, which the caller frees; NULL if it is none of Swift's. `output` and
 * `output_size`: NULL; `flags`: 0. */
char *swift_demangle(const char *name, size_t length, char *output, size_t *output_size,
                     uint32_t flags);

/* Calls `visitor` with an address in each image whose types, protocols and conformances the runtime
   knows. An image tells it of them in one of its constructors. ImageInspectionCommon.cpp,
   swift_enumerateAllMetadataSections */
typedef void (*wax_abi_registered_visitor)(void *context, const void *address);
void wax_abi_for_each_registered_image(wax_abi_registered_visitor visitor, void *context);

/* Calls `visitor` with the mangled names of each such image, the contents of its section
   swift5_typeref; not with those of an image that tells of its sections in a version that is not
   known. stdlib/public/SwiftShims/swift/shims/MetadataSections.h */
typedef void (*wax_abi_names_visitor)(void *context, const void *names, size_t size);
void wax_abi_for_each_registered_names(wax_abi_names_visitor visitor, void *context);

/* `any P<X>` of a shape and the types that it is generalized over. `is_unique`: all types of this
   shape have this one; otherwise the pointer to the one in use comes before it. Metadata.h,
   swift_getExtendedExistentialTypeMetadata */
const void *wax_abi_constrained_existential(const void *shape, _Bool is_unique,
                                            const void *const *arguments);

/* The type behind `some P`: the arguments are the metadata and witness tables that the function's
   generic parameters have, as in metadata. Metadata.h */
const void *wax_abi_opaque_type(const void *descriptor, const void *const *arguments, long index);

/* A stored property as the field descriptors tell it. */
typedef struct wax_abi_field {
  const char *name; /* owned: wax_abi_field_end */
  void (*free_name)(const char *);
  _Bool is_strong; /* neither weak nor unowned */
  _Bool is_var;
  const void *type; /* metadata */
  long offset;      /* bytes */
} wax_abi_field;

/* The number of stored properties of a struct or class, inherited ones included.
   ReflectionMirror.cpp */
long wax_abi_field_count(const void *type);
void wax_abi_field_read(const void *type, long index, wax_abi_field *field);
void wax_abi_field_end(wax_abi_field *field);

/* The box of an `indirect` case's payload. HeapObject.h */
typedef struct wax_abi_box {
  void *object;   /* a strong reference */
  void *contents; /* uninitialized */
} wax_abi_box;

wax_abi_box wax_abi_box_allocate(const void *type);
/* Deallocates a box whose contents were never initialized. */
void wax_abi_box_deallocate(void *box);
void *wax_abi_box_contents(void *box);

/* Weak and unowned references of native objects; NULL is nil. HeapObject.h
   What loads returns a strong reference, or NULL if the object is gone or going. */
void *wax_abi_weak_load(void *reference);
void wax_abi_weak_init(void *reference, void *object);
void wax_abi_weak_assign(void *reference, void *object);
void *wax_abi_try_retain(void *object);
void wax_abi_unowned_retain(void *object);
void wax_abi_unowned_release(void *object);
_Bool wax_abi_is_deallocating(const void *object);
/* The number of strong references; others may be changing it. HeapObject.h */
size_t wax_abi_retain_count(void *object);

/* The value in the box of an `any Error`, which keeps it, and the metadata of its type. */
void *wax_abi_error_value(const void *error, const void **type);

/* Whether it is the address of a word that holds `word`. It may be any number. */
_Bool wax_abi_word_is(unsigned long candidate, const void *word);

/* What methods of structs and enums of Swift's own libraries do with what they are called on, a
   line each: the method's symbol, a space, the word of its kind. Lines that begin with # say
   nothing. A constant, not terminated. */
const char *wax_abi_library_self_kinds(size_t *count);

#endif
