// SPDX-License-Identifier: MIT

// Many small functions: what is measured is how long patches of many overrides take to apply.

public func step1(_ n: Int) -> Int { n &+ 1 }
public func step2(_ n: Int) -> Int { n &+ 2 }
public func step3(_ n: Int) -> Int { n &+ 3 }
public func step4(_ n: Int) -> Int { n &+ 4 }
public func step5(_ n: Int) -> Int { n &+ 5 }
public func step6(_ n: Int) -> Int { n &+ 6 }
public func step7(_ n: Int) -> Int { n &+ 7 }
public func step8(_ n: Int) -> Int { n &+ 8 }
public func step9(_ n: Int) -> Int { n &+ 9 }
public func step10(_ n: Int) -> Int { n &+ 10 }
public func step11(_ n: Int) -> Int { n &+ 11 }
public func step12(_ n: Int) -> Int { n &+ 12 }
public func step13(_ n: Int) -> Int { n &+ 13 }
public func step14(_ n: Int) -> Int { n &+ 14 }
public func step15(_ n: Int) -> Int { n &+ 15 }
public func step16(_ n: Int) -> Int { n &+ 16 }
public func step17(_ n: Int) -> Int { n &+ 17 }
public func step18(_ n: Int) -> Int { n &+ 18 }
public func step19(_ n: Int) -> Int { n &+ 19 }
public func step20(_ n: Int) -> Int { n &+ 20 }
public func step21(_ n: Int) -> Int { n &+ 21 }
public func step22(_ n: Int) -> Int { n &+ 22 }
public func step23(_ n: Int) -> Int { n &+ 23 }
public func step24(_ n: Int) -> Int { n &+ 24 }
public func step25(_ n: Int) -> Int { n &+ 25 }
public func step26(_ n: Int) -> Int { n &+ 26 }
public func step27(_ n: Int) -> Int { n &+ 27 }
public func step28(_ n: Int) -> Int { n &+ 28 }
public func step29(_ n: Int) -> Int { n &+ 29 }
public func step30(_ n: Int) -> Int { n &+ 30 }
public func step31(_ n: Int) -> Int { n &+ 31 }
public func step32(_ n: Int) -> Int { n &+ 32 }
public func step33(_ n: Int) -> Int { n &+ 33 }
public func step34(_ n: Int) -> Int { n &+ 34 }
public func step35(_ n: Int) -> Int { n &+ 35 }
public func step36(_ n: Int) -> Int { n &+ 36 }
public func step37(_ n: Int) -> Int { n &+ 37 }
public func step38(_ n: Int) -> Int { n &+ 38 }
public func step39(_ n: Int) -> Int { n &+ 39 }
public func step40(_ n: Int) -> Int { n &+ 40 }
public func step41(_ n: Int) -> Int { n &+ 41 }
public func step42(_ n: Int) -> Int { n &+ 42 }
public func step43(_ n: Int) -> Int { n &+ 43 }
public func step44(_ n: Int) -> Int { n &+ 44 }
public func step45(_ n: Int) -> Int { n &+ 45 }
public func step46(_ n: Int) -> Int { n &+ 46 }
public func step47(_ n: Int) -> Int { n &+ 47 }
public func step48(_ n: Int) -> Int { n &+ 48 }
public func step49(_ n: Int) -> Int { n &+ 49 }
public func step50(_ n: Int) -> Int { n &+ 50 }
public func step51(_ n: Int) -> Int { n &+ 51 }
public func step52(_ n: Int) -> Int { n &+ 52 }
public func step53(_ n: Int) -> Int { n &+ 53 }
public func step54(_ n: Int) -> Int { n &+ 54 }
public func step55(_ n: Int) -> Int { n &+ 55 }
public func step56(_ n: Int) -> Int { n &+ 56 }
public func step57(_ n: Int) -> Int { n &+ 57 }
public func step58(_ n: Int) -> Int { n &+ 58 }
public func step59(_ n: Int) -> Int { n &+ 59 }
public func step60(_ n: Int) -> Int { n &+ 60 }
public func step61(_ n: Int) -> Int { n &+ 61 }
public func step62(_ n: Int) -> Int { n &+ 62 }
public func step63(_ n: Int) -> Int { n &+ 63 }
public func step64(_ n: Int) -> Int { n &+ 64 }
public func step65(_ n: Int) -> Int { n &+ 65 }
public func step66(_ n: Int) -> Int { n &+ 66 }
public func step67(_ n: Int) -> Int { n &+ 67 }
public func step68(_ n: Int) -> Int { n &+ 68 }
public func step69(_ n: Int) -> Int { n &+ 69 }
public func step70(_ n: Int) -> Int { n &+ 70 }
public func step71(_ n: Int) -> Int { n &+ 71 }
public func step72(_ n: Int) -> Int { n &+ 72 }
public func step73(_ n: Int) -> Int { n &+ 73 }
public func step74(_ n: Int) -> Int { n &+ 74 }
public func step75(_ n: Int) -> Int { n &+ 75 }
public func step76(_ n: Int) -> Int { n &+ 76 }
public func step77(_ n: Int) -> Int { n &+ 77 }
public func step78(_ n: Int) -> Int { n &+ 78 }
public func step79(_ n: Int) -> Int { n &+ 79 }
public func step80(_ n: Int) -> Int { n &+ 80 }
public func step81(_ n: Int) -> Int { n &+ 81 }
public func step82(_ n: Int) -> Int { n &+ 82 }
public func step83(_ n: Int) -> Int { n &+ 83 }
public func step84(_ n: Int) -> Int { n &+ 84 }
public func step85(_ n: Int) -> Int { n &+ 85 }
public func step86(_ n: Int) -> Int { n &+ 86 }
public func step87(_ n: Int) -> Int { n &+ 87 }
public func step88(_ n: Int) -> Int { n &+ 88 }
public func step89(_ n: Int) -> Int { n &+ 89 }
public func step90(_ n: Int) -> Int { n &+ 90 }
public func step91(_ n: Int) -> Int { n &+ 91 }
public func step92(_ n: Int) -> Int { n &+ 92 }
public func step93(_ n: Int) -> Int { n &+ 93 }
public func step94(_ n: Int) -> Int { n &+ 94 }
public func step95(_ n: Int) -> Int { n &+ 95 }
public func step96(_ n: Int) -> Int { n &+ 96 }
public func step97(_ n: Int) -> Int { n &+ 97 }
public func step98(_ n: Int) -> Int { n &+ 98 }
public func step99(_ n: Int) -> Int { n &+ 99 }
public func step100(_ n: Int) -> Int { n &+ 100 }
public func step101(_ n: Int) -> Int { n &+ 101 }
public func step102(_ n: Int) -> Int { n &+ 102 }
public func step103(_ n: Int) -> Int { n &+ 103 }
public func step104(_ n: Int) -> Int { n &+ 104 }

