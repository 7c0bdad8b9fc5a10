import Pebbles
import PebblesAnalysis

/// The positions of everything in a timeline.
struct TimelineLayout {
  /// A row with the positions of everything in it.
  struct PlacedRow {
    let row: TimelineRow

    /// The area of the bar or, for a skipped pebble, of its sign.
    let bar: Rectangle

    /// The kind and the area of the wait after the pebble became ready; `nil` if there was no wait,
    /// or if the wait was too short to be visible.
    let wait: (kind: RunFacts.Wait, place: Rectangle)?

    /// The horizontal position of the time at which the pebble became ready; `nil` if this time is
    /// not marked.
    ///
    /// The time is not marked for groups and skipped pebbles, nor if the mark would be too close to
    /// the start of the run to be visible.
    let readyX: Double?

    /// The full text of the label.
    let text: String

    /// The text of the label as shown, possibly truncated.
    let label: String

    /// The place of the label; `nil` if there is no room for it.
    var labelPlace: Rectangle?
  }

  /// An arrow from the end of a step of the longest chain to the start of the next step.
  struct Arrow {
    /// The corners of the arrow, from cause to effect.
    let points: [(x: Double, y: Double)]
  }

  static let width = 1200.0
  static let margin = 24.0
  static let fontSize = 11.0
  static let labelHeight = 13.0
  static let rowHeight = 18.0
  static let barHeight = 10.0

  /// The number of rows between two time axes, small enough that every row is close to an axis.
  static let rowsPerAxis = 50

  let facts: RunFacts
  let scale: TimeScale
  let header: TimelineHeader
  private(set) var rows: [PlacedRow] = []
  private(set) var arrows: [Arrow] = []

  /// The vertical positions of the time axes, each at the baseline of its labels.
  private(set) var axes: [Double] = []
  private(set) var height = 0.0

  init(_ facts: RunFacts, mostRows: Int = RunFacts.mostRows) {
    self.facts = facts
    let rows = facts.timelineRows(mostRows: mostRows)
    let last = rows.lazy.map(\.end).max() ?? 0
    scale = TimeScale(
      minX: Self.margin, maxX: Self.width - Self.margin,
      total: max(last, facts.run.makespan.nanoseconds))
    header = TimelineHeader(facts, hasGroups: rows.contains { $0.groupName != nil })
    placeRows(rows)
    placeArrows()
    placeLabels()
  }

  /// The area below the header, which contains all rows.
  var plot: Rectangle {
    Rectangle(minX: scale.minX, minY: header.height, maxX: scale.maxX, maxY: height)
  }

  private mutating func placeRows(_ unplaced: [TimelineRow]) {
    var y = header.height
    rows.reserveCapacity(unplaced.count)
    for (number, row) in unplaced.enumerated() {
      if number % Self.rowsPerAxis == 0 { addAxis(&y) }
      let text = facts.label(of: row)
      var placed = self.placed(row, text, y: y)
      // If there is no room for the label beside the bar, the row becomes taller, so that the label
      // fits above the bar and is not in another row.
      if !hasRoomBeside(placed) {
        y += Self.labelHeight + 1
        placed = self.placed(row, text, y: y)
      }
      rows.append(placed)
      y += Self.rowHeight
    }
    if unplaced.isEmpty || unplaced.count % Self.rowsPerAxis > 10 { addAxis(&y) }
    height = y + Self.margin / 2
  }

  private var plotWidth: Double { scale.maxX - scale.minX }

  private mutating func addAxis(_ y: inout Double) {
    axes.append(y + Self.rowHeight - 6)
    y += Self.rowHeight + 2
  }

