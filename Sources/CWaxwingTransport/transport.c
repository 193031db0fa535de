/* SPDX-License-Identifier: MIT */

#include "wax_transport.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* No answer that is read here is larger. */
#define MAX_PENDING ((size_t)64 << 20)

struct wax_transport {
  CURLM *multi;
  CURL *easy;
  struct curl_slist *headers;
  char *body;
  /* What has come and was not taken: `count` bytes from `start` on. */
  char *pending;
  size_t start, count, capacity;
  bool is_running, is_done;
  CURLcode result;
  /* Set by any thread. */
  atomic_bool is_woken;
  char message[CURL_ERROR_SIZE];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_ready;

static void start_library(void) { is_ready = curl_global_init(CURL_GLOBAL_DEFAULT) == 0; }

static size_t take(char *bytes, size_t unit, size_t number, void *context) {
  wax_transport *transport = context;
  size_t size = unit * number;
  if (transport->count == 0) transport->start = 0;
  size_t end = transport->start + transport->count;
  if (size > MAX_PENDING - end) return 0;
  if (end + size > transport->capacity) {
    size_t capacity = transport->capacity == 0 ? 16384 : transport->capacity;
    while (capacity < end + size) capacity *= 2;
    char *larger = realloc(transport->pending, capacity);
    if (larger == NULL) return 0;
    transport->pending = larger;
    transport->capacity = capacity;
  }
  memcpy(transport->pending + end, bytes, size);
  transport->count += size;
  return size;
}

wax_transport *wax_transport_create(void) {
  pthread_once(&once, start_library);
  if (!is_ready) return NULL;
  wax_transport *transport = calloc(1, sizeof *transport);
  if (transport == NULL) return NULL;
  transport->multi = curl_multi_init();
  transport->easy = curl_easy_init();
  if (transport->multi == NULL || transport->easy == NULL) {
    wax_transport_destroy(transport);
    return NULL;
  }
  return transport;
}

/* Ends the request that goes on, if there is one. */
static void stop(wax_transport *transport) {
  if (transport->is_running) curl_multi_remove_handle(transport->multi, transport->easy);
  transport->is_running = false;
  curl_slist_free_all(transport->headers);
  transport->headers = NULL;
  free(transport->body);
  transport->body = NULL;
  transport->start = transport->count = 0;
}

void wax_transport_destroy(wax_transport *transport) {
  if (transport == NULL) return;
  stop(transport);
  if (transport->easy != NULL) curl_easy_cleanup(transport->easy);
  if (transport->multi != NULL) curl_multi_cleanup(transport->multi);
  free(transport->pending);
  free(transport);
}

static bool add_header(wax_transport *transport, const char *text) {
  struct curl_slist *longer = curl_slist_append(transport->headers, text);
  if (longer == NULL) return false;
  transport->headers = longer;
  return true;
}

static bool add_headers(wax_transport *transport, const wax_transport_request *request) {
  if (!add_header(transport, "Content-Type: application/json")) return false;
  /* Without this, libcurl waits for an answer before it sends a large body. */
  if (!add_header(transport, "Expect:")) return false;
  if (request->needs_leader && !add_header(transport, "Grpc-Metadata-hasleader: true"))
    return false;
  if (request->authorization == NULL) return true;
  const char *name = "Authorization: ";
  size_t size = strlen(name) + strlen(request->authorization) + 1;
  char *line = malloc(size);
  if (line == NULL) return false;
  strcpy(line, name);
  strcat(line, request->authorization);
  bool is_added = add_header(transport, line);
  free(line);
  return is_added;
}

bool wax_transport_start(wax_transport *transport, const wax_transport_request *request) {
  stop(transport);
  CURL *easy = transport->easy;
  curl_easy_reset(easy);
  transport->is_done = false;
  transport->result = CURLE_OK;
  transport->message[0] = 0;
  transport->body = malloc(request->body_size + 1);
  if (transport->body == NULL || !add_headers(transport, request)) return false;
  memcpy(transport->body, request->body, request->body_size);
  curl_easy_setopt(easy, CURLOPT_URL, request->url);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transport->body);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transport->headers);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transport->message);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, transport);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, 10L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, 5L);
  if (request->authority != NULL) curl_easy_setopt(easy, CURLOPT_CAINFO, request->authority);
  if (request->certificate != NULL) {
    curl_easy_setopt(easy, CURLOPT_SSLCERT, request->certificate);
    curl_easy_setopt(easy, CURLOPT_SSLKEY, request->certificate_key);
  }
  if (curl_multi_add_handle(transport->multi, easy) != CURLM_OK) return false;
  transport->is_running = true;
  return true;
}

static long taken(wax_transport *transport, void *buffer, size_t size) {
  size_t count = transport->count < size ? transport->count : size;
  memcpy(buffer, transport->pending + transport->start, count);
  transport->start += count;
  transport->count -= count;
  return (long)count;
}

/* Looks whether the request has ended. */
static void settle(wax_transport *transport) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(transport->multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    transport->is_done = true;
    transport->result = message->data.result;
  }
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

long wax_transport_read(wax_transport *transport, void *buffer, size_t size, int milliseconds) {
  long long end = now() + milliseconds;
  while (true) {
    if (transport->count > 0) return taken(transport, buffer, size);
    if (transport->is_done) {
      return transport->result == CURLE_OK ? WAX_TRANSPORT_END : WAX_TRANSPORT_FAILED;
    }
    if (!transport->is_running) return WAX_TRANSPORT_FAILED;
    if (atomic_exchange(&transport->is_woken, false)) return WAX_TRANSPORT_WOKEN;
    int running = 0;
    if (curl_multi_perform(transport->multi, &running) != CURLM_OK) return WAX_TRANSPORT_FAILED;
    settle(transport);
    if (transport->count > 0 || transport->is_done) continue;
    long long left = end - now();
    if (left <= 0) return WAX_TRANSPORT_LATE;
    if (curl_multi_poll(transport->multi, NULL, 0, left > 1000 ? 1000 : (int)left, NULL) !=
        CURLM_OK) {
      return WAX_TRANSPORT_FAILED;
    }
  }
}

void wax_transport_wake(wax_transport *transport) {
  atomic_store(&transport->is_woken, true);
  curl_multi_wakeup(transport->multi);
}

long wax_transport_status(const wax_transport *transport) {
  long status = 0;
  curl_easy_getinfo(transport->easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

bool wax_transport_never_sent(const wax_transport *transport) {
  switch (transport->result) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return true;
    default: return false;
  }
}

bool wax_transport_distrusts(const wax_transport *transport) {
  switch (transport->result) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR: return true;
    default: return false;
  }
}

bool wax_transport_was_shut_out(const wax_transport *transport) {
  switch (transport->result) {
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR: break;
    default: return false;
  }
  long connections = 0;
  curl_off_t handshake = 0, bytes = 0;
  curl_easy_getinfo(transport->easy, CURLINFO_NUM_CONNECTS, &connections);
  curl_easy_getinfo(transport->easy, CURLINFO_APPCONNECT_TIME_T, &handshake);
  curl_easy_getinfo(transport->easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
  return connections > 0 && handshake > 0 && bytes == 0 && wax_transport_status(transport) == 0;
}

const char *wax_transport_error(const wax_transport *transport) {
  if (transport->message[0] != 0) return transport->message;
  if (transport->result != CURLE_OK) return curl_easy_strerror(transport->result);
  return "libcurl cannot begin the request";
}
