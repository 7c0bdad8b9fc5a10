/// The appearance of a timeline in light mode, in dark mode, and on paper.
enum TimelineStyle {
  static var css: String {
    """
    text { font: 11px system-ui, "DejaVu Sans", Arial, sans-serif; stroke-width: 3px; \
    stroke-linejoin: round; paint-order: stroke }
    .title { font-size: 16px; font-weight: 600 }
    .verdict { font-size: 12px }
    path { fill: none }
    .skipped { stroke-width: 1.2; stroke-dasharray: 2.5 1.5 }
    text.skipped { stroke-width: 3px; stroke-dasharray: none }
    .blocked { stroke-width: 1.2 }
    text.blocked { stroke-width: 3px }
    .guide { stroke-width: 1 }
    .others { stroke-width: 1; stroke-dasharray: 1 5 }
    .thread { stroke-width: 1.5 }
    .limit { stroke-width: 1 }
    .pause { stroke-width: 1.5; stroke-dasharray: 3 2 }
    .failed { stroke-width: 1 }
    text.failed { stroke-width: 3px }
    .chain { fill: none; stroke-width: 1.6 }
    .cause { stroke-width: 1.8 }
    .group { stroke-width: 1 }
    \(colours { $0.light })@media screen and (prefers-color-scheme: dark) {
    \(colours { $0.dark })}
    @media print { * { print-color-adjust: exact; -webkit-print-color-adjust: exact } }

    """
  }

  private static func colours(_ colour: (Hue) -> String) -> String {
    let ground = colour(.ground)
    return """
      .ground { fill: \(ground) }
      text { fill: \(colour(.text)); stroke: \(ground) }
      .soft { fill: \(colour(.soft)) }
      .guide { stroke: \(colour(.guide)) }
      .succeeded { fill: \(colour(.succeeded)) }
      .failed { fill: url(#failed); stroke: \(colour(.failed)) }
      text.failed { fill: \(colour(.failed)); stroke: \(ground) }
      .hatch { stroke: \(colour(.failed)) }
      .skipped { fill: \(ground); stroke: \(colour(.skipped)) }
      text.skipped { fill: \(colour(.soft)); stroke: \(ground) }
      .blocked { fill: \(colour(.failed)); stroke: \(colour(.failed)) }
      text.blocked { fill: \(colour(.failed)); stroke: \(ground) }
      .others, .thread { stroke: \(colour(.thread)) }
      .limit { fill: url(#limit); stroke: \(colour(.limit)) }
      .stripe { stroke: \(colour(.limit)) }
      .pause { stroke: \(colour(.text)) }
      .chain { stroke: \(colour(.text)) }
      .cause { stroke: \(colour(.cause)) }
      .head { fill: \(colour(.cause)) }
      .group { fill: \(ground); stroke: \(colour(.soft)) }
      .busy { fill: \(colour(.succeeded)) }

      """
  }

  /// The patterns of lines that mark failures (slanted) and limits (vertical).
  static let patterns = """
    <defs>
    <pattern id="failed" width="6" height="6" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(45)"><rect class="ground" width="6" height="6"/>\
    <path class="hatch" stroke-width="6" d="M2 0V6"/></pattern>
    <pattern id="limit" width="4" height="4" patternUnits="userSpaceOnUse">\
    <path class="stripe" stroke-width="1.5" d="M1 0V4"/></pattern>
    </defs>
    """
}
