/* SPDX-License-Identifier: MIT */

#include "wax_console.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct wax_console_server {
  struct MHD_Daemon *daemon;
  wax_console_handler handler;
  void *context;
  uint16_t port;
  /* Browsers send the cookies of all ports of a host: each console has a name of its own. */
  char cookie[sizeof WAX_CONSOLE_COOKIE + 6];
};

struct wax_console_answer {
  unsigned status;
  struct MHD_Response *response;
};

/* A request whose body arrives in pieces. */
typedef struct {
  uint8_t body[WAX_CONSOLE_MAX_BODY];
  size_t size;
  int is_too_large;
} incoming;

static void add(struct MHD_Response *response, const char *name, const char *value) {
  if (value != NULL) {
    (void)MHD_add_response_header(response, name, value);
  }
}

/* Nothing from elsewhere is loaded, nobody may frame the page, and nothing stays in a cache. */
static void protect(struct MHD_Response *response) {
  add(response, "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
      "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
  add(response, "X-Content-Type-Options", "nosniff");
  add(response, "X-Frame-Options", "DENY");
  add(response, "Referrer-Policy", "no-referrer");
  add(response, "Cross-Origin-Resource-Policy", "same-origin");
  add(response, "Cross-Origin-Opener-Policy", "same-origin");
  add(response, "Cache-Control", "no-store");
}

void wax_console_reply(wax_console_answer *answer, unsigned status, const char *content_type,
                       const uint8_t *body, size_t size, const char *cookie, const char *location) {
  /* libmicrohttpd copies; its parameter is not const for the sake of other modes. */
  struct MHD_Response *response =
      MHD_create_response_from_buffer(size, (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY);
  if (response == NULL) {
    return;
  }
  add(response, "Content-Type", content_type);
  add(response, "Set-Cookie", cookie);
  add(response, "Location", location);
  protect(response);
  if (answer->response != NULL) {
    MHD_destroy_response(answer->response);
  }
  answer->status = status;
  answer->response = response;
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, wax_console_answer *answer) {
  if (answer->response == NULL) {
    wax_console_reply(answer, 500, "text/plain; charset=utf-8", NULL, 0, NULL, NULL);
  }
  if (answer->response == NULL) {
    return MHD_NO;
  }
  enum MHD_Result sent = MHD_queue_response(connection, answer->status, answer->response);
  MHD_destroy_response(answer->response);
  return sent;
}

static void collect(incoming *request, const char *data, size_t size) {
  if (request->is_too_large || size > sizeof request->body - request->size) {
    request->is_too_large = 1;
    return;
  }
  memcpy(request->body + request->size, data, size);
  request->size += size;
}

static enum MHD_Result answer_to(wax_console_server *server, struct MHD_Connection *connection,
                                 const char *path, const char *method, const incoming *received) {
  wax_console_answer answer = {0};
  if (received->is_too_large) {
    static const char text[] = "the request is too large\n";
    wax_console_reply(&answer, 413, "text/plain; charset=utf-8", (const uint8_t *)text,
                      sizeof text - 1, NULL, NULL);
    return send_answer(connection, &answer);
  }
  wax_console_request request = {
      .method = method,
      .path = path,
      .host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
      .origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"),
      .fetch_site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site"),
      .content_type = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Type"),
      .cookie = MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, server->cookie),
      .token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token"),
      .proof = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Waxwing-Token"),
      .body = received->body,
      .body_size = received->size,
  };
  server->handler(server->context, &request, &answer);
  return send_answer(connection, &answer);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state) {
  (void)version;
  if (*state == NULL) {
    *state = calloc(1, sizeof(incoming));
    return *state != NULL ? MHD_YES : MHD_NO;
  }
  if (*size > 0) {
    collect(*state, data, *size);
    *size = 0;
    return MHD_YES;
  }
  return answer_to(context, connection, path, method, *state);
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code) {
  (void)context, (void)connection, (void)code;
  free(*state);
  *state = NULL;
}

/* A socket that listens on the loopback interface; -1, with errno, if there is none. */
static int listen_on(uint16_t port, uint16_t *bound) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) {
    return -1;
  }
  int on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(descriptor, (struct sockaddr *)&address, size) != 0 ||
      getsockname(descriptor, (struct sockaddr *)&address, &size) != 0 ||
      listen(descriptor, 16) != 0) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
  }
  *bound = ntohs(address.sin_port);
  return descriptor;
}

wax_console_server *wax_console_start(uint16_t port, wax_console_handler handler, void *context) {
  wax_console_server *server = calloc(1, sizeof *server);
  if (server == NULL) {
    return NULL;
  }
  server->handler = handler;
  server->context = context;
  int descriptor = listen_on(port, &server->port);
  if (descriptor < 0) {
    int error = errno;
    free(server);
    errno = error;
    return NULL;
  }
  (void)snprintf(server->cookie, sizeof server->cookie, "%s-%u", WAX_CONSOLE_COOKIE,
                 (unsigned)server->port);
  /* From here on the socket is libmicrohttpd's, unless it does not start. */
  server->daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle, server, MHD_OPTION_LISTEN_SOCKET,
      descriptor, MHD_OPTION_CONNECTION_LIMIT, 64u, MHD_OPTION_CONNECTION_TIMEOUT, 30u,
      MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_END);
  if (server->daemon == NULL) {
    close(descriptor);
    free(server);
    errno = ENOMEM;
    return NULL;
  }
  return server;
}

uint16_t wax_console_port(const wax_console_server *server) { return server->port; }

void wax_console_stop(wax_console_server *server) {
  MHD_stop_daemon(server->daemon);
  free(server);
}
