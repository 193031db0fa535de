// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import PlainFixture
import Testing
import Waxwing

extension EngineSuite {
  /// What is said of names that mean nothing.
  @Suite struct NameMessageTests {
    @Test(arguments: [
      "local E = class 'Waxwing.WaxwingEngine'\nfunction E.static:restore() end",
      "local E = class 'WaxwingCore.Session'\nfunction E.get:name() return 'x' end",
      "local E = class 'WaxwingScripting.ScriptRuntime'\nfunction E:close() end",
      "local E = module 'WaxwingScripting'\nfunction E.anything() end",
    ])
    func `the engine's own functions cannot be patched`(text: String) {
      expectEqual(refusal(text), "refused.lua:2: the engine's own functions cannot be patched")
    }

    @Test func `a name that is nearly right gets a suggestion and nothing else`() throws {
      #expect(
        try fault(of: "return module('Bank').Brnch").hasSuffix(
          "the module Bank has no type, function or variable `Brnch`; did you mean `Branch`?"))
      #expect(
        try fault(of: "return module('Bank').branchFe(1)").contains(
          "has no type, function or variable `branchFe`; did you mean `branchFee`"))
      #expect(
        try fault(of: "return Branch.Desk.State.takn").hasSuffix(
          "Bank.Branch.Desk.State has no member `takn`; did you mean `taken`?"))
      #expect(
        try fault(of: "return Branch.Dsk").hasSuffix("has no member `Dsk`; did you mean `Desk`?"))
      #expect(try fault(of: "return Branch.mtto").hasSuffix("did you mean `motto`?"))
      #expect(
        try fault(of: "Branch('a').charte = 'x'").hasSuffix(
          "Bank.Branch has no property `charte` that can be set; did you mean `charter`?"))
    }

    @Test func `what was inlined says that, and how to keep it`() throws {
      let method = "return class 'PlainFixture.InlinedScale'(5):zoomed()"
      let function = "return module('PlainFixture').squeezed(50)"
      #if DEBUG
        // Nothing uses them any more, but they are there.
        try expectEqual(evaluate(method), "50")
        try expectEqual(evaluate(function), "5")
      #else
        let member = try fault(of: method)
        #expect(member.contains("PlainFixture.InlinedScale has no member `zoomed`; if its source"))
        #expect(
          member.contains("it was inlined, stripped or never emitted: to keep it, build with"))
        #expect(member.contains("`-enable-testing`, or declare it `@_optimize(none)`, or `public`"))
        #expect(
          try fault(of: function).contains("`squeezed`; if its source has one, it was inlined"))
      #endif
      #expect(
        try fault(of: "return module('PlainFixture').absent()").contains(
          "`absent`; if its source has one, it was inlined"))
    }

    @Test func `a type without initializers says so`() throws {
      let message = try fault(of: "return class('Bank.Counter')()")
      #expect(
        message.contains("Bank.Counter has no initializer `init`; if its source has one, it was"),
        "\(message)")
    }

    @Test func `an override of what was inlined says that too`() throws {
      let message = refusal("class('Bank.Branch').zoomedAway = function() end")
      #expect(message.contains("`Bank.Branch` has no function `zoomedAway` that can be overridden"))
      #expect(message.contains("remove `@inlinable`, and make sure that something uses it"))
    }

    @Test(arguments: [
      (
        "class('Bank.Branch').charter",
        "`Bank.Branch.charter` is a stored property: the program reads its memory"
      ),
      (
        "class('Bank.Branch.Desk.State').free",
        "is an enum case, which is made without calling a function"
      ),
      ("class('Bank.Branch').static.opened", "is a stored static property"),
      ("class('Bank.Branch').static.get.motto", "is a stored static property"),
      ("class('Bank.Branch').super", "`super` is what the superclass has: write `self.super"),
      ("class('Bank.Branch').ORIGdescribe", "calls the original of `describe`"),
      (
        "class('Bank.Branch').Desk", "is a type, not a function: write `class \"Bank.Branch.Desk\"`"
      ),
      ("module('Bank').Branch", "is a type, not a function: write `class \"Bank.Branch\"`"),
      ("class('Bank.Branch').charte", "did you mean `charter`?"),
      ("class('Bank.Branch.Desk').withdraw", "did you mean `Bank.Account.withdraw(_:"),
      (
        "class('PlainFixture.PlainCounter').absent",
        "the module PlainFixture was not compiled with implicit dynamic"
      ),
      ("class('Bank.Branch').xyzzy", "; `waxwing points` lists what it has"),
    ])
    func `what is no function says what it is`(target: String, message: String) {
      let text = refusal("\(target) = function() end")
      #expect(text.contains(message), "\(text)")
      #expect(!text.contains("never emitted"))
    }

    @Test(arguments: [
      (
        ".get.lent", "it has no getter or setter with a replacement entry, only `modify` and `read`"
      ),
      (
        ".set.lent", "it has no getter or setter with a replacement entry, only `modify` and `read`"
      ),
      (".lent", "it has no getter or setter with a replacement entry, only `modify` and `read`"),
      (
        ".set.read",
        "`Bank.Unsupported.read` has no setter in this program: its source has none, or nothing calls it; its getter "
          + "is overridden as `Unsupported.get[\"read\"]`"
      ),
      (".read", "`Bank.Unsupported.read` is overridden as `Unsupported.get[\"read\"]`"),
    ])
    func `an accessor that is none says which ones there are`(member: String, message: String) {
      let text = refusal("class('Bank.Unsupported')\(member) = function() end")
      #expect(text.contains(message), "\(text)")
    }

    @Test func `what has no replacement entry in a module that has others says why`() {
      let inlinable = refusal("class('Bank.Shortcuts').inlinable = function() end")
      #expect(
        inlinable.contains(
          "cannot be overridden: it is `@inlinable` or `@_cdecl`, to which implicit dynamic gives no"
        ),
        "\(inlinable)")
      let made = refusal("class('Bank.Unsupported.Choice').get.hashValue = function() end")
      #expect(
        made.contains("the compiler made it") || made.contains("has no getter `hashValue`"),
        "\(made)")
      let plain = refusal("class('PlainFixture.PlainCounter').increment = function() end")
      #expect(!plain.contains("@inlinable"), "\(plain)")
    }

    @Test func `what cannot be set says so`() throws {
      #expect(
        try fault(of: "Branch.nothing = 5").hasSuffix(
          "Bank.Branch has no property `nothing` of its own that can be set, and an override is a "
            + "function, not a number"))
      #expect(
        try fault(of: "NumberFormatter().minimumIntegerDigits = 'x'").hasSuffix(
          "Foundation.NumberFormatter.minimumIntegerDigits is set: expected Int, got string \"x\""))
    }

    @Test func `a generic enum's cases are tables`() throws {
      #expect(
        try fault(of: "return Result.success(5)").hasSuffix(
          "Swift.Result is generic, so that its cases cannot be told from its name: where one is "
            + "expected, write a table: { case = \"success\", … }"))
    }

    @Test func `a constant of an enum is a copy of its own each time`() throws {
      let text = try evaluate(
        """
        local State = Branch.Desk.State
        local a, b = State.free, State.free
        return a == b, rawequal(a, b), State.taken == a
        """)
      expectEqual(text, "true false false")
    }
  }
}
