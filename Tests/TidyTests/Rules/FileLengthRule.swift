/// A file is a room: past 400 lines it is two.
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
