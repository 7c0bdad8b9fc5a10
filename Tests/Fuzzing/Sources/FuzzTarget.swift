/// Something that reads what others have written, and what is true of it for any bytes.
struct FuzzTarget: Sendable {
  let name: String

  /// Does with the bytes what a user would, and calls ``fail(_:)`` if something is wrong.
  let examine: @Sendable (_ bytes: [UInt8]) -> Void

  static let all = [models, runs, conditions, journals, commands, pages]

  /// For how long an input of less than 100 kB may be worked on.
  static let mostSeconds = 1.0

  /// The one that the command line names.
  static let chosen: FuzzTarget = {
    let name = CommandLine.arguments.dropFirst().first ?? ""
    guard let target = all.first(where: { $0.name == name }) else {
      fail("there is no target '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
    }
    return target
  }()
}