/// Calls all of them: nothing unused may be left out of the program.
public func allSteps(_ n: Int) -> Int {
  var n = n
  n = step1(n)
  n = step2(n)
  n = step3(n)
  n = step4(n)
  n = step5(n)
  n = step6(n)
  n = step7(n)
  n = step8(n)
  n = step9(n)
  n = step10(n)
  n = step11(n)
  n = step12(n)
  n = step13(n)
  n = step14(n)
  n = step15(n)
  n = step16(n)
  n = step17(n)
  n = step18(n)
  n = step19(n)
  n = step20(n)
  n = step21(n)
  n = step22(n)
  n = step23(n)
  n = step24(n)
  n = step25(n)
  n = step26(n)
  n = step27(n)
  n = step28(n)
  n = step29(n)
  n = step30(n)
  n = step31(n)
  n = step32(n)
  n = step33(n)
  n = step34(n)
  n = step35(n)
  n = step36(n)
  n = step37(n)
  n = step38(n)
  n = step39(n)
  n = step40(n)
  n = step41(n)
  n = step42(n)
  n = step43(n)
  n = step44(n)
  n = step45(n)
  n = step46(n)
  n = step47(n)
  n = step48(n)
  n = step49(n)
  n = step50(n)
  n = step51(n)
  n = step52(n)
  n = step53(n)
  n = step54(n)
  n = step55(n)
  n = step56(n)
  n = step57(n)
  n = step58(n)
  n = step59(n)
  n = step60(n)
  n = step61(n)
  n = step62(n)
  n = step63(n)
  n = step64(n)
  n = step65(n)
  n = step66(n)
  n = step67(n)
  n = step68(n)
  n = step69(n)
  n = step70(n)
  n = step71(n)
  n = step72(n)
  n = step73(n)
  n = step74(n)
  n = step75(n)
  n = step76(n)
  n = step77(n)
  n = step78(n)
  n = step79(n)
  n = step80(n)
  n = step81(n)
  n = step82(n)
  n = step83(n)
  n = step84(n)
  n = step85(n)
  n = step86(n)
  n = step87(n)
  n = step88(n)
  n = step89(n)
  n = step90(n)
  n = step91(n)
  n = step92(n)
  n = step93(n)
  n = step94(n)
  n = step95(n)
  n = step96(n)
  n = step97(n)
  n = step98(n)
  n = step99(n)
  n = step100(n)
  n = step101(n)
  n = step102(n)
  n = step103(n)
  n = step104(n)
  return n
}
