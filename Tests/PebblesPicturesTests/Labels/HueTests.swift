import Foundation
import Testing

@testable import PebblesPictures

/// Tests that every color has enough contrast with its background, by the formulas of WCAG 2.
@Suite struct HueTests {
  @Test(arguments: Hue.seen)
  func contrastIsEnough(hue: Hue) {
    let least = hue.isOfText ? 4.5 : 3.0

    #expect(contrast(hue.light, Hue.ground.light) >= least, "\(hue.name)")
    #expect(contrast(hue.dark, Hue.ground.dark) >= least, "\(hue.name)")
  }

  @Test func contrastIsMeasuredRight() {
    #expect(contrast("#000000", "#ffffff") == 21)
    #expect(abs(contrast("#767676", "#ffffff") - 4.54) < 0.01)
  }

  private func contrast(_ one: String, _ other: String) -> Double {
    let (one, other) = (luminance(one), luminance(other))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  private func luminance(_ hex: String) -> Double {
    let number = Int(hex.dropFirst(), radix: 16) ?? 0
    let weights = [(16, 0.2126), (8, 0.7152), (0, 0.0722)]
    return weights.reduce(0) { sum, part in
      let value = Double(number >> part.0 & 0xFF) / 255
      return sum + part.1 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }
  }
}
