/// A placer that finds positions where labels overlap neither shapes nor other labels.
///
/// Shapes are kept in horizontal bands, so a label is compared only with nearby shapes.
struct LabelPlacer {
  private let bounds: Rectangle
  private let gap: Double
  private let bandHeight: Double
  private var shapes: [[Rectangle]]
  private var lines: [[Rectangle]]

  /// Creates a placer without shapes.
  ///
  /// - Parameters:
  ///   - bounds: The area that must contain all labels.
  ///   - gap: The distance between a label and its target.
  ///   - bandHeight: The height of a band; ideally about the height of a shape.
  init(in bounds: Rectangle, gap: Double, bandHeight: Double) {
    self.bounds = bounds
    self.gap = gap
    self.bandHeight = bandHeight
    let count = Int(max(0, bounds.height) / bandHeight) + 1
    shapes = Array(repeating: [], count: count)
    lines = shapes
  }

  /// Keeps an area free of labels.
  mutating func block(_ shape: Rectangle) {
    for band in bands(of: shape) { shapes[band].append(shape) }
  }

  /// Keeps an area free of labels, unless a label fits nowhere else.
  mutating func avoid(_ line: Rectangle) {
    for band in bands(of: line) { lines[band].append(line) }
  }

  /// Finds a place for a label, and keeps this place free of other labels.
  ///
  /// - Parameters:
  ///   - width: The width of the label.
  ///   - height: The height of the label.
  ///   - target: The target of the label.
  ///   - anchors: The anchors to try, in order of preference.
  /// - Returns: The place of the label; `nil` if it fits nowhere.
  mutating func place(
    width: Double, height: Double, at target: Rectangle,
    trying anchors: [LabelAnchor] = LabelAnchor.outside
  ) -> Rectangle? {
    var fallback: Rectangle?
    for anchor in anchors {
      let place = anchor.place(width: width, height: height, at: target, gap: gap)
      guard bounds.contains(place), isFree(place, of: shapes) else { continue }
      if isFree(place, of: lines) {
        block(place)
        return place
      }
      if fallback == nil { fallback = place }
    }
    if let fallback { block(fallback) }
    return fallback
  }

  private func isFree(_ place: Rectangle, of obstacles: [[Rectangle]]) -> Bool {
    bands(of: place).allSatisfy { band in !obstacles[band].contains { $0.overlaps(place) } }
  }

  private func bands(of shape: Rectangle) -> ClosedRange<Int> {
    let first = band(at: shape.minY)
    return first...max(first, band(at: shape.maxY))
  }

  private func band(at y: Double) -> Int {
    Int(min(max((y - bounds.minY) / bandHeight, 0), Double(shapes.count - 1)))
  }
}
