/* SPDX-License-Identifier: MIT */
#include <microhttpd.h>
