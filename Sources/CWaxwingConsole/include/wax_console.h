/* SPDX-License-Identifier: MIT */

#ifndef WAX_CONSOLE_H
#define WAX_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

/* The web server of `waxwing-fleet console`: libmicrohttpd on a port of the loopback interface,
 * with one thread of its own. What is answered, and to whom, is decided in Swift. */

/* Larger requests are answered with 413 before anybody is asked. */
#define WAX_CONSOLE_MAX_BODY 4096

/* A request. A header or an argument that it does not have is NULL. Valid during the call. */
typedef struct {
  const char *method;
  const char *path;
  const char *host;         /* Host */
  const char *origin;       /* Origin */
  const char *fetch_site;   /* Sec-Fetch-Site */
  const char *content_type; /* Content-Type */
  const char *cookie;       /* the cookie of this server */
  const char *token;        /* the argument `token` behind the question mark */
  const char *proof;        /* X-Waxwing-Token */
  const uint8_t *body;
  size_t body_size;
} wax_console_request;

/* The name of the cookie, without `-PORT`. */
#define WAX_CONSOLE_COOKIE "waxwing-console"

/* An answer, which the function that is asked fills by wax_console_reply. */
typedef struct wax_console_answer wax_console_answer;

/* Copies the body. `cookie` and `location` may be NULL: values of Set-Cookie and Location. The last
 * call counts; without one the answer is 500. */
void wax_console_reply(wax_console_answer *answer, unsigned status, const char *content_type,
                       const uint8_t *body, size_t size, const char *cookie, const char *location);

/* Says that whoever asks has the token: the connection keeps its place. Others give theirs to newer
 * ones when there are too many, and are closed after a request, or after some seconds without one.
 */
void wax_console_trust(wax_console_answer *answer);

/* Is called on the server's thread. */
typedef void (*wax_console_handler)(void *context, const wax_console_request *request,
                                    wax_console_answer *answer);

typedef struct wax_console_server wax_console_server;

/* Serves on 127.0.0.1; port 0 stands for any free one. NULL, with errno, if that is not possible.
 */
wax_console_server *wax_console_start(uint16_t port, wax_console_handler handler, void *context);

/* The port it serves on. */
uint16_t wax_console_port(const wax_console_server *server);

/* Ends the server. No handler runs any more when it returns. */
void wax_console_stop(wax_console_server *server);

/* A file of the page: its bytes, or NULL if there is none of that name. */
const uint8_t *wax_console_file(const char *name, size_t *size);

#endif
