// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Classes of libraries whose code works for objects of exactly their class.
  @Suite struct SubclassObstacleTests {
    @Test(arguments: [
      // They compare the class of `self`, and end the program where it is another.
      ("NSArray", "Foundation.NSArray.count"), ("NSMutableData", "Foundation.NSData.bytes"),
      ("NSMutableCharacterSet", "Foundation.NSCharacterSet.copy(with:)"),
      ("NSString", "Foundation.NSString."),
      // It calls itself where it is another.
      ("NSIndexSet", "Foundation.NSIndexSet.copy(with:)"),
      // CoreFoundation gives them back what they give it.
      ("NSURL", "Foundation.NSURL.absoluteString"), ("NSDate", "Foundation.NSDate.hash"),
      // Their initializers make objects of other classes.
      ("NSValue", "Foundation.NSValue.init(bytes:objCType:)"),
      ("NSDecimalNumber", "Foundation.NSNumber.hash"),
    ])
    func `such a class is refused as a superclass`(_ name: String, _ function: String) {
      let text = refusal("class('A', 'Foundation.\(name)')")
      expectContains(text, "Foundation.\(name) cannot have subclasses in Lua: \(function)")
      expectContains(text, "of its library works for objects of exactly its class alone")
    }

    @Test func `one that is made by functions of its own is refused, too`() {
      expectContains(
        refusal("class('A', 'Foundation.NSNumber')"),
        "Foundation.NSNumber has no designated initializer that a subclass could call")
    }

    @Test(arguments: [
      "NSMutableAttributedString", "NSError", "NSLocale", "Operation", "FileHandle", "Port",
      "NSCache<NSString, NSString>",
    ])
    func `others are not`(_ name: String) throws {
      try withPatch("class('A', 'Foundation.\(name)')") {}
    }

    @Test func `an initializer of a generic superclass that is called by name makes the class`()
      throws
    {
      let text = try withPatch(
        """
        local Yard = class "Bank.WagonYard"
        local Cache = class("Cache", "Foundation.NSCache<NSString, NSString>")
        function Yard:run()
          return tostring(is(Cache["init()"](), Cache)) .. " " .. tostring(is(Cache(), Cache))
        end
        """
      ) { WagonYard().run() }
      expectEqual(text, "true true")
    }
  }
}
