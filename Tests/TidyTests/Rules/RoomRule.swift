/// A rule that the code of a room does not mention the rooms above it, so that it can be read,
/// tested and changed without them.
///
/// Names are compared as text. The rule therefore ignores names that the target declares in several
/// places, that the file itself declares, or that follow a dot.
struct RoomRule: TidyRule {
  let summary = "a room names only types of its own and of rooms below it"

  private let plan: RoomPlan
  /// The floors of the types that each target declares, keyed by target and by the name of the
  /// type.
  private let homes: [Substring: [Substring: Int]]
  private let inhabited: Set<Int>

  init(plan: RoomPlan, files: [SourceFile]) {
    self.plan = plan
    let sources = files.filter { $0.isInside("Sources") }
    inhabited = Set(sources.compactMap(plan.floor))
    homes = Dictionary(grouping: sources, by: \.target).mapValues { files in
      let types = files.flatMap { file in
        // One for each platform is still one.
        Set(file.typeDeclarations.filter(\.isShared).map(\.name))
          .map { ($0, plan.floor(of: file)) }
      }
      let places = Dictionary(grouping: types, by: \.0)
      return places.compactMapValues { $0.count == 1 ? $0[0].1 : nil }
    }
  }

  /// The violations for rooms of the plan that contain no file.
  var emptyRooms: [Violation] {
    plan.rooms.indices.filter { !inhabited.contains($0) }.map { floor in
      Violation(
        path: RoomPlan.path, line: plan.rooms[floor].line,
        sentence: "\(plan.rooms[floor].folder) has no Swift file; take it out of the list")
    }
  }

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isInside("Sources") else { return [] }
    guard let floor = plan.floor(of: file) else {
      let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
      return [file.violation(at: 1, "\(folder) is no room yet; list it in \(RoomPlan.path)")]
    }
    let above = homes[file.target, default: [:]].filter { $0.value > floor }
    var known = Set(file.typeDeclarations.map(\.name))
    return file.places(of: Set(above.keys)).compactMap { index in
      let token = file.tokens[index]
      guard index == 0 || file.tokens[index - 1].text != ".", let home = above[token.text],
        known.insert(token.text).inserted
      else { return nil }
      let (room, other) = (plan.rooms[floor].name, plan.rooms[home].name)
      return file.violation(
        at: token.line, "names `\(token.text)` of \(other), which is above \(room)")
    }
  }
}

extension SourceFile {
  /// The target of the file, such as `Pebbles` for a file in `Sources/Pebbles`.
  fileprivate var target: Substring {
    path.split(separator: "/").dropFirst().first ?? ""
  }
}
