/// Operands and options shared by several commands.
extension Operand {
  static let document = Operand(
    value: Option.Value(placeholder: "FILE", kind: .file),
    meaning: "give a file with a pond, a run or a journal, or - for standard input")

  static let run = Operand(
    value: Option.Value(placeholder: "RUN", kind: .file),
    meaning: "give a file with a run or a journal, or - for standard input")
}

extension Option {
  static let fail = Option(
    name: "--fail", value: Value(placeholder: "NAME[=CASE]"),
    summary: "assume that the pebble fails, perhaps as one of its cases: database=locked",
    isRepeated: true)

  static let succeed = Option(
    name: "--succeed", value: Value(placeholder: "NAME[=CASE]"),
    summary: "assume that the pebble succeeds, perhaps with a value or a case: flip=heads",
    isRepeated: true)

  static let disable = Option(
    name: "--disable", value: Value(placeholder: "NAME"),
    summary: "assume that the pebble takes no part", isRepeated: true)

  static let only = Option(
    name: "--only", value: Value(placeholder: "NAME"),
    summary: "only this pebble and the pebbles it needs, as a partial run does; may be repeated",
    isRepeated: true)

  static func most(_ usual: Int, _ what: String) -> Option {
    Option(
      name: "--most", value: Value(placeholder: "N"),
      summary: "show at most N \(what); \(usual) if not given")
  }
}
