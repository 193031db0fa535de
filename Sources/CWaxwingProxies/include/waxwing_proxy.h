/* SPDX-License-Identifier: MIT
 *
 * Userdata that stand for Swift objects and values.
 */
#ifndef WAXWING_PROXY_H
#define WAXWING_PROXY_H

#include "waxwing_call.h"

typedef enum waxwing_proxy_kind {
  WAXWING_PROXY_OBJECT = 1,   /* pointer: a strong reference; one proxy an object */
  WAXWING_PROXY_VALUE,        /* pointer: malloc'd memory with a value of `type`, owned */
  WAXWING_PROXY_ERROR,        /* pointer: an `any Error` box, owned */
  WAXWING_PROXY_UINT64,       /* pointer: the bits of a UInt64 above Int64.max; nothing owned */
  WAXWING_PROXY_POINTER,      /* pointer: a raw pointer of the program's; nothing owned */
  WAXWING_PROXY_PENDING,      /* an instance that its initializer has not made yet; nothing owned */
  WAXWING_PROXY_WEAK,         /* pointer: the word of a weak reference of Swift's */
  WAXWING_PROXY_METATYPE,     /* pointer: the metadata of a type that has no face; nothing owned */
  WAXWING_PROXY_CLOSURE,      /* behind a function; pointer: a Swift object; type: a callback */
  WAXWING_PROXY_LENT_CLOSURE, /* the same, for as long as the call from Swift lasts */
  WAXWING_PROXY_SUPER         /* pointer: a strong reference to an object, seen as its superclass
                                 `type` implements it: `object.super` */
} waxwing_proxy_kind;

/* There can be very many: what few of them need is in a waxwing_full_proxy. */
typedef struct waxwing_proxy {
  uint32_t kind; /* waxwing_proxy_kind; 0: gave up what it held */
  uint16_t magic;
  bool holds_nothing; /* of an object that is being deinitialized */
  bool is_full;       /* it is the beginning of a waxwing_full_proxy */
  void *pointer;
  const void *type; /* Swift metadata; NULL for the kinds that need none */
} waxwing_proxy;

/* Of a value, of an instance that is not made yet, of what has been made in a call that keeps
   nothing, and a weak reference. */
typedef struct waxwing_full_proxy {
  waxwing_proxy base;
  bool is_left_over; /* the call that owned it has ended, others share it */
  uint16_t sharers;  /* calls that do, see waxwing_seen.c */
  const void
      *origin_frame; /* of a copy of a property: the call that read it; see waxwing_origin.c */
  struct waxwing_tally *tally; /* where it is counted; NULL: it is not, or a function's */
  struct waxwing_lane
      *lane; /* the call at whose end it gives up what it holds; NULL: once collected */
  struct waxwing_full_proxy *next_seen; /* of the same call */
  struct waxwing_full_proxy **link;     /* what points to this one there */
} waxwing_full_proxy;

/* NULL: it is none. */
static inline waxwing_full_proxy *waxwing_to_full(waxwing_proxy *proxy) {
  return proxy->is_full ? (waxwing_full_proxy *)proxy : NULL;
}

/* [-0, +0, -]  The proxy at `index`, or NULL if something else is there. */
waxwing_proxy *waxwing_to_proxy(lua_State *L, int index);

/* What an operator of Lua's does with proxies. */
typedef struct waxwing_event {
  const char *name; /* "__add" */
  int operands;
  waxwing_callback *callback; /* (operand …) -> result */
} waxwing_event;

/* The behaviour of one type's proxies. */
typedef struct waxwing_metatable {
  const char *name;           /* for Lua's own messages */
  waxwing_callback *get;      /* (proxy, name) -> value; sets call->member to cache an accessor */
  waxwing_callback *set;      /* (proxy, name, value); sets call->member likewise */
  waxwing_callback *describe; /* (proxy) -> string */
  /* NULL: proxies of the type have none */
  waxwing_callback *equals;  /* (proxy, proxy) -> boolean; both hold values */
  waxwing_callback *length;  /* (proxy) -> integer */
  waxwing_callback *entries; /* (proxy) -> a sequence: key, value, key, value … for `pairs` */
  const waxwing_event *events;
  int event_count;
  bool members_vary; /* from proxy to proxy: accessors are not to be cached */
} waxwing_metatable;

/* [state entered; -0, +0, -]  Sets the metatable for proxies of `type`, or of `kind` where type is
   NULL; `kind` is 0 for the ordinary proxies of a type. Returns false if there is no memory. */
bool waxwing_define_metatable(lua_State *L, const void *type, uint32_t kind,
                              const waxwing_metatable *metatable);

/* [state entered; -0, +0, -]  Turns the pending proxy at `index` into one of the instance that its
   initializer made, and takes over the reference (or the memory). False: no memory. */
bool waxwing_fulfil(lua_State *L, int index, uint32_t kind, void *pointer, const void *type);

/* [state entered; -0, +0, -]  Whether there is a proxy that holds a reference to the object. */
bool waxwing_has_proxy(waxwing_state *state, const void *object);

/* [state entered]  Releases what values that were never pushed own. */
void waxwing_buffer_discard(waxwing_state *state, waxwing_buffer *buffer);

/* [state entered; -0, +0, -]  Whether the proxy at `index` holds a copy of a property. */
bool waxwing_has_origin(lua_State *L, int index);

static inline bool waxwing_is_closure(uint32_t kind) {
  return kind == WAXWING_PROXY_CLOSURE || kind == WAXWING_PROXY_LENT_CLOSURE;
}

/* Whether Swift sees an object in proxies of this kind. */
static inline bool waxwing_is_object(uint32_t kind) {
  return kind == WAXWING_PROXY_OBJECT || kind == WAXWING_PROXY_SUPER;
}

/* Whether values of this kind that are to be pushed own what their proxy is to own. Objects are
   retained when they are pushed. */
static inline bool waxwing_proxy_owns(uint32_t kind) {
  return (kind != 0 && kind <= WAXWING_PROXY_ERROR) || waxwing_is_closure(kind);
}

/* [state entered; -0, +0, -]  Lets the table at `index` stand for the type, to Swift, and if
   `is_main` the type for the table, to Lua. False: it has no metatable, or there is no memory. */
bool waxwing_set_face(lua_State *L, int index, const void *type, bool is_main);

/* [state entered]  Puts the function by which the prelude says where a copy came from, (owner, key,
   copy) -> copy, into a global variable. False: no memory. */
bool waxwing_define_connect(waxwing_state *state, const char *name);

#endif
