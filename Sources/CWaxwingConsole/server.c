/* SPDX-License-Identifier: MIT */

#include "wax_console.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Places for all, and for those who have not shown the token: the rest is for those who have. On
 * the loopback interface all clients have one address, so that they are told apart by nothing else.
 */
enum { max_places = 128, max_strangers = 48, backlog = 128 };
/* Seconds from the connection to the end of a stranger's request, and between two of the others'.
 */
enum { stranger_seconds = 5, trusted_seconds = 30 };

/* A connection. */
typedef struct place {
  struct place *newer;
  struct place *older;
  int descriptor;
  int is_trusted;
  int is_closing;
  /* When it came, or, with the token, when it asked last. */
  time_t since;
} place;

struct wax_console_server {
  struct MHD_Daemon *daemon;
  wax_console_handler handler;
  void *context;
  uint16_t port;
  /* Browsers send the cookies of all ports of a host: each console has a name of its own. */
  char cookie[sizeof WAX_CONSOLE_COOKIE + 6];
  /* Guards what is below. */
  pthread_mutex_t lock;
  pthread_cond_t stopped;
  pthread_t sweeper;
  int is_stopped;
  place *newest;
  place *oldest;
  unsigned strangers;
};

struct wax_console_answer {
  unsigned status;
  struct MHD_Response *response;
  int is_trusted;
};

/* A request whose body arrives in pieces. */
typedef struct {
  uint8_t body[WAX_CONSOLE_MAX_BODY];
  size_t size;
  int is_too_large;
} incoming;

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

/* Lets libmicrohttpd's thread end a connection. Under the lock, so that the descriptor is still its
 * own. */
static void evict(wax_console_server *server, place *place) {
  if (!place->is_closing) {
    place->is_closing = 1;
    server->strangers -= !place->is_trusted;
    shutdown(place->descriptor, SHUT_RDWR);
  }
}

/* The stranger who came first makes room for the one who came last. */
static void make_room(wax_console_server *server) {
  for (place *place = server->oldest; place != NULL && server->strangers > max_strangers;
       place = place->newer) {
    if (!place->is_trusted) {
      evict(server, place);
    }
  }
}

static void enter(wax_console_server *server, struct MHD_Connection *connection, void **context) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  place *new = calloc(1, sizeof *new);
  *context = new;
  if (new == NULL || info == NULL) {
    free(new);
    *context = NULL;
    return;
  }
  new->descriptor = info->connect_fd;
  new->since = now();
  pthread_mutex_lock(&server->lock);
  new->older = server->newest;
  *(server->newest != NULL ? &server->newest->newer : &server->oldest) = new;
  server->newest = new;
  server->strangers++;
  make_room(server);
  pthread_mutex_unlock(&server->lock);
}

static void leave(wax_console_server *server, place *place) {
  pthread_mutex_lock(&server->lock);
  *(place->newer != NULL ? &place->newer->older : &server->newest) = place->older;
  *(place->older != NULL ? &place->older->newer : &server->oldest) = place->newer;
  server->strangers -= !place->is_trusted && !place->is_closing;
  pthread_mutex_unlock(&server->lock);
  free(place);
}

/* Is called by libmicrohttpd's thread, before the descriptor is closed. */
static void notice(void *context, struct MHD_Connection *connection, void **socket_context,
                   enum MHD_ConnectionNotificationCode code) {
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    enter(context, connection, socket_context);
  } else if (*socket_context != NULL) {
    leave(context, *socket_context);
    *socket_context = NULL;
  }
}

static void trust(wax_console_server *server, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  place *place = info != NULL ? info->socket_context : NULL;
  if (place == NULL) {
    return;
  }
  pthread_mutex_lock(&server->lock);
  if (!place->is_trusted && !place->is_closing) {
    place->is_trusted = 1;
    server->strangers--;
  }
  place->since = now();
  pthread_mutex_unlock(&server->lock);
}

/* Ends what takes too long, once a second: a header line now and then is no request. */
static void *sweep(void *context) {
  wax_console_server *server = context;
  pthread_mutex_lock(&server->lock);
  while (!server->is_stopped) {
    time_t time = now();
    for (place *place = server->oldest; place != NULL; place = place->newer) {
      if (time - place->since > (place->is_trusted ? trusted_seconds : stranger_seconds)) {
        evict(server, place);
      }
    }
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    next.tv_sec++;
    pthread_cond_timedwait(&server->stopped, &server->lock, &next);
  }
  pthread_mutex_unlock(&server->lock);
  return NULL;
}

void wax_console_trust(wax_console_answer *answer) { answer->is_trusted = 1; }

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
  if (answer.is_trusted) {
    trust(server, connection);
  } else if (answer.response != NULL) {
    add(answer.response, "Connection", "close");
  }
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
      listen(descriptor, backlog) != 0) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
  }
  *bound = ntohs(address.sin_port);
  return descriptor;
}

/* Starts the thread that sweeps. 0: there is none. */
static int start_sweeper(wax_console_server *server) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&server->lock, NULL);
  pthread_cond_init(&server->stopped, &attributes);
  pthread_condattr_destroy(&attributes);
  return pthread_create(&server->sweeper, NULL, sweep, server) == 0;
}

static void stop_sweeper(wax_console_server *server) {
  pthread_mutex_lock(&server->lock);
  server->is_stopped = 1;
  pthread_cond_signal(&server->stopped);
  pthread_mutex_unlock(&server->lock);
  pthread_join(server->sweeper, NULL);
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
  int is_swept = start_sweeper(server);
  /* From here on the socket is libmicrohttpd's, unless it does not start. */
  server->daemon =
      is_swept
          /* Not by select(), which takes no descriptor from 1024 on. */
          ? MHD_start_daemon(MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, handle, server,
                             MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_CONNECTION_LIMIT,
                             (unsigned)max_places, MHD_OPTION_CONNECTION_TIMEOUT,
                             (unsigned)trusted_seconds, MHD_OPTION_NOTIFY_COMPLETED, completed,
                             NULL, MHD_OPTION_NOTIFY_CONNECTION, notice, server, MHD_OPTION_END)
          : NULL;
  if (server->daemon == NULL) {
    if (is_swept) {
      stop_sweeper(server);
    }
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
  stop_sweeper(server);
  pthread_mutex_destroy(&server->lock);
  pthread_cond_destroy(&server->stopped);
  free(server);
}
