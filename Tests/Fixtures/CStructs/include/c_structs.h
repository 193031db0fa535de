/* SPDX-License-Identifier: MIT */

/* Structs as system headers have them: with unions, bit-fields and padding, which Swift does not
 * see. */

#ifndef C_STRUCTS_H
#define C_STRUCTS_H

#include <stdbool.h>
#include <stdint.h>

typedef union {
  uint32_t word;
  uint8_t bytes[4];
} Union4;

typedef union {
  uint64_t word;
  double number;
} Union8;

typedef union {
  uint8_t bytes[16];
  uint32_t words[4];
} Union16;

/* As `struct sockaddr_in6`. */
typedef struct {
  uint16_t family, port;
  uint32_t flow;
  Union16 address;
  uint32_t scope;
} Endpoint;

typedef struct {
  unsigned low : 3;
  unsigned high : 7;
  int other;
} LeadingBits;

typedef struct {
  int64_t number;
  unsigned bits : 3;
} TrailingBits;

typedef struct {
  int first;
  unsigned bits : 3;
  double last;
} BitsInPadding;

typedef struct {
  float x, y;
  unsigned bits : 4;
} BitsAfterFloats;

typedef struct {
  int kind;
  union {
    void *pointer;
    uint32_t number;
  } either;
  char tail;
} TaggedUnion;

typedef struct {
  double number;
  Union8 either;
} NumberAndUnion;

typedef struct {
  char mark;
  double number;
} PaddedDouble;

typedef struct {
  float number;
  double wide;
} PaddedFloat;

typedef struct {
  char text[12];
  int count;
} Text;

typedef struct {
  struct {
    int first;
    union {
      int second;
      float third;
    };
  } inner;
  int last;
} Anonymous;

#endif
