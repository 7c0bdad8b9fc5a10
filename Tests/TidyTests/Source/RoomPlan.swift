/// A folder of a target, or the files of the target itself.
struct Room: Equatable {
  /// From the root of the repository, such as `Sources/Pebbles/Engine`.
  let folder: String
  /// Where the plan lists it.
  let line: Int

  /// The folder inside of its target, or the target.
  var name: String {
    let parts = folder.split(separator: "/")
    return parts.dropFirst(parts.count > 2 ? 2 : 1).joined(separator: "/")
  }
}

/// The rooms of all targets, for each target from the ground up.
struct RoomPlan {
  /// Where it stands, for people and for the rule alike.
  static let path = "CONTRIBUTING.md"

  let rooms: [Room]
  private let floors: [String: Int]

  /// Reads the tables of the section *Rooms*: each row that begins with a folder of `Sources` lists
  /// a room.
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

  /// The index of the file's room: its folder or the nearest around it. A target is a room for the
  /// files right in it only.
  func floor(of file: SourceFile) -> Int? {
    let folders = file.path.split(separator: "/").dropLast()
    let depths = min(folders.count, 3)...folders.count
    return depths.reversed().lazy.compactMap { depth in
      floors[folders.prefix(depth).joined(separator: "/")]
    }.first
  }
}
