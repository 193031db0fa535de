/* SPDX-License-Identifier: MIT
 *
 * Functions that the Swift runtime exports to compiled code: include/swift/Runtime/ of the
 * compiler's source. Declared here because Swift source may not name them.
 */
#ifndef WAXWING_SWIFT_ABI_H
#define WAXWING_SWIFT_ABI_H

/* The object itself if it is an instance of the class or of one that inherits from it, else NULL.
   Casting.h */
const void *swift_dynamicCastClass(const void *object, const void *class_metadata);

/* The witness table of the type for the protocol, NULL if it does not conform. Casting.h */
const void *swift_conformsToProtocol(const void *type, const void *protocol_descriptor);

/* A stored property as the field descriptors tell it. */
typedef struct waxwing_field {
  const char *name; /* owned: waxwing_field_end */
  void (*free_name)(const char *);
  _Bool is_strong; /* neither weak nor unowned */
  _Bool is_var;
  const void *type; /* metadata */
  long offset;      /* bytes */
} waxwing_field;

/* How many stored properties a struct or class has, inherited ones included. ReflectionMirror.cpp
 */
long waxwing_field_count(const void *type);
void waxwing_field_read(const void *type, long index, waxwing_field *field);
void waxwing_field_end(waxwing_field *field);

#endif
