/// A rectangle with horizontal and vertical edges. The y-axis points down.
struct Rectangle: Equatable {
  var minX: Double
  var minY: Double
  var maxX: Double
  var maxY: Double

  var width: Double { maxX - minX }
  var height: Double { maxY - minY }
  var midX: Double { (minX + maxX) / 2 }
  var midY: Double { (minY + maxY) / 2 }

  /// Returns whether this rectangle overlaps another rectangle. Rectangles that only touch do not
  /// overlap.
  func overlaps(_ other: Rectangle) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  func contains(_ other: Rectangle) -> Bool {
    minX <= other.minX && other.maxX <= maxX && minY <= other.minY && other.maxY <= maxY
  }

  func grown(by margin: Double) -> Rectangle {
    Rectangle(
      minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
  }
}
