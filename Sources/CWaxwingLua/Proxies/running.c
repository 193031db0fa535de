/* SPDX-License-Identifier: MIT
 *
 * Which Lua functions are running.
 */
#include "wax_proxy_running.h"

#include "wax_proxy.h"

/* [-0, +0, -]  Whether the first local variable of a running function is a proxy of the object. */
static bool is_on(lua_State *L, const lua_Debug *ar, const void *object) {
  if (!lua_getlocal(L, ar, 1)) return false;
  const wax_proxy *proxy = wax_proxy_to_proxy(L, -1);
  bool is_object =
      proxy && (wax_proxy_is_object(proxy->kind) || proxy->kind == WAX_PROXY_KIND_PENDING);
  bool found = is_object && proxy->pointer == object;
  lua_pop(L, 1);
  return found;
}

const void *wax_proxy_function_on(lua_State *L, const void *object, int *level) {
  lua_Debug ar;
  if (!lua_checkstack(L, 2)) return NULL;
  while (lua_getstack(L, (*level)++, &ar)) {
    if (!is_on(L, &ar, object)) continue;
    lua_getinfo(L, "f", &ar);
    const void *function = lua_topointer(L, -1);
    lua_pop(L, 1);
    return function;
  }
  return NULL;
}
