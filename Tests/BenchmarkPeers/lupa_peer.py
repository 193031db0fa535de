# SPDX-License-Identifier: MIT
"""What lupa takes for the work of scripts/bench --peers.

Reads lines of work from standard input, with tabs between: a name, what each turn adds to the sum,
and Lua code. Code that returns a function of two numbers is called from here; code that gets an
object returns a function of a count, which uses the object so many times. Writes a line for each: the
name and the nanoseconds of one turn."""

import sys
import time

import lupa.lua54

LEAST_NANOSECONDS = 10_000_000


class Subject:
    """What Lua code uses: as the Swift class of the same name in BenchmarkFixture."""

    def __init__(self, runtime):
        self.stored = 7
        self._runtime = runtime
        self._short = "x" * 16
        self._numbers = list(range(1, 1001))

    def add(self, a, b):
        return a + b

    def short(self):
        return self._short

    def length(self, text):
        return len(text)

    def list(self):
        return self._runtime.table_from(self._numbers)

    def last(self, table):
        return list(table.values())[-1]

    def apply(self, function):
        return function(1)


def calls(function):
    """Calls from Python."""

    def run(count):
        total = 0
        for number in range(count):
            total += function(number, 2) - number
        return total

    return run


def measure(run, each):
    count = 100
    while True:
        start = time.perf_counter_ns()
        total = run(count)
        duration = time.perf_counter_ns() - start
        if total != count * each:
            raise ValueError(f"{total} instead of {count * each}")
        if duration >= LEAST_NANOSECONDS:
            return duration / count
        count *= 4


def main():
    for line in sys.stdin:
        name, each, code = line.rstrip("\n").split("\t")
        runtime = lupa.lua54.LuaRuntime()
        function = runtime.execute(code, Subject(runtime))
        run = calls(function) if code.startswith("return") else function
        print(f"{name}\t{measure(run, int(each))}", flush=True)


main()
