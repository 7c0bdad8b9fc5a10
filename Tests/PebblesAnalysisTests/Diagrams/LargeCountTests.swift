import Testing

@testable import PebblesAnalysis

@Suite struct LargeCountTests {
  @Test func theLargestIntegerIsExactAndTheNextIsNot() {
    let largest = LargeCount(.max)

    #expect(largest.exact == .max)
    #expect("\(largest)" == "\(UInt128.max)")
    #expect((largest + LargeCount(1)).exact == nil)
    #expect("\(largest + LargeCount(1))" == "about 2^128")
    #expect(LargeCount(1).doubled(127).exact == 1 << 127)
    #expect(LargeCount(1).doubled(128).exact == nil)
    #expect(LargeCount(0).doubled(1_000_000).exact == 0)
  }

  @Test(arguments: [0, 1, 100, 127, 128, 129, 300, 1_000_000] as [UInt32])
  func aPowerOfTwoIsTwoHalvesOfIt(_ exponent: UInt32) {
    let half = LargeCount(1).doubled(exponent)

    #expect(half + half == half.doubled(1))
    #expect(half.share(of: half + half) == 0.5)
    #expect((half + half).share(of: half) == 2)
    #expect(half + LargeCount(0) == half)
  }

  @Test func sumsDoNotHangOnTheOrder() {
    let terms = [LargeCount(3).doubled(200), LargeCount(.max), LargeCount(5), LargeCount(1)]

    for (first, second) in zip(terms, terms.dropFirst()) {
      #expect(first + second == second + first)
    }
    #expect((LargeCount(.max) + LargeCount(.max)).share(of: LargeCount(1).doubled(129)) <= 1)
  }

  @Test func itIsWrittenRoundedAndNeverAsIfItWereExact() {
    #expect("\(LargeCount(3).doubled(128))" == "about 1.5 × 2^129")
    #expect("\(LargeCount(.max).doubled(1))" == "about 2^129")
    let whole = LargeCount(1).doubled(500)
    #expect(LargeCount(1).percentage(of: whole) == "less than 0.1%")
    #expect(whole.percentage(of: whole) == "more than 99.9%")
    #expect(LargeCount(1).doubled(497).percentage(of: whole) == "12.5%")
    #expect(LargeCount(1).text(of: LargeCount(1), "ending") == "1 of 1 ending")
  }

  @Test(arguments: [
    (0, "less than 0.1%"), (999, "less than 0.1%"), (1_000, "0.1%"), (998_999, "99.9%"),
    (999_000, "99.9%"), (999_001, "more than 99.9%"), (1_000_000, "more than 99.9%"),
  ])
  func aShareIsOnlyCalledLessOrMoreThanWhatItIsNot(_ part: UInt128, _ percentage: String) {
    #expect(LargeCount(part).percentage(of: LargeCount(1_000_000)) == percentage)
  }
}
