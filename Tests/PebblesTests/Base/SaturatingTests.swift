import Testing

@testable import Pebbles

@Suite struct SaturatingTests {
  @Test(arguments: [
    (100, 27, 127), (100, 28, 127), (-100, -28, -128), (-100, -29, -128), (100, -100, 0),
  ])
  func sumsStayWithinTheType(_ left: Int8, _ right: Int8, sum: Int8) {
    #expect(left.addingSaturated(right) == sum)
  }

  @Test(arguments: [
    (100, -27, 127), (100, -28, 127), (-100, 28, -128), (-100, 29, -128), (0, .min, 127),
  ])
  func differencesStayWithinTheType(_ left: Int8, _ right: Int8, difference: Int8) {
    #expect(left.subtractingSaturated(right) == difference)
  }

  @Test func whatHasNoSignEndsAtZero() {
    #expect(UInt8(250).addingSaturated(6) == 255)
    #expect(UInt8(5).subtractingSaturated(6) == 0)
  }

  @Test func durationsEndAtTheLongestThereIs() {
    let longest = Duration(attoseconds: .max)

    #expect(longest.addingSaturated(.seconds(1)) == longest)
    #expect(Duration.seconds(3).subtractingSaturated(.seconds(1)) == .seconds(2))
    #expect(Duration.seconds(-3).subtractingSaturated(longest) == Duration(attoseconds: .min))
  }
}
