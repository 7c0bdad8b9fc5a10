/// Text that comes from a file, made safe to show: what would move the cursor, change colours, turn
/// the direction of writing or end the line shows as `�` instead.
func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    result.append(isUnprintable(scalar) ? "\u{FFFD}" : scalar)
  }
  return String(result)
}

/// The same for text of several lines: a sentence made elsewhere with foreign text in it.
func printableLines(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false)
    .map { printable(String($0)) }.joined(separator: "\n")
}

private func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
  // The zero-width joiner holds emoji together and moves nothing.
  if scalar == "\u{200D}" { return false }
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
    return true
  default:
    return false
  }
}
