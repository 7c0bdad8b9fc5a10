import Pebbles
import PebblesAnalysis

/// A writer that draws a timeline in SVG.
struct TimelineWriter {
  private let layout: TimelineLayout
  private var shapes = TimelineShapes()

  init(_ layout: TimelineLayout) {
    self.layout = layout
  }

  consuming func svg() -> String {
    var writer = self
    writer.shapes.text.reserveCapacity(2_000 + 500 * writer.layout.rows.count)
    writer.write()
    return writer.shapes.text
  }

  private mutating func write() {
    let (width, height) = (TimelineLayout.width.inPicture, layout.height.inPicture)
    shapes.text += """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img">
      <title>\(layout.header.title.inMarkup)</title>
      <desc>\(layout.header.description.inMarkup)</desc>
      <style>
      \(TimelineStyle.css)</style>
      \(TimelineStyle.patterns)
      <rect class="ground" width="100%" height="100%"/>

      """
    writeAxes()
    // Arrows are below the bars, because some bars are as narrow as a line.
    for arrow in layout.arrows { shapes.addArrow(arrow.points) }
    for row in layout.rows { write(row) }
    writeHeader()
    shapes.text += "</svg>\n"
  }

  // MARK: Header and axes

  private mutating func writeHeader() {
    let header = layout.header
    let x = TimelineLayout.margin
    shapes.addText(header.title, class: "title", x: x, baseline: 32)
    for (number, line) in header.verdict.enumerated() {
      let baseline = 34 + TimelineHeader.lineHeight * Double(number + 1)
      shapes.addText(line, class: "verdict", x: x, baseline: baseline)
    }
    for item in header.items {
      writeKey(item)
      shapes.addText(
        item.text, class: "soft", x: item.x + TimelineHeader.keyWidth + 6, baseline: item.baseline)
    }
  }

  private mutating func writeKey(_ item: TimelineHeader.Item) {
    let middle = item.baseline - 4
    let place = Rectangle(
      minX: item.x, minY: middle - 5, maxX: item.x + TimelineHeader.keyWidth, maxY: middle + 5)
    switch item.key {
    case .succeeded: shapes.addRectangle(place, class: "succeeded")
    case .failed: shapes.addRectangle(place, class: "failed")
    case .blocked: shapes.addDiamond(x: place.midX, y: middle, class: "blocked")
    case .skipped: shapes.addDiamond(x: place.midX, y: middle, class: "skipped")
    case .attempts:
      var attempt = place
      attempt.maxX = place.minX + 10
      shapes.addRectangle(attempt, class: "failed")
      shapes.addLine(from: attempt.maxX, to: place.maxX, y: middle, class: "pause")
      attempt.minX = place.maxX - 10
      attempt.maxX = place.maxX
      shapes.addRectangle(attempt, class: "succeeded")
    case .waitsForOthers:
      shapes.addLine(from: place.minX, to: place.maxX, y: middle, class: "others")
    case .waitsForLimit: writeWait(.limit, place.grown(by: -2.5))
    case .waitsForThread: writeWait(.thread, place.grown(by: -2.5))
    case .chain:
      var bar = place.grown(by: -2)
      bar.maxX -= 10
      shapes.addRectangle(bar, class: "succeeded")
      shapes.addRectangle(bar.grown(by: 2), class: "chain")
      shapes.addArrow([(bar.maxX + 2, middle), (place.maxX, middle)])
    case .group:
      shapes.addRectangle(place, class: "group")
      shapes.addRectangle(
        Rectangle(
          minX: place.minX + 4, minY: middle - 2, maxX: place.maxX - 8, maxY: middle + 2),
        class: "busy")
    }
  }

  private mutating func writeAxes() {
    let ticks = layout.scale.ticks(atMost: 8)
    let (top, bottom) = (layout.header.height, layout.height - TimelineLayout.margin / 2)
    shapes.text += "<path class=\"guide\" d=\""
    for tick in ticks {
      shapes.text +=
        "M\(layout.scale.x(at: tick.time).inPicture) \(top.inPicture)V\(bottom.inPicture)"
    }
    shapes.text += "\"/>\n"
    for baseline in layout.axes {
      for tick in ticks {
        let x = layout.scale.x(at: tick.time)
        let width = TextWidth.width(of: tick.text, size: TimelineLayout.fontSize)
        let left = min(max(x - width / 2, layout.scale.minX), layout.scale.maxX - width)
        shapes.addText(tick.text, class: "soft", x: left, baseline: baseline)
      }
    }
  }

  // MARK: Rows

