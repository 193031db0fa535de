// SPDX-License-Identifier: MIT

import EngineTestSupport
import Expectations
import PlainFixture
import Testing
import Waxwing

@testable import Bank

extension EngineSuite {
  /// Types, modules and members by their Swift names.
  @Suite struct NamesTests {
    // MARK: Faces

    @Test func `a type is a global, by itself or in its module`() throws {
      let text = try evaluate(
        """
        local Bank = module "Bank"
        return Branch == class "Bank.Branch", Bank.Branch == Branch, Branch.Desk == class "Branch.Desk",
          Branch, Bank.Branch.Desk.State, Bank
        """)
      expectEqual(text, "true true true Bank.Branch Bank.Branch.Desk.State Bank")
    }

    @Test func `a global of the script comes before a type`() throws {
      try expectEqual(evaluate("Branch = 12 return Branch"), "12")
    }

    @Test func `an unknown name with a capital is an error with the nearest types`() throws {
      #expect(
        try fault(of: "return Brnch").contains("undefined variable `Brnch`; did you mean `Branch`?")
      )
      #expect(try fault(of: "return module('Bank').Brnch").contains("the module Bank has no"))
    }

    @Test func `a name that several modules have is refused with the candidates`() throws {
      let message = try fault(of: "return NamesTwin")
      #expect(message.contains("`NamesTwin` is ambiguous; write one of:"))
      #expect(message.contains("Bank.NamesTwin") && message.contains("PlainFixture.NamesTwin"))
      let text = try evaluate("return class 'Bank.NamesTwin', PlainFixture.NamesTwin")
      expectEqual(text, "Bank.NamesTwin PlainFixture.NamesTwin")
    }

    @Test func `a name that is a module's and a type's is refused`() throws {
      let message = try fault(of: "return Bank")
      #expect(message.contains("`Bank` is ambiguous; write one of:"))
      #expect(message.contains("class \"bankd.Bank\"") && message.contains("module \"Bank\""))
    }

    // MARK: Instances

    @Test func `calling a type object makes an instance`() throws {
      let text = try evaluate(
        """
        return Branch("north"):describe(), Branch(7).charter, HeadOffice("south"):describe(),
          Branch.init_number(3).charter, Branch["init(charter:)"]("east").charter,
          Branch.Desk(4).number, Branch.Desk:init(5).number
        """)
      expectEqual(text, "branch north no. 7 head office south no. 3 east 4 5")
    }

    @Test func `a convenience initializer that is inherited makes one of the subclass`() throws {
      try expectEqual(evaluate("return HeadOffice(9):describe()"), "head office no. 9")
    }

    @Test func `a failable initializer gives nil, a throwing one an error`() throws {
      let text = try evaluate(
        """
        local ok, message = pcall(BranchLicense.init_strict, "")
        return BranchLicense.init_checked(""), BranchLicense.init_checked("a").text, ok, message,
          BranchLicense.init_strict("b").text
        """)
      expectEqual(text, "nil checked a false empty strict b")
      let message = try fault(of: "return BranchLicense('a')")
      #expect(message.contains("`Bank.BranchLicense` is ambiguous for (string \"a\")"))
    }

    // MARK: Static members

    @Test func `static and class methods are called with a dot or a colon`() throws {
      let text = try evaluate(
        """
        local a, b = Branch("a"), Branch("b")
        return Branch.merge(a, b), Branch:merge(b, a), Branch.merge_with(a, b), Branch.open("c"):describe(),
          HeadOffice.open("d"):describe(), HeadOffice:open("e"):describe(), Branch.Desk.standard().number
        """)
      expectEqual(text, "a+b b+a a+b branch c head office d head office e 7")
    }

    @Test func `static properties are read and written`() throws {
      Branch.opened = 3
      let text = try evaluate(
        """
        local before = Branch.opened
        Branch.opened = before + 1
        HeadOffice.opened = Branch.opened + 1
        return before, Branch.opened, Branch.motto, Branch.rank, HeadOffice.rank
        """)
      expectEqual(text, "3 5 ad astra branch head office")
      expectEqual(Branch.opened, 5)
      #expect(try fault(of: "Branch.motto = 'x'").contains("Bank.Branch.motto cannot be set"))
    }

