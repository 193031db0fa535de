/* SPDX-License-Identifier: MIT */

/* What `waxwing exec` tells the engine that it preloads, in the environment. */

#ifndef WAX_PROCESS_PRELOAD_H
#define WAX_PROCESS_PRELOAD_H

/* The variable that asks the engine to listen; its value says whether patches need a signature. */
#define WAX_PRELOAD_REQUEST "WAXWING_EXEC"
#define WAX_PRELOAD_UNSIGNED "unsigned"
#define WAX_PRELOAD_SIGNED "signed"

/* The variable with the name that distinguishes this process from others of the program, if it is
   to have one. */
#define WAX_PRELOAD_INSTANCE "WAXWING_EXEC_INSTANCE"

/* If it has changed LD_LIBRARY_PATH: what that was; empty: it was not set. */
#define WAX_PRELOAD_LIBRARY_PATH "WAXWING_EXEC_LIBRARY_PATH"

#endif