  private func placed(_ row: TimelineRow, _ text: String, y: Double) -> PlacedRow {
    let label = TextWidth.cut(text, to: plotWidth / 2, size: Self.fontSize)
    let top = y + (Self.rowHeight - Self.barHeight) / 2
    let middle = top + Self.barHeight / 2
    let beginX = scale.x(at: row.begin)
    guard let pebble = row.pebble else {
      return PlacedRow(
        row: row, bar: bar(from: beginX, to: scale.x(at: row.end), top: top), wait: nil,
        readyX: nil, text: text, label: label)
    }
    guard facts.run.pebbles[pebble].outcome.isCompleted else {
      let centre = min(max(beginX, scale.minX + 5), scale.maxX - 5)
      let sign = Rectangle(
        minX: centre - 5, minY: middle - 5, maxX: centre + 5, maxY: middle + 5)
      return PlacedRow(row: row, bar: sign, wait: nil, readyX: nil, text: text, label: label)
    }
    let readyX = scale.x(at: facts.ready(of: pebble))
    let bar = bar(from: beginX, to: scale.x(at: row.end), top: top)
    var wait: (kind: RunFacts.Wait, place: Rectangle)?
    if let kind = facts.wait(of: pebble), bar.minX - readyX >= 1 {
      wait = (
        kind,
        Rectangle(minX: readyX, minY: middle - 2.5, maxX: bar.minX, maxY: middle + 2.5)
      )
    }
    return PlacedRow(
      row: row, bar: bar, wait: wait, readyX: readyX - scale.minX >= 1 ? readyX : nil, text: text,
      label: label)
  }

  /// Returns the rectangle of a bar. The bar is wide enough to be visible even if the time was
  /// short.
  private func bar(from beginX: Double, to endX: Double, top: Double) -> Rectangle {
    let width = max(endX - beginX, 2)
    let minX = min(beginX, scale.maxX - width)
    return Rectangle(minX: minX, minY: top, maxX: minX + width, maxY: top + Self.barHeight)
  }

  private func hasRoomBeside(_ row: PlacedRow) -> Bool {
    let width = TextWidth.width(of: row.label, size: Self.fontSize) + Self.gap
    let drawn = Self.drawn(row)
    return scale.maxX - row.bar.maxX >= width + 2 || drawn.minX - scale.minX >= width
  }

  /// Returns the part of a row that labels must not cover.
  static func drawn(_ row: PlacedRow) -> Rectangle {
    var place = row.bar.grown(by: 2)
    if let wait = row.wait { place.minX = min(place.minX, wait.place.minX) }
    return place
  }

  private static let gap = 3.0

  private mutating func placeArrows() {
    var places: [Int: Int] = [:]
    for (number, row) in rows.enumerated() {
      if let pebble = row.row.pebble { places[pebble] = number }
    }
    for (cause, effect) in zip(facts.chain, facts.chain.dropFirst()) {
      guard let cause = places[cause.position], let effect = places[effect.position] else {
        continue
      }
      arrows.append(arrow(from: rows[cause].bar, to: rows[effect].bar))
    }
  }

  private func arrow(from cause: Rectangle, to effect: Rectangle) -> Arrow {
    let isBelow = effect.minY > cause.minY
    let x = max(cause.maxX - 1, cause.minX)
    let y = isBelow ? cause.maxY + 2 : cause.minY - 2
    if effect.minX - x >= 8 {
      return Arrow(points: [(x, y), (x, effect.midY), (effect.minX - 2, effect.midY)])
    }
    let end = isBelow ? effect.minY - 2 : effect.maxY + 2
    let entry = min(max(x, effect.minX), effect.maxX)
    // The effect begins before the end of the cause, or so soon after it that the arrow enters the
    // effect from above or below.
    let middle = isBelow ? end - 3 : end + 3
    return entry == x
      ? Arrow(points: [(x, y), (x, end)])
      : Arrow(points: [(x, y), (x, middle), (entry, middle), (entry, end)])
  }

  private mutating func placeLabels() {
    var placer = LabelPlacer(in: plot, gap: Self.gap, bandHeight: Self.rowHeight)
    for row in rows { placer.block(Self.drawn(row)) }
    for arrow in arrows {
      for (one, other) in zip(arrow.points, arrow.points.dropFirst()) {
        placer.avoid(
          Rectangle(
            minX: min(one.x, other.x) - 2, minY: min(one.y, other.y) - 1,
            maxX: max(one.x, other.x) + 2, maxY: max(one.y, other.y) + 1))
      }
    }
    for baseline in axes {
      placer.block(
        Rectangle(
          minX: plot.minX, minY: baseline - Self.fontSize, maxX: plot.maxX, maxY: baseline + 4))
    }
    for number in rows.indices {
      let label = rows[number].label
      rows[number].labelPlace = placer.place(
        width: TextWidth.width(of: label, size: Self.fontSize), height: Self.labelHeight,
        at: Self.drawn(rows[number]), trying: Self.anchors)
    }
  }

  /// The anchors to try: beside or above the bar. A label below the bar would seem to belong to the
  /// next row.
  private static let anchors = LabelAnchor.outside.filter { $0.vertical != .after }
}
