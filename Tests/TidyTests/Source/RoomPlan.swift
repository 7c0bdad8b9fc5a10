/// A folder of a target, or the files directly in the folder of the target.
struct Room: Equatable {
  /// The path from the root of the repository, such as `Sources/Pebbles/Engine`.
  let folder: String
  /// The line of the plan that lists the room.
  let line: Int

  /// The path of the folder inside its target, or the name of the target.
  var name: String {
    let parts = folder.split(separator: "/")
    return parts.dropFirst(parts.count > 2 ? 2 : 1).joined(separator: "/")
  }
}

/// The rooms of all targets. The rooms of each target are in order, from the lowest to the highest.
struct RoomPlan {
  /// The path of the file that contains the plan, both for contributors and for the rule.
  static let path = "CONTRIBUTING.md"

  let rooms: [Room]
  private let floors: [String: Int]

  /// Creates a plan from the tables in the section *Rooms*. Each row that begins with a folder of
  /// `Sources` lists a room.
  init(markdown: String) {
    var isInSection = false
    var rooms: [Room] = []
    let lines = markdown.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in zip(1..., lines) {
      if line.hasPrefix("## ") { isInSection = line == "## Rooms" }
      guard isInSection, line.hasPrefix("| `Sources/") else { continue }
      let folder = line.split(separator: "`")[1].split(separator: "/").joined(separator: "/")
      rooms.append(Room(folder: folder, line: number))
    }
    self.rooms = rooms
    let floors = zip(rooms.map(\.folder), rooms.indices)
    self.floors = Dictionary(floors) { lower, _ in lower }
  }

  /// Returns the index of the room of a file: its folder, or the nearest listed folder around it.
  /// The room of a target itself contains only the files directly in its folder.
  func floor(of file: SourceFile) -> Int? {
    let folders = file.path.split(separator: "/").dropLast()
    let depths = min(folders.count, 3)...folders.count
    return depths.reversed().lazy.compactMap { depth in
      floors[folders.prefix(depth).joined(separator: "/")]
    }.first
  }
}
