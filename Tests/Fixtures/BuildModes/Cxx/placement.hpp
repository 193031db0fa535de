// SPDX-License-Identifier: MIT

#pragma once

#include <stdlib.h>
#include <string.h>

/// Knows where it is, and ends the program if it was moved by its bytes.
struct Placed {
  int number;
  explicit Placed(int n) : number(n), here(this) { ++count(); }
  Placed(const Placed &other) : number(other.value()), here(this) { ++count(); }
  Placed &operator=(const Placed &other) {
    number = other.value();
    return *this;
  }
  ~Placed() {
    value();
    --count();
    here = nullptr;
  }
  int value() const {
    if (here != this)
      abort();
    return number;
  }
  static int alive() { return count(); }

private:
  const Placed *here;
  static int &count() {
    static int number = 0;
    return number;
  }
};

/// Has its text in memory of its own, which changes without the bytes of the object.
struct Text {
  Text() : text(strdup("text")) {}
  Text(const Text &other) : text(strdup(other.text)) {}
  Text &operator=(const Text &) = delete;
  ~Text() { free(text); }
  void set(int index, char character) { text[index] = character; }
  char at(int index) const { return text[index]; }

private:
  char *text;
};
