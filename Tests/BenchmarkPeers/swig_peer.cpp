// SPDX-License-Identifier: MIT
//
// What a binding takes that SWIG has generated, for the work of scripts/bench --peers: lupa_peer.py
// says what is read and written. SWIG has nothing for calls from C++ into Lua.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

extern "C" {
#include <lauxlib.h>
#include <lualib.h>
int luaopen_peer(lua_State *L);
}

namespace {

constexpr double least_nanoseconds = 10e6;

void demand(bool is_true, lua_State *L, const char *what) {
  if (is_true) return;
  std::fprintf(stderr, "%s: %s\n", what, lua_tostring(L, -1));
  std::exit(1);
}

// Nanoseconds of one turn of the function on top.
double measure(lua_State *L, long each) {
  for (long count = 100;; count *= 4) {
    auto start = std::chrono::steady_clock::now();
    lua_pushvalue(L, -1);
    lua_pushinteger(L, count);
    demand(lua_pcall(L, 1, 1, 0) == LUA_OK, L, "the code has failed");
    std::chrono::duration<double, std::nano> duration = std::chrono::steady_clock::now() - start;
    demand(lua_tonumber(L, -1) == (double)(count * each), L, "a wrong sum");
    lua_pop(L, 1);
    if (duration.count() >= least_nanoseconds) return duration.count() / (double)count;
  }
}

double measure(const std::string &code, long each) {
  lua_State *L = luaL_newstate();
  if (!L) std::abort();
  luaL_openlibs(L);
  luaL_requiref(L, "peer", luaopen_peer, 1);
  demand(luaL_loadstring(L, code.c_str()) == LUA_OK, L, "the code does not compile");
  demand(luaL_dostring(L, "return peer.Subject()") == LUA_OK, L, "there is no object");
  demand(lua_pcall(L, 1, 1, 0) == LUA_OK, L, "the code has failed");
  double time = measure(L, each);
  lua_close(L);
  return time;
}

} // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    size_t first = line.find('\t'), second = line.find('\t', first + 1);
    std::string name = line.substr(0, first), code = line.substr(second + 1);
    if (code.rfind("return", 0) == 0) {
      std::printf("%s\t-\n", name.c_str());
    } else {
      std::printf("%s\t%f\n", name.c_str(), measure(code, std::atol(line.c_str() + first + 1)));
    }
    std::fflush(stdout);
  }
}
