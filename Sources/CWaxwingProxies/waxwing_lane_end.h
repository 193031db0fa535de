/* SPDX-License-Identifier: MIT
 *
 * The end of a call in a lane, where proxies are concerned: inlined, as what is in waxwing_turn.h.
 */
#ifndef WAXWING_LANE_END_H
#define WAXWING_LANE_END_H

#include "waxwing_proxy.h"
#include "waxwing_turn.h"

/* Whether what is made now is let go when the running call ends: see waxwing_seen.c. */
static inline bool waxwing_dies_with_call(const waxwing_state *state) {
  waxwing_lane *lane = waxwing_running_lane(state);
  return lane && lane->drops_proxies;
}

/* What was lent to the lane's call is nobody's again. */
static inline void waxwing_end_lent(waxwing_lane *lane) {
  while (lane->lent_count) {
    waxwing_proxy *proxy = lane->lent[--lane->lent_count];
    proxy->kind = 0;
    proxy->pointer = NULL;
  }
}

/* waxwing_lane_release, of a lane whose buffer is empty. */
static inline void waxwing_give_back_lane(waxwing_lane *lane) {
  waxwing_state *state = lane->state;
  bool is_plain = waxwing_transients == lane->transients_mark && !lane->seen &&
                  !lane->shared_count && !lane->is_broken && !lane->keeps_receiver &&
                  !state->has_explicit && state->idle_lane_count < WAXWING_MOST_IDLE_LANES &&
                  state->new_edges <= state->edge_quota;
  if (__builtin_expect(!is_plain, 0)) {
    waxwing_lane_release(lane);
    return;
  }
  waxwing_end_lent(lane);
  lane->drops_proxies = false;
  waxwing_end_lane(lane);
  waxwing_settle_lane(lane);
  lane->next = state->idle_lanes;
  state->idle_lanes = lane;
  state->idle_lane_count++;
}

#endif
