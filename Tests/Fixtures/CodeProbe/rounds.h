/* SPDX-License-Identifier: MIT */

#ifndef ROUNDS_H
#define ROUNDS_H

#include "code_probe.h"

/* What an override adds. */
#define ADDED 1000000

/* What was wrong, as text that stays. */
const char *probe_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

typedef struct probe_override {
  wax_runtime_slot *slot;
  wax_runtime_layer *layer;
} probe_override;

/* An override of a case that calls the original. Its switch is on. */
wax_runtime_claim probe_install(size_t index, probe_override *result);
wax_runtime_restore probe_remove(probe_override *override);

/* The index of a case by its name. */
size_t probe_case_named(const char *name);

/* Runs in a child that is forked; NULL, or what was wrong there. */
const char *probe_in_child(const char *(*body)(void *), void *context);

/* A child that is ended by a signal; its number, 0 if it ends by itself. */
int probe_signal_of_child(const char *(*body)(void *), void *context);

#endif
