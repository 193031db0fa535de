/* SPDX-License-Identifier: MIT
 *
 * A method that the optimiser has removed.
 */
#ifndef REMOVED_FIXTURE_H
#define REMOVED_FIXTURE_H

/* Does nothing: calling it keeps the linker from dropping the method. */
void removed_fixture_keep(void);

#endif
