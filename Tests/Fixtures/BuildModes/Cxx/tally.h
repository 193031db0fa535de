// SPDX-License-Identifier: MIT

#ifndef TALLY_H
#define TALLY_H

#include <vector>

// Copied and destroyed by code of its own, and not moved by copying its bytes.
class Tally {
  std::vector<int> numbers;
  const Tally *self;

public:
  Tally() : self(this) {}
  Tally(const Tally &other) : numbers(other.numbers), self(this) {}
  ~Tally() { numbers.clear(); }
  void add(int number) { numbers.push_back(self == this ? number : -1000); }
  int sum() const {
    int sum = self == this ? 0 : -1000000;
    for (int number : numbers) sum += number;
    return sum;
  }
};

#endif
