/* SPDX-License-Identifier: MIT
 *
 * Userdata that stand for Swift objects and values.
 */
#ifndef WAX_PROXY_H
#define WAX_PROXY_H

#include "wax_lua_call.h"

typedef enum wax_proxy_kind {
  WAX_PROXY_KIND_OBJECT = 1, /* pointer: a strong reference; one proxy an object */
  WAX_PROXY_KIND_VALUE,      /* pointer: malloc'd memory with a value of `type`, owned */
  WAX_PROXY_KIND_ERROR,      /* pointer: an `any Error` box, owned */
  WAX_PROXY_KIND_UINT64,     /* pointer: the bits of a UInt64 above Int64.max; nothing owned */
  WAX_PROXY_KIND_POINTER,    /* pointer: a raw pointer of the program's; nothing owned */
  WAX_PROXY_KIND_PENDING,    /* an instance that its initializer has not made yet; nothing owned */
  WAX_PROXY_KIND_WEAK,       /* pointer: the word of a weak reference of Swift's */
  WAX_PROXY_KIND_METATYPE, /* pointer: the metadata of a type that has no type object; nothing owned
                            */
  WAX_PROXY_KIND_CLOSURE,  /* behind a function; pointer: a Swift object; type: a callback */
  WAX_PROXY_KIND_LENT_CLOSURE, /* the same, for as long as the call from Swift lasts */
  WAX_PROXY_KIND_SUPER         /* pointer: a strong reference to an object, seen as its superclass
                                 `type` implements it: `object.super` */
} wax_proxy_kind;

/* There can be very many: what few of them need is in a wax_proxy_full. */
typedef struct wax_proxy {
  uint32_t kind; /* wax_proxy_kind; 0: gave up what it held */
  uint16_t magic;
  bool holds_nothing; /* of an object that is being deinitialized */
  bool is_full;       /* it is the beginning of a wax_proxy_full */
  void *pointer;
  const void *type; /* Swift metadata; NULL for the kinds that need none */
} wax_proxy;

/* The proxy of a value, of an instance that is not made yet, or of an object made in a call that
   keeps nothing; or a weak reference. */
typedef struct wax_proxy_full {
  wax_proxy base;
  bool is_left_over;        /* the call that owned it has ended, others share it */
  uint16_t sharers;         /* calls that do, see call_lifetime.c */
  const void *source_frame; /* of a copy of a property: the call that read it; see writeback.c */
  struct wax_proxy_live_count
      *live_count; /* where it is counted; NULL: it is not, or a function's */
  struct wax_lua_coroutine
      *coroutine; /* the call at whose end it gives up what it holds; NULL: once collected */
  struct wax_proxy_full *next_seen; /* of the same call */
  struct wax_proxy_full **link;     /* what points to this one there */
} wax_proxy_full;

/* NULL: it is none. */
static inline wax_proxy_full *wax_proxy_to_full(wax_proxy *proxy) {
  return proxy->is_full ? (wax_proxy_full *)proxy : NULL;
}

/* [-0, +0, -]  The proxy at `index`, or NULL if something else is there. */
wax_proxy *wax_proxy_to_proxy(lua_State *L, int index);

/* The effect of a Lua operator on proxies. */
typedef struct wax_proxy_event {
  const char *name; /* "__add" */
  int operands;
  wax_lua_callback *callback; /* (operand …) -> result */
} wax_proxy_event;

/* The behaviour of one type's proxies. */
typedef struct wax_proxy_metatable {
  const char *name;           /* for Lua's own messages */
  wax_lua_callback *get;      /* (proxy, name) -> value; sets call->member to cache an accessor */
  wax_lua_callback *set;      /* (proxy, name, value); sets call->member likewise */
  wax_lua_callback *describe; /* (proxy) -> string */
  /* NULL: proxies of the type have none */
  wax_lua_callback *equals;  /* (proxy, proxy) -> boolean; both hold values */
  wax_lua_callback *length;  /* (proxy) -> integer */
  wax_lua_callback *entries; /* (proxy) -> a sequence: key, value, key, value … for `pairs` */
  const wax_proxy_event *events;
  int event_count;
  bool members_vary; /* from proxy to proxy: accessors are not to be cached */
} wax_proxy_metatable;

/* [state entered; -0, +0, -]  Sets the metatable for proxies of `type`, or of `kind` where type is
   NULL; `kind` is 0 for the ordinary proxies of a type. Returns false if there is no memory. */
bool wax_proxy_define_metatable(lua_State *L, const void *type, uint32_t kind,
                                const wax_proxy_metatable *metatable);

/* [state entered; -0, +0, -]  Turns the pending proxy at `index` into one of the instance that its
   initializer made, and takes over the reference (or the memory). False: no memory. */
bool wax_proxy_initialize(lua_State *L, int index, uint32_t kind, void *pointer, const void *type);

/* [state entered; -0, +0, -]  Whether there is a proxy that holds a reference to the object. */
bool wax_proxy_has_proxy(wax_lua_state *state, const void *object);

/* [state entered]  Releases what values that were never pushed own. */
void wax_proxy_buffer_discard(wax_lua_state *state, wax_lua_buffer *buffer);

/* [state entered; -0, +0, -]  Whether the proxy at `index` holds a copy of a property. */
bool wax_proxy_has_writeback_source(lua_State *L, int index);

/* [state entered]  Whether it is what the running call was made on, a value, and no code but that
   call's own function can have it. */
bool wax_proxy_is_own_receiver(const wax_proxy *proxy);

/* [state entered]  Whether the running call is of a function that keeps nothing: it makes no
   functions, either, and has no children. */
bool wax_proxy_call_keeps_nothing(void);

static inline bool wax_proxy_is_closure(uint32_t kind) {
  return kind == WAX_PROXY_KIND_CLOSURE || kind == WAX_PROXY_KIND_LENT_CLOSURE;
}

/* Whether Swift sees an object in proxies of this kind. */
static inline bool wax_proxy_is_object(uint32_t kind) {
  return kind == WAX_PROXY_KIND_OBJECT || kind == WAX_PROXY_KIND_SUPER;
}

/* Whether values of this kind that are to be pushed own what their proxy is to own. Objects are
   retained when they are pushed. */
static inline bool wax_proxy_owns(uint32_t kind) {
  return (kind != 0 && kind <= WAX_PROXY_KIND_ERROR) || wax_proxy_is_closure(kind);
}

/* [state entered; -0, +0, -]  Lets the table at `index` stand for the type, to Swift, and if
   `is_main` the type for the table, to Lua. False: it has no metatable, or there is no memory. */
bool wax_proxy_set_type_object(lua_State *L, int index, const void *type, bool is_main);

/* [state entered]  Puts the function by which the prelude says where a copy came from, (owner, key,
   copy) -> copy, into a global variable. False: no memory. */
bool wax_proxy_define_writeback(wax_lua_state *state, const char *name);

#endif