  private mutating func write(_ placed: TimelineLayout.PlacedRow) {
    shapes.text += "<g><title>"
    shapes.text += (placed.text + layout.facts.details(of: placed.row)).inMarkup
    shapes.text += "</title>"
    let middle = placed.bar.midY
    if let readyX = placed.readyX {
      // The line must not cross a label that stands before the bar.
      let place = placed.labelPlace.flatMap { $0.maxX < placed.bar.minX ? $0 : nil }
      let end = place.map { $0.maxY > middle ? min(readyX, $0.minX - 3) : readyX } ?? readyX
      if end > layout.scale.minX {
        shapes.addLine(from: layout.scale.minX, to: end, y: middle, class: "others")
      }
    }
    if let wait = placed.wait { writeWait(wait.kind, wait.place) }
    if let pebble = placed.row.pebble {
      writeBar(placed, of: pebble)
      if layout.facts.isOnChain[pebble] {
        shapes.addRectangle(placed.bar.grown(by: 2), class: "chain")
      }
    } else {
      writeGroup(placed)
    }
    if let place = placed.labelPlace {
      let kind = placed.row.pebble.map(layout.facts.className)
      shapes.addText(
        placed.label, class: kind == "succeeded" ? "" : kind ?? "", x: place.minX,
        baseline: place.maxY - 3, isGuarded: true)
    }
    shapes.text += "</g>\n"
  }

  private mutating func writeBar(_ placed: TimelineLayout.PlacedRow, of pebble: Int) {
    let record = layout.facts.run.pebbles[pebble]
    let kind = layout.facts.className(of: pebble)
    guard record.outcome.isCompleted else {
      shapes.addDiamond(x: placed.bar.midX, y: placed.bar.midY, class: kind)
      return
    }
    let pieces = attempts(of: record, in: placed.bar)
    guard pieces.count > 1 else {
      shapes.addRectangle(placed.bar, class: kind)
      return
    }
    // A line shows the pauses between attempts, and the pause from the last attempt to a deadline.
    shapes.addLine(
      from: placed.bar.minX, to: placed.bar.maxX, y: placed.bar.midY, class: "pause")
    for piece in pieces { shapes.addRectangle(piece.place, class: piece.kind) }
  }

  private static let mostAttempts = 100

  /// Returns a rectangle and its CSS class for each attempt of a pebble. The result is empty if
  /// there is only one attempt, or if there are too many attempts to distinguish in the bar.
  private func attempts(
    of record: RecordedPebble, in bar: Rectangle
  ) -> [(place: Rectangle, kind: String)] {
    guard record.attempts.count > 1, record.attempts.count <= Self.mostAttempts,
      bar.width >= 3 * Double(record.attempts.count)
    else { return [] }
    return record.attempts.map { attempt in
      var place = bar
      let begin = layout.scale.x(at: attempt.started.nanoseconds)
      place.minX = min(max(begin, bar.minX), bar.maxX - 2)
      place.maxX = min(
        max(layout.scale.x(at: attempt.finished.nanoseconds) - 1, place.minX + 2), bar.maxX)
      return (place, attempt.error == nil ? "succeeded" : "failed")
    }
  }

  private mutating func writeGroup(_ placed: TimelineLayout.PlacedRow) {
    shapes.addRectangle(placed.bar, class: "group")
    let facts = layout.facts
    var reached = -Double.infinity
    shapes.text += "<path class=\"busy\" d=\""
    for pebble in placed.row.pebbles where facts.run.pebbles[pebble].outcome.isCompleted {
      let begin = max(layout.scale.x(at: facts.begin(of: pebble)), reached)
      let end = max(layout.scale.x(at: facts.end(of: pebble)), begin + 0.5)
      guard end > reached + 0.5 else { continue }
      reached = end
      shapes.text += "M\(begin.inPicture) \((placed.bar.midY - 2).inPicture)"
      shapes.text += "h\((end - begin).inPicture)v4h\((begin - end).inPicture)z"
    }
    shapes.text += "\"/>"
  }

  private mutating func writeWait(_ kind: RunFacts.Wait, _ place: Rectangle) {
    switch kind {
    case .limit: shapes.addRectangle(place, class: "limit")
    case .thread: shapes.addLine(from: place.minX, to: place.maxX, y: place.midY, class: "thread")
    }
  }
}

extension RunFacts {
  /// Returns the CSS class for both the shapes and the label of a pebble.
  fileprivate func className(of pebble: Int) -> String {
    switch run.pebbles[pebble].outcome {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: skipKinds[pebble] == .blocked ? "blocked" : "skipped"
    }
  }
}
