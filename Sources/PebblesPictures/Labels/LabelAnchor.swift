/// The position of a label relative to its target: one of the nine combinations of left, centre or
/// right with top, centre or bottom.
///
/// ```
/// top left ─────── top centre ────── top right
///         ┌─────────────────────────┐
///    left │         centre          │ right
///         └─────────────────────────┘
/// bottom left ─── bottom centre ─ bottom right
/// ```
///
/// A label above or below the target is either centred or flush with the target's left or right
/// edge. This makes it clear where the label belongs, even if the target is wide.
struct LabelAnchor: Hashable {
  enum Side: CaseIterable {
    case before, centre, after
  }

  let horizontal: Side
  let vertical: Side

  static let centre = LabelAnchor(horizontal: .centre, vertical: .centre)
  static let left = LabelAnchor(horizontal: .before, vertical: .centre)
  static let right = LabelAnchor(horizontal: .after, vertical: .centre)

  /// All nine anchors in the order of preference: beside the target, above it, below it, and on it.
  static let all: [LabelAnchor] =
    [right, left]
    + [Side.before, .after].flatMap { vertical in
      [Side.before, .after, .centre].map { LabelAnchor(horizontal: $0, vertical: vertical) }
    } + [centre]

  /// All anchors except the one that covers the target.
  static let outside = all.filter { $0 != centre }

  /// Returns the rectangle of a label at this anchor.
  ///
  /// - Parameters:
  ///   - width: The width of the label.
  ///   - height: The height of the label.
  ///   - target: The target of the label.
  ///   - gap: The distance between the label and the target. Ignored for a label on the target.
  /// - Returns: The rectangle.
  func place(
    width: Double, height: Double, at target: Rectangle, gap: Double
  ) -> Rectangle {
    let x: Double
    let y: Double
    switch (vertical, horizontal) {
    case (.centre, .before): x = target.minX - gap - width
    case (.centre, .after): x = target.maxX + gap
    case (.before, .before), (.after, .before): x = target.minX
    case (.before, .after), (.after, .after): x = target.maxX - width
    case (.before, .centre), (.centre, .centre), (.after, .centre): x = target.midX - width / 2
    }
    switch vertical {
    case .before: y = target.minY - gap - height
    case .centre: y = target.midY - height / 2
    case .after: y = target.maxY + gap
    }
    return Rectangle(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }
}
