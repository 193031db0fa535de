/* SPDX-License-Identifier: MIT */

#include "wax_embedded.h"

/* SwiftPM can embed files, too, as literals of Swift, but compiling those took longer than
 * compiling any target of the engine. */

#pragma clang diagnostic ignored "-Wc23-extensions" /* #embed */

static const unsigned char waxwing_advice[] = {
#embed "waxwing/advice.lua"
};
static const unsigned char waxwing_async[] = {
#embed "waxwing/async.lua"
};
static const unsigned char waxwing_classes[] = {
#embed "waxwing/classes.lua"
};
static const unsigned char waxwing_captured[] = {
#embed "waxwing/captured.lua"
};
static const unsigned char waxwing_conform[] = {
#embed "waxwing/conform.lua"
};
static const unsigned char waxwing_coroutines[] = {
#embed "waxwing/coroutines.lua"
};
static const unsigned char waxwing_describe[] = {
#embed "waxwing/describe.lua"
};
static const unsigned char waxwing_patching[] = {
#embed "waxwing/patching.lua"
};
static const unsigned char waxwing_prelude[] = {
#embed "waxwing/prelude.lua"
};
static const unsigned char waxwing_selection[] = {
#embed "waxwing/selection.lua"
};
static const unsigned char waxwing_shell[] = {
#embed "waxwing/shell.lua"
};
static const unsigned char waxwing_listing[] = {
#embed "waxwing/listing.lua"
};
static const unsigned char library_aspects[] = {
#embed "library/aspects.lua"
};
static const unsigned char library_base64[] = {
#embed "library/base64.lua"
};
static const unsigned char library_bridge[] = {
#embed "library/bridge.lua"
};
static const unsigned char library_bus[] = {
#embed "library/bus.lua"
};
static const unsigned char library_guard[] = {
#embed "library/guard.lua"
};
static const unsigned char library_inspect[] = {
#embed "library/inspect.lua"
};
static const unsigned char library_json[] = {
#embed "library/json.lua"
};
static const unsigned char library_jspatch[] = {
#embed "library/jspatch.lua"
};
static const unsigned char library_mediator[] = {
#embed "library/mediator.lua"
};
static const unsigned char library_model[] = {
#embed "library/model.lua"
};
static const unsigned char library_notifier[] = {
#embed "library/notifier.lua"
};
static const unsigned char library_router[] = {
#embed "library/router.lua"
};
static const unsigned char library_signal[] = {
#embed "library/signal.lua"
};
static const unsigned char library_text[] = {
#embed "library/text.lua"
};
static const unsigned char library_time[] = {
#embed "library/time.lua"
};
static const unsigned char library_tracker[] = {
#embed "library/tracker.lua"
};
static const unsigned char library_wax[] = {
#embed "library/wax.lua"
};
static const unsigned char library_with[] = {
#embed "library/with.lua"
};
static const unsigned char meta_globals[] = {
#embed "meta/globals.lua"
};
static const unsigned char tools_instances[] = {
#embed "tools/instances.lua"
};
static const unsigned char tools_record[] = {
#embed "tools/record.lua"
};
static const unsigned char tools_debug[] = {
#embed "tools/debug.lua"
};
static const unsigned char tools_test[] = {
#embed "tools/test.lua"
};
static const unsigned char tools_trace[] = {
#embed "tools/trace.lua"
};

#define FILE_OF(folder, name)                                                                      \
  { #folder "/" #name, folder##_##name, sizeof folder##_##name }

// clang-format off
static const wax_embedded_file files[] = {
    FILE_OF(waxwing, advice),
    FILE_OF(waxwing, async),
    FILE_OF(waxwing, classes),
    FILE_OF(waxwing, captured),
    FILE_OF(waxwing, conform),
    FILE_OF(waxwing, coroutines),
    FILE_OF(waxwing, describe),
    FILE_OF(waxwing, patching),
    FILE_OF(waxwing, prelude),
    FILE_OF(waxwing, selection),
    FILE_OF(waxwing, shell),
    FILE_OF(waxwing, listing),
    FILE_OF(library, aspects),
    FILE_OF(library, base64),
    FILE_OF(library, bridge),
    FILE_OF(library, bus),
    FILE_OF(library, guard),
    FILE_OF(library, inspect),
    FILE_OF(library, json),
    FILE_OF(library, jspatch),
    FILE_OF(library, mediator),
    FILE_OF(library, model),
    FILE_OF(library, notifier),
    FILE_OF(library, router),
    FILE_OF(library, signal),
    FILE_OF(library, text),
    FILE_OF(library, time),
    FILE_OF(library, tracker),
    FILE_OF(library, wax),
    FILE_OF(library, with),
    FILE_OF(meta, globals),
    FILE_OF(tools, instances),
    FILE_OF(tools, record),
    FILE_OF(tools, debug),
    FILE_OF(tools, test),
    FILE_OF(tools, trace),
};
// clang-format on

const wax_embedded_file *wax_embedded_files(size_t *count) {
  *count = sizeof files / sizeof *files;
  return files;
}
