/// A rule that limits the number of lines in a file. A longer file should be split by topic.
struct FileLengthRule: TidyRule {
  let limit = 400
  let summary = "files have at most 400 lines"

  func violations(in file: SourceFile) -> [Violation] {
    let count = file.lines.count
    guard count > limit else { return [] }
    return [
      file.violation(
        at: limit + 1, "the file has \(count) lines, over \(limit); split it by topic")
    ]
  }
}
