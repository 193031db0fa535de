/* SPDX-License-Identifier: MIT
 *
 * Which of the objects that some states alone hold a state can reach.
 */
#ifndef WAX_PROXY_PROBE_H
#define WAX_PROXY_PROBE_H

#include "wax_proxy_graph.h"

/* Says on which closed objects Lua values hang. Returns how many have some of their own. */
size_t wax_proxy_find_leads(wax_proxy_graph *graph);

/* Whether a cycle may go through two states: an object that one of them holds leads to the other.
 */
bool wax_proxy_has_crossings(const wax_proxy_graph *graph);

/* Whether no reached node has been found to lead to it. A living node is anchored as always, and so
   are all nodes that it leads to. */
static inline bool wax_proxy_is_doubtful(const wax_proxy_node *node) {
  return node->leads && !node->is_alive;
}

/* [-0, +0, e]  The doubtful objects whose proxies the state can reach are alive. The collector must
   stand still but for this. After an error wax_proxy_untie_all is to be called. */
void wax_proxy_probe(lua_State *L, wax_proxy_graph *graph, wax_proxy_states_mask member);
/* [-0, +0, -]  Gives tied proxies their own metatables back. */
void wax_proxy_untie_all(lua_State *L, wax_proxy_graph *graph);

/* [-0, +0, e]  The state's proxies of what is still doubtful let go of it, once the state is left.
 */
void wax_proxy_let_go(lua_State *L, const wax_proxy_graph *graph, wax_proxy_states_mask member);

#endif
