/* SPDX-License-Identifier: MIT
 *
 * A method that the optimiser has removed: nothing to include.
 */
