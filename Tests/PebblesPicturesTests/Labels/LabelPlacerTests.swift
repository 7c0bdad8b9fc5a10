import PebblesTestSupport
import Testing

@testable import PebblesPictures

@Suite struct LabelPlacerTests {
  private let bounds = Rectangle(minX: 0, minY: 0, maxX: 100, maxY: 60)
  private let target = Rectangle(minX: 40, minY: 25, maxX: 60, maxY: 35)

  @Test func thereAreNineAnchors() {
    #expect(Set(LabelAnchor.all).count == 9)
    #expect(LabelAnchor.all.count == 9)
    #expect(LabelAnchor.outside.count == 8)
    let places = LabelAnchor.all.map {
      $0.place(width: 8, height: 4, at: target, gap: 2)
    }
    for (number, place) in places.enumerated() {
      #expect(place.width == 8 && place.height == 4)
      #expect(places[..<number].allSatisfy { $0 != place })
    }
  }

  @Test func onlyTheCentreCoversWhatTheLabelBelongsTo() {
    for anchor in LabelAnchor.all {
      let place = anchor.place(width: 30, height: 20, at: target, gap: 2)

      #expect(place.overlaps(target) == (anchor == .centre))
    }
  }

  @Test func anchorsAreTriedInTheirOrder() {
    var placer = LabelPlacer(in: bounds, gap: 2, bandHeight: 10)

    #expect(placer.place(width: 20, height: 6, at: target)?.minX == 62)
    #expect(placer.place(width: 20, height: 6, at: target)?.maxX == 38)
    #expect(placer.place(width: 20, height: 6, at: target)?.maxY == 23)
    #expect(placer.place(width: 20, height: 6, at: target)?.minY == 37)
    #expect(placer.place(width: 20, height: 6, at: target) == nil)
  }

  @Test func noLabelLeavesTheBounds() {
    var placer = LabelPlacer(in: bounds, gap: 2, bandHeight: 10)

    #expect(placer.place(width: 101, height: 4, at: target) == nil)
    #expect(placer.place(width: 10, height: 61, at: target) == nil)
    #expect(placer.place(width: 39, height: 6, at: target)?.minY == 17)
  }

  @Test func linesAreCrossedOnlyIfThereIsNoOtherPlace() {
    var placer = LabelPlacer(in: bounds, gap: 2, bandHeight: 10)
    placer.avoid(Rectangle(minX: 64, minY: 0, maxX: 66, maxY: 60))
    let anchors: [LabelAnchor] = [.right, .left]

    #expect(placer.place(width: 20, height: 6, at: target, trying: anchors)?.maxX == 38)
    #expect(placer.place(width: 20, height: 6, at: target, trying: anchors)?.minX == 62)
    #expect(placer.place(width: 20, height: 6, at: target, trying: anchors) == nil)
  }

  @Test func labelsAmongManyShapesOverlapNothing() {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<50 {
      var placer = LabelPlacer(
        in: Rectangle(minX: 0, minY: 0, maxX: 500, maxY: 500), gap: 3, bandHeight: 20)
      var taken: [Rectangle] = (0..<40).map { _ in
        let (x, y) = (
          Double.random(in: 0...450, using: &generator),
          Double.random(in: 0...480, using: &generator)
        )
        return Rectangle(minX: x, minY: y, maxX: x + 40, maxY: y + 10)
      }
      let targets = taken
      for shape in taken { placer.block(shape) }

      for target in targets {
        let width = Double.random(in: 5...150, using: &generator)
        guard let place = placer.place(width: width, height: 12, at: target) else { continue }
        #expect(!taken.contains { $0.overlaps(place) })
        taken.append(place)
      }
      #expect(taken.count > targets.count)
    }
  }

  @Test(arguments: ["", "iiii", "WWWW", "日本語", "e\u{301}", "👨‍👩‍👧"])
  func textIsCutToAWidth(text: String) {
    let long = String(repeating: text, count: 40)

    for most in [20.0, 100, 1_000] {
      let cut = TextWidth.cut(long, to: most, size: 11)
      #expect(TextWidth.width(of: cut, size: 11) <= most)
      #expect(cut == long || cut.hasSuffix("…"))
    }
  }

  @Test func widthsAreThoseOfLetters() {
    #expect(TextWidth.width(of: "iiii", size: 10) < TextWidth.width(of: "MMMM", size: 10))
    #expect(TextWidth.width(of: "ab", size: 20) == 2 * TextWidth.width(of: "ab", size: 10))
    #expect(TextWidth.isMeasured("✓ load 12.3 µs"))
    #expect(!TextWidth.isMeasured("日本語"))
  }
}
