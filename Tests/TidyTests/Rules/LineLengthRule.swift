/// A rule that limits the length of lines, so that two files fit side by side on a screen.
///
/// The formatter limits the length of lines of code, but neither of comments nor of multiline
/// strings.
struct LineLengthRule: TidyRule {
  let limit = 100
  let summary = "lines have at most 100 columns"

  func violations(in file: SourceFile) -> [Violation] {
    zip(1..., file.lines).compactMap { number, line in
      let count = line.count
      guard count > limit else { return nil }
      return file.violation(
        at: number, "the line has \(count) columns, over \(limit); break it")
    }
  }
}
