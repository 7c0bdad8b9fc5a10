/// A builder that adds shapes to SVG text. The appearance of a shape depends on its class; see
/// `TimelineStyle`.
struct TimelineShapes {
  var text = ""

  mutating func addRectangle(_ place: Rectangle, class kind: String) {
    text += "<rect class=\"\(kind)\" x=\"\(place.minX.inPicture)\" y=\"\(place.minY.inPicture)\""
    text += " width=\"\(place.width.inPicture)\" height=\"\(place.height.inPicture)\"/>"
  }

  mutating func addLine(
    from begin: Double, to end: Double, y: Double, class kind: String
  ) {
    text += "<path class=\"\(kind)\" d=\"M\(begin.inPicture) \(y.inPicture)H\(end.inPicture)\"/>"
  }

  mutating func addDiamond(x: Double, y: Double, class kind: String) {
    text += "<path class=\"\(kind)\" d=\"M\((x - 4.5).inPicture) \(y.inPicture)"
    text += "l4.5-4.5l4.5 4.5l-4.5 4.5z\"/>"
  }

  /// Adds a line with an arrowhead. The head is a separate path, because some viewers do not apply
  /// the colours of dark mode to markers.
  mutating func addArrow(_ points: [(x: Double, y: Double)]) {
    guard points.count > 1, let end = points.last else { return }
    let before = points[points.count - 2]
    let course = points.map { "\($0.x.inPicture) \($0.y.inPicture)" }.joined(separator: "L")
    text += "<path class=\"cause\" d=\"M\(course)\"/>"
    let head =
      before.y == end.y
      ? "l-6-3.5v7z" : end.y > before.y ? "l-3.5-6h7z" : "l-3.5 6h7z"
    text += "<path class=\"head\" d=\"M\(end.x.inPicture) \(end.y.inPicture)\(head)\"/>\n"
  }

  mutating func addText(
    _ words: String, class kind: String, x: Double, baseline: Double, isGuarded: Bool = false
  ) {
    text += "<text"
    if !kind.isEmpty { text += " class=\"\(kind)\"" }
    text += " x=\"\(x.inPicture)\" y=\"\(baseline.inPicture)\""
    // The estimated width is enforced, because the fonts of the viewer are unknown.
    if isGuarded, !TextWidth.isMeasured(words) {
      let width = TextWidth.width(of: words, size: TimelineLayout.fontSize)
      text += " textLength=\"\(width.inPicture)\" lengthAdjust=\"spacingAndGlyphs\""
    }
    text += ">"
    text += words.inMarkup
    text += "</text>"
  }
}
