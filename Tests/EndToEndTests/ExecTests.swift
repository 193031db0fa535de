// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `waxwing exec`: a program that does not link Waxwing, with the engine in it.
@Suite struct ExecTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.directory.write(
      """
      local Ticker = class "tickd.Ticker"
      function Ticker:label(name, number) return self:ORIGlabel(name, number) .. " (patched)" end

      """, to: "label.lua")
  }

  /// Starts tickd and waits for its socket. Commands: `say LINE` types a line, and prints what it answers; `end`
  /// kills tickd, and `begin COMMAND…` starts it again; a file `err` has what the program has logged.
  private static func script(_ options: String, _ commands: String) -> String {
    """
    set -eu
    mkfifo in
    touch out err
    exec 3<>in
    export WAXWING_STATE_DIR=$PWD/state WAXWING_CONFIG_DIR=$PWD WAXWING_LOG_DIR=off
    trap 'kill $! 2>/dev/null || true' EXIT
    lines() { wc -l <out; }
    begin() {
      : >out
      "$@" <in >out 2>err &
      until [[ -S tickd.sock ]] && (($(lines) > 0)); do
        kill -0 $! || { cat err; exit 1; }
        sleep 0.02
      done
    }
    end() { kill -9 $!; wait $! 2>/dev/null || true; }
    begin waxwing exec \(options)
    \(Shell.say)
    \(commands)
    """
  }

  private func run(_ options: String, _ commands: String) throws -> String {
    let result = try shell.bash(Self.script(options, commands))
    expectSuccess(result)
    return result.standardOutput
  }

  @Test func `a library that is not the engine is refused, and the program does not start`() throws
  {
    let output = try shell.bash(
      """
      printf '\\x7fELF' >broken.so
      head -c 200000 "$(command -v tickd)" >half.so
      for file in /etc/passwd broken.so half.so "$(command -v tickd)" "$(command -v waxwing)" /nowhere.so; do
        waxwing exec --library "$file" --allow-unsigned tickd once 2>&1 && echo "started with $file"
        echo "exit $?"
      done | sed 's|[^ ]*/||'
      """
    ).standardOutput
    #expect(!output.contains("started with"), "\(output)")
    expectEqual(output.split(separator: "\n").count { $0.contains("is not the engine: ") }, 5)
    expectEqual(output.split(separator: "\n").count { $0 == "exit 3" }, 6)
    expectContains(output, "there is no library at")
  }

  @Test func `a program without a line of Waxwing is patched and restored`() throws {
    let output = try run(
      "--allow-unsigned tickd --port 80",
      """
      head -n 1 out
      say one
      waxwing apply label.lua 2>/dev/null
      say two
      waxwing list
      waxwing restore
      say three
      """)
    let played = output.replacing(#/pid \d+/#, with: "pid PID")
    expectEqual(
      played,
      """
      arguments: --port 80
      one 1
      applied label version 0 to tickd (pid PID): 1 override
        tickd.Ticker.label(_:_:)
      two 2 (patched)
      PATCH  VERSION  STATE   OVERRIDE                  CALLS  ERRORS
      label        0  active  tickd.Ticker.label(_:_:)      1       0
      restored baseline: 1 patch ended, 1 entry verified, 0 differences
      ended label
      three 3

      """)
  }

  @Test func `the listing of a file is checked, and is that of the process`() throws {
    let output = try run(
      "--allow-unsigned tickd",
      """
      tickd=$(command -v tickd)
      waxwing points $tickd --json >file
      waxwing points --program tickd --json >process
      for listing in file process; do
        jq -c '[.checked, (.points | length), (.points | map(select(.refused)) | length)]' $listing
        jq -c '.points | map([.selector, .refused, .opaque, .note])' $listing >$listing.points
      done
      cmp file.points process.points && echo same
      waxwing points $tickd label 2>&1
      """)
    let lines = output.split(separator: "\n").map(String.init)
    try #require(lines.count == 6, "\(output)")
    #expect(lines[at: 0] == lines[at: 1] && lines[at: 0].hasPrefix("[true,"), "\(output)")
    expectEqual(lines[at: 2], "same")
    expectEqual(lines[at: 5], "1 patch point, all can be overridden")
  }

  @Test func `what a file that is only read says of its functions holds when it runs`() throws {
    let output = try run(
      "--allow-unsigned tickd",
      """
      tickd=$(command -v tickd)
      waxwing points $tickd --static --patch >all.lua 2>/dev/null
      waxwing points $tickd --static 2>/dev/null | grep -A 1 '^!' >refused
      say one
      waxwing apply all.lua >/dev/null 2>&1
      say two
      waxwing list --json | jq -c '.patches[].overrides | map(select(.calls > 0 or .errors > 0) | [.selector, .calls, .errors])'
      waxwing restore | grep -o '0 differences'
      say three
      cat refused
      """)
    expectEqual(
      output,
      """
      one 1
      two 2
      [["init(name:number:)",1,0],["name.get",1,0],["text.get",1,0],["init(wrappedValue:)",1,0],["wrappedValue.get",1,0],\
      ["wrappedValue.set",1,0],["label(_:_:)",1,0],["tick(_:)",1,0]]
      0 differences
      three 3
      ! $s5tickd4LineV4nameSSvpfF  first value of var name: String
          cannot be overridden: the compiler made it, to give a wrapped property its first value: override the \
      initializer that assigns the property
      --
      ! tickd.Line.words.modify    var words: [String] { modify }
          cannot be overridden: `modify` is a coroutine or an addressor, not a function that returns: there is no \
      getter or setter to override; override the functions that use it, or write it with `get` and `set`
      ! tickd.Line.words.read      var words: [String] { read }
          cannot be overridden: `read` is a coroutine or an addressor, not a function that returns: there is no \
      getter or setter to override; override the functions that use it, or write it with `get` and `set`

      """)
  }

  /// Changes what `sale` prints by values of the program's types, a class, a conformance and the end of an object.
  private func writeSale() throws {
    try shell.directory.write(
      """
      local tickd = module "tickd"
      local Till, Crate = class "tickd.Till", class "tickd.Crate"
      function Till:sum(ware) return self:ORIGsum(ware) + 100 * ware.cents end
      local Free = class("Free", Till)
      function Free:sum(ware) return self.super:sum(ware) + 5000 end
      function tickd.makeTill() return Free(4) end
      conform(Crate, "Priced", { price = function() return 77 end })
      Till:deinit(function(till) tickd.closed(100 + till.number) end)

      """, to: "sale.lua")
  }

  @Test func `a kept patch does after a restart what it did before, and can be applied again`()
    throws
  {
    try writeSale()
    let output = try run(
      "--allow-unsigned tickd",
      """
      say sale
      waxwing apply --keep sale.lua >/dev/null 2>&1
      say sale
      end
      begin waxwing exec --allow-unsigned tickd
      say sale
      waxwing list --json | jq -c '[.patches[] | .name, ([.overrides[].errors] | add)]'
      waxwing restore | head -n 1
      say sale
      waxwing apply sale.lua 2>/dev/null | head -n 1 | sed 's/pid [0-9]*/pid PID/'
      say sale
      """)
    expectEqual(
      output,
      """
      13 20 0 closed 7
      6014 20 77 closed 107 7
      6014 20 77 closed 107 7
      ["sale",0]
      restored baseline: 1 patch ended, 5 entries verified, 0 differences
      13 20 0 closed 7
      applied sale version 0 to tickd (pid PID): 6 overrides
      6014 20 77 closed 107 7

      """)
  }

  @Test func `a patch of WAXWING_PATCHES knows the program's types`() throws {
    try writeSale()
    let output = try run(
      "--allow-unsigned tickd",
      """
      end
      WAXWING_PATCHES=$PWD/sale.lua begin waxwing exec --allow-unsigned tickd
      say sale
      """)
    expectEqual(output, "6014 20 77 closed 107 7\n")
  }

  @Test
  func
    `a patch that starts before the program's types are known is refused, and can be applied later`()
    throws
  {
    try writeSale()
    try shell.directory.write(
      """
      #include <stddef.h>
      void waxwing_preload_begin(_Bool must_listen, _Bool allows_unsigned, const char *instance);
      __attribute__((constructor)) static void early(void) { waxwing_preload_begin(0, 1, NULL); }

      """, to: "early.c")
    let folder = URL(fileURLWithPath: try BuiltProduct("waxwing").path).deletingLastPathComponent()
      .path
    let compiled = try Command(
      "clang",
      ["-shared", "-fPIC", "-o", "early.so", "early.c", "\(folder)/libWaxwingPreload.so"],
      directory: shell.path
    ).run()
    expectSuccess(compiled)
    let output = try run(
      "--allow-unsigned tickd",
      """
      waxwing apply --keep sale.lua >/dev/null 2>&1
      end
      folder=$(dirname "$(command -v waxwing)")
      libraries=$(ldd "$folder/tickd" | sed -n 's|.*=> \\(/.*\\)/libswiftCore.so .*|\\1|p')
      begin env LD_LIBRARY_PATH="$libraries" LD_PRELOAD="$folder/libWaxwingPreload.so $PWD/early.so" \
        WAXWING_PATCHES=$PWD/sale.lua "$folder/tickd"
      say sale
      waxwing status | sed -n 's/^  kept: sale version 0 ([0-9a-f]*), //p'
      grep -o 'start.refused: no patch of WAXWING_PATCHES is applied: sale.lua: the patch comes too early' err
      waxwing apply sale.lua >/dev/null 2>&1
      say sale
      """)
    expectEqual(
      output,
      """
      13 20 0 closed 7
      sale.lua: the patch comes too early: Swift's runtime does not know the types of `tickd` yet, because the \
      program's constructors have not run
      start.refused: no patch of WAXWING_PATCHES is applied: sale.lua: the patch comes too early
      6014 20 77 closed 107 7

      """)
  }

  @Test func `the program is this process: its exit code, and its environment for others`() throws {
    let output = try run(
      "--allow-unsigned tickd",
      """
      say '$ env | grep -cE "LD_PRELOAD|LD_LIBRARY_PATH|WAXWING_EXEC" || true'
      say '$ echo $PPID'
      echo $!
      waxwing list --json | jq .daemon.pid
      printf 'exit 5\\n' >&3
      wait $! && echo 0 || echo $?
      """)
    let lines = output.split(separator: "\n")
    try #require(lines.count == 5, "\(output)")
    expectEqual(lines[at: 0], "0")
    // Of the shell that `$ …` is run by, tickd is the parent.
    #expect(lines[at: 1] == lines[at: 2] && lines[at: 2] == lines[at: 3], "\(output)")
    expectEqual(lines[at: 4], "5")
  }

  @Test func `what was preloaded before is preloaded still, in what the program starts too`() throws
  {
    let output = try run(
      "--allow-unsigned tickd", "say '$ echo $LD_LIBRARY_PATH:$LD_PRELOAD'")
    expectEqual(output, ":\n")
    let shell = try Shell()
    let kept = try shell.bash(
      "cp /lib/x86_64-linux-gnu/libSegFault.so own.so 2>/dev/null || cp $(realpath /lib/x86_64-linux-gnu/libm.so.6) own.so\n"
        + "export LD_LIBRARY_PATH=/nowhere LD_PRELOAD=$PWD/own.so\n"
        + Self.script(
          "--allow-unsigned tickd", "say '$ echo $LD_LIBRARY_PATH:$LD_PRELOAD'"))
    expectSuccess(kept)
    #expect(kept.standardOutput == "/nowhere:\(shell.path)/own.so\n", "\(kept)")
  }

  @Test func `without the option patches have to be signed, and an instance has its own socket`()
    throws
  {
    let output = try run(
      "tickd",
      """
      waxwing apply label.lua 2>&1 && exit 1
      say one
      """)
    expectContains(output, "not signed")
    #expect(output.hasSuffix("one 1\n"), "\(output)")
    let other = try Shell()
    let named = try other.bash(
      "ln -s tickd@blue.sock tickd.sock\n"
        + Self.script(
          "--allow-unsigned --instance blue tickd",
          "waxwing daemons; say '$ env | grep -c WAXWING_INSTANCE || true'"))
    expectContains(named.standardOutput, "tickd@blue")
    #expect(named.standardOutput.hasSuffix("\n0\n"), "\(named)")
  }

  @Test func `a program whose engine cannot listen is not started`() throws {
    let result = try shell.bash(
      "WAXWING_SOCKET_DIR=/proc/nowhere waxwing exec --allow-unsigned tickd <<<one")
    expectEqual(result.status, .exited(1))
    #expect(result.standardOutput.isEmpty)
    expectContains(result.standardError, "waxwing: error: ")
    expectContains(result.standardError, "the program was not started")
  }

  @Test func `a service that preloads the library itself runs, whatever happens`() throws {
    let result = try shell.bash(
      """
      export LD_PRELOAD=$(dirname "$(command -v waxwing)")/libWaxwingPreload.so
      export LD_LIBRARY_PATH=$(ldd "$(command -v tickd)" | sed -n 's|.*=> \\(/.*\\)/libswiftCore.so .*|\\1|p')
      export WAXWING_LOG_DIR=off
      WAXWING_SOCKET_DIR=/proc/nowhere tickd <<<one
      """)
    #expect(result.status == .exited(0), "\(result)")
    #expect(result.standardOutput == "arguments: \none 1\n", "\(result)")
    expectContains(result.standardError, "the program runs without patches")
  }

  @Test func `what cannot be patched is refused, with the reason`() throws {
    let result = try shell.bash(
      """
      refused() { waxwing exec "$@" 2>&1 || echo "exit $?"; }
      folder=$(dirname "$(command -v waxwing)")
      refused ./nothing
      refused nothing
      cp "$folder/tickd" tickd; chmod -x tickd; refused ./tickd
      chmod 4755 tickd; refused ./tickd
      chmod 755 tickd; strip -s tickd; refused ./tickd
      LC_ALL=C sed 's|/lib64/ld-linux-|/lib64/ld-other-|' "$folder/tickd" >odd; chmod +x odd; refused ./odd
      printf '#!/bin/sh\\n' >script; chmod +x script; refused ./script
      refused /bin/true
      refused "$folder/bankd"
      refused --library nowhere.so tickd
      """)
    let text = result.standardOutput.replacing(shell.path, with: "FOLDER")
      .replacing(#/\/\S*\/(bankd)/#, with: { "BUILD/\($0.1)" })
    expectEqual(
      text,
      """
      waxwing: error: there is no ./nothing
      waxwing: hint: check the path
      exit 3
      waxwing: error: there is no program nothing in PATH
      exit 3
      waxwing: error: ./tickd may not be run by this user
      waxwing: hint: chmod +x ./tickd
      exit 3
      waxwing: error: ./tickd has rights of its own (set-user-ID, set-group-ID or capabilities): the loader \
      preloads nothing
      waxwing: hint: link Waxwing into it; see docs/adopting.md
      exit 3
      waxwing: error: ./tickd cannot be patched: the image is stripped: it has no .symtab, and its .dynsym \
      names no patch points
      waxwing: hint: use the unstripped build
      exit 3
      waxwing: error: ./odd does not use the loader of the GNU C library
      waxwing: hint: build it for Debian, or link Waxwing into it
      exit 3
      waxwing: error: ./script cannot be started with the engine: the file is a script, not an ELF image
      waxwing: hint: name the program's binary
      exit 3
      waxwing: error: /bin/true is no Swift program: it does not load libswiftCore.so
      exit 3
      waxwing: error: BUILD/bankd links Waxwing already
      waxwing: hint: start it as it is: it listens by itself
      exit 3
      waxwing: error: there is no library at nowhere.so
      waxwing: hint: leave --library out, or correct it
      exit 3

      """)
  }
}