    @Test func `free functions and global variables of a module`() throws {
      branchLimit = 12
      let text = try evaluate(
        """
        local Bank = module "Bank"
        return Bank.branchLimit, Bank.branchFee(1), Bank.branchDiscount
        """)
      expectEqual(text, "12 13 0")
      let discounted = try evaluate(
        "local Bank = module 'Bank' Bank.branchDiscount = 3 return Bank.branchDiscount")
      #expect(discounted == "3" && branchDiscount == 3)
      branchDiscount = 0
      let message = try fault(of: "module('Bank').branchLimit = 20")
      #expect(message.contains("Bank.branchLimit cannot be set"))
    }

    @Test func `an instance's method is called through its type`() throws {
      try expectEqual(
        evaluate("return Branch.describe(HeadOffice('a')), Branch.added(Branch('b'))"),
        "branch a added to b")
    }

    // MARK: Members of instances

    @Test func `a method is the one of the instance's own class`() throws {
      let text = try evaluate(
        """
        local office = HeadOffice("a")
        return office:describe(), office:kind(), Branch("b"):kind()
        """)
      expectEqual(text, "head office a kind of head office a kind of branch b")
    }

    @Test func `methods of extensions are found, of classes and of structs`() throws {
      let text = try evaluate("return HeadOffice('a'):added(), Branch.Desk(1):added()")
      expectEqual(text, "added to a 101")
    }

    @Test func `private methods are found`() throws {
      try expectEqual(evaluate("return Branch('a'):secretly()"), "secret a")
    }

    @Test func `what was inlined away says so, and how to keep it`() throws {
      let message = try fault(of: "return class('PlainFixture.PlainCounter')():absent()")
      #expect(message.contains("PlainFixture.PlainCounter has no member `absent`"))
      #expect(message.contains("it was inlined, stripped or never emitted"))
      #expect(message.contains("-enable-implicit-dynamic"))
      #if !DEBUG
        let inlined = try fault(of: "return class('PlainFixture.PlainCounter')():bumped(1)")
        #expect(inlined.contains("it was inlined, stripped or never emitted"))
      #endif
    }

    // MARK: Types as values

    @Test func `a type passed to Swift makes an instance of the right class`() throws {
      let text = try evaluate(
        """
        local registry = class "Bank.BranchRegistry" ()
        return registry:make(Branch, "a"):describe(), registry:make(HeadOffice, "b"):describe(),
          registry:makeAny(HeadOffice):describe(), registry:name(Branch.Desk), registry:name(Int),
          registry:isBranch(HeadOffice), registry:isBranch(class "Bank.NamesProbe"),
          registry:thin(1, Branch.Desk, 2), registry:optionalClass(HeadOffice),
          registry:optionalClass(nil)
        """)
      expectEqual(text, "branch a head office b head office any Desk Int true false 19 1 0")
      let message = try fault(
        of: "class 'Bank.BranchRegistry' ():make(class 'Bank.NamesProbe', 'a')")
      #expect(message.contains("expected Bank.Branch.Type, got the type Bank.NamesProbe"))
      let refused = try fault(of: "class 'Bank.BranchRegistry' ():optionalThin(nil)")
      #expect(refused.contains("the metatype of a struct or enum cannot be part of another value"))
    }

    @Test func `a type that comes from Swift is its type object`() throws {
      let text = try evaluate(
        """
        local registry = class "Bank.BranchRegistry" ()
        local types = registry:types()
        return registry:type(HeadOffice "a") == HeadOffice, registry:deskType() == Branch.Desk,
          registry:optionalBranchType(true) == HeadOffice, registry:optionalBranchType(false),
          registry:charteredType() == HeadOffice, registry:anyType() == HeadOffice,
          types[1] == Branch, types[2] == Branch.Desk, types[3] == Int, types[3],
          registry:charteredType()("b"):describe()
        """)
      expectEqual(text, "true true true nil true true true true true Swift.Int head office b")
    }

    @Test func `a type without a name of its own prints as what it is`() throws {
      let text = try evaluate(
        """
        local registry = class "Bank.BranchRegistry" ()
        local numbers = registry:numbersType()
        return numbers, numbers == registry:numbersType(), registry:name(numbers)
        """)
      expectEqual(text, "[Int] true Array<Int>")
    }
  }
}
