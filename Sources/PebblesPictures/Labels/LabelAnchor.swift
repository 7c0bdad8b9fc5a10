/// Where a label stands beside what it belongs to: one of nine places, all combinations of left,
/// centre, right and top, centre, bottom.
///
/// ```
/// top left ─────── top centre ────── top right
///         ┌─────────────────────────┐
///    left │         centre          │ right
///         └─────────────────────────┘
/// bottom left ─── bottom centre ─ bottom right
/// ```
///
/// Above and below, a label is flush with the left or the right edge, so that it is plain what it
/// belongs to, however wide that is.
struct LabelAnchor: Hashable {
  enum Side: CaseIterable {
    case before, centre, after
  }

  let horizontal: Side
  let vertical: Side

  static let centre = LabelAnchor(horizontal: .centre, vertical: .centre)
  static let left = LabelAnchor(horizontal: .before, vertical: .centre)
  static let right = LabelAnchor(horizontal: .after, vertical: .centre)

  /// All nine, in the order in which they are tried if nothing else is asked for: beside, above,
  /// below, and at last upon it.
  static let all: [LabelAnchor] =
    [right, left]
    + [Side.before, .after].flatMap { vertical in
      [Side.before, .after, .centre].map { LabelAnchor(horizontal: $0, vertical: vertical) }
    } + [centre]

  /// All but the one that would cover what the label belongs to.
  static let outside = all.filter { $0 != centre }

  /// Where a label of this size is then.
  ///
  /// - Parameters:
  ///   - width: The width of the label.
  ///   - height: Its height.
  ///   - target: What it belongs to.
  ///   - gap: How far it is away; the one factor by which all nine are scaled.
  /// - Returns: The place.
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
