/// A rule for the rooms of a target: a lower room must be readable, testable and changeable without
/// any room above it.
///
/// Names are compared as text. Therefore, a name is ignored if the target declares it in several
/// places, if the file itself declares it, or if it follows a dot.
struct RoomRule: TidyRule {
  let summary = "a room names only types of its own and of rooms below it"

  private let plan: RoomPlan
  /// The floors of the types that each target declares, keyed by target and then by type.
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

  /// Violations for the rooms in the plan that contain no files.
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
  /// The name of the target. For example, it is `Pebbles` for a file in `Sources/Pebbles`.
  fileprivate var target: Substring {
    path.split(separator: "/").dropFirst().first ?? ""
  }
}
