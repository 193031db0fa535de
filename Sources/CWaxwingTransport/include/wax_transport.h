/* SPDX-License-Identifier: MIT */

/* One HTTP request at a time by libcurl, whose answer is read as it comes: for answers that do not
 * end. libcurl's own functions are variadic, which Swift cannot call.
 *
 * One thread uses a transport; any other may wake it. Nothing here calls back. */

#ifndef WAX_TRANSPORT_H
#define WAX_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wax_transport wax_transport;

/* The results of wax_transport_read besides numbers of bytes. */
enum {
  WAX_TRANSPORT_END = 0,     /* the answer is complete */
  WAX_TRANSPORT_LATE = -1,   /* nothing came in time */
  WAX_TRANSPORT_FAILED = -2, /* see wax_transport_error */
  WAX_TRANSPORT_WOKEN = -3,  /* by wax_transport_wake */
};

typedef struct wax_transport_request {
  const char *url;
  /* Sent by POST as JSON; copied. */
  const void *body;
  size_t body_size;
  /* The value of the header Authorization; NULL: none. */
  const char *authorization;
  /* The file of the certificates that the server's is signed with; NULL: the system's. */
  const char *authority;
  /* The files of the client's own certificate and of its key; NULL: it has none. */
  const char *certificate;
  const char *certificate_key;
  /* Whether the server is to end a stream when it has no leader. */
  bool needs_leader;
  long connect_milliseconds;
} wax_transport_request;

/* NULL: there is no memory, or libcurl cannot start. */
wax_transport *wax_transport_create(void);

/* Ends what goes on. NULL is allowed. */
void wax_transport_destroy(wax_transport *transport);

/* Begins a request, and drops the one before, whose connection is used again if it was read to its
 * end. */
bool wax_transport_start(wax_transport *transport, const wax_transport_request *request);

/* Takes what has come of the answer, or waits for it: for so long at most. */
long wax_transport_read(wax_transport *transport, void *buffer, size_t size, int milliseconds);

/* Lets the thread that reads, or reads next, return at once. Any thread may call it. */
void wax_transport_wake(wax_transport *transport);

/* The HTTP status; 0: no answer has begun. */
long wax_transport_status(const wax_transport *transport);

/* Whether a failed request certainly did not reach the server. */
bool wax_transport_never_sent(const wax_transport *transport);

/* Whether a request failed because the server's certificate is not signed by the authority, or is
 * for another name, or the authority's file cannot be read. */
bool wax_transport_distrusts(const wax_transport *transport);

/* Whether the server closed a new connection as soon as it was encrypted: with TLS 1.3 this is how
 * it refuses a client's certificate, or that there is none. Why it did is lost if the connection
 * was gone before it was read. */
bool wax_transport_was_shut_out(const wax_transport *transport);

/* Why the last request failed; valid until the next one begins. */
const char *wax_transport_error(const wax_transport *transport);

#endif
