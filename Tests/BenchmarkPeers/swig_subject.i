// SPDX-License-Identifier: MIT

%module peer
%include <std_string.i>
%include <typemaps.i>
%include <lua_fnptr.i>

%apply (long *INPUT, int) { (long *numbers, int count) };
%apply (long OUTPUT[ANY]) { (long numbers[1000]) };
%rename("short") Subject::short_text;

%inline %{
// What Lua code uses: as the Swift class of the same name in BenchmarkFixture.
class Subject {
public:
  long stored = 7;

  Subject() {
    for (int i = 0; i < 1000; i++) numbers_[i] = i + 1;
  }

  long add(long a, long b) { return a + b; }
  std::string short_text() { return short_; }
  int length(const std::string &text) { return (int)text.size(); }
  long last(long *numbers, int count) { return count ? numbers[count - 1] : 0; }

  void list(long numbers[1000]) { memcpy(numbers, numbers_, sizeof numbers_); }

  long apply(SWIGLUA_FN function) {
    SWIGLUA_FN_GET(function);
    lua_pushinteger(function.L, 1);
    lua_call(function.L, 1, 1);
    long result = lua_tointeger(function.L, -1);
    lua_pop(function.L, 1);
    return result;
  }

private:
  std::string short_ = std::string(16, 'x');
  long numbers_[1000];
};
%}
