/// The public declarations of a module as recorded in a file: those of the last release, and those
/// that have been added or removed since.
///
/// Each line consists of a mark of two columns and a declaration. The lines are sorted by
/// declaration, so that a change to the interface changes only a few lines, which a reviewer can
/// see.
struct InterfaceRecord: Equatable {
  enum Mark: String {
    case released = "  "
    case added = "+ "
    case removed = "- "
  }

  private var marks: [String: Mark]

  init(text: String) {
    marks = [:]
    for line in text.split(separator: "\n") {
      let mark = Mark(rawValue: String(line.prefix(2)))
      guard let mark else { continue }
      marks[String(line.dropFirst(2))] = mark
    }
  }

  /// Creates the record of a release, after which no declarations have been added or removed.
  init(released declarations: Set<String>) {
    marks = Dictionary(uniqueKeysWithValues: declarations.map { ($0, .released) })
  }

  /// The declarations of the last release that have been removed since.
  var removed: [String] { marks.filter { $0.value == .removed }.keys.sorted() }

  /// The declarations that the module has according to the record.
  var present: Set<String> { Set(marks.filter { $0.value != .removed }.keys) }

  /// Returns a record with the same last release for a module that now has the given declarations.
  func renewed(for declarations: Set<String>) -> Self {
    var renewed = Self(text: "")
    for declaration in declarations {
      renewed.marks[declaration] = (marks[declaration] ?? .added) == .added ? .added : .released
    }
    for (declaration, mark) in marks where mark != .added && !declarations.contains(declaration) {
      renewed.marks[declaration] = .removed
    }
    return renewed
  }

  var text: String {
    marks.sorted { $0.key < $1.key }.map { "\($0.value.rawValue)\($0.key)\n" }.joined()
  }
}
