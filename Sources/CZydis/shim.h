/* SPDX-License-Identifier: MIT */
#include <Zydis/Zydis.h>
