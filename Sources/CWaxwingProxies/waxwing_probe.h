/* SPDX-License-Identifier: MIT
 *
 * Which of the objects that some states alone hold a state can reach.
 */
#ifndef WAXWING_PROBE_H
#define WAXWING_PROBE_H

#include "waxwing_graph.h"

/* Says on which closed objects Lua values hang. Returns how many have some of their own. */
size_t waxwing_find_leads(waxwing_graph *graph);

/* Whether a cycle may go through two states: an object that one of them holds leads to the other.
 */
bool waxwing_has_crossings(const waxwing_graph *graph);

/* Nothing that is reached has been found to lead to it. What is alive is anchored as ever, and all
   that it leads to. */
static inline bool waxwing_is_doubtful(const waxwing_node *node) {
  return node->leads && !node->is_alive;
}

/* [-0, +0, e]  The doubtful objects whose proxies the state can reach are alive. The collector must
   stand still but for this. After an error waxwing_untie_all is to be called. */
void waxwing_probe(lua_State *L, waxwing_graph *graph, waxwing_members member);
/* [-0, +0, -]  Gives tied proxies their own metatables back. */
void waxwing_untie_all(lua_State *L, waxwing_graph *graph);

/* [-0, +0, e]  The state's proxies of what is still doubtful let go of it, once the state is left.
 */
void waxwing_let_go(lua_State *L, const waxwing_graph *graph, waxwing_members member);

#endif
