/// The public declarations of a module as a file keeps them: those of the last release, and what
/// came and went since.
///
/// A line is a mark of two columns and a declaration. The lines are sorted by declaration, so that
/// a change of the interface is a change of few lines that a reviewer sees.
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

  /// The interface of a release: nothing has come or gone since.
  init(released declarations: Set<String>) {
    marks = Dictionary(uniqueKeysWithValues: declarations.map { ($0, .released) })
  }

  /// The declarations of the last release that are there no more.
  var removed: [String] { marks.filter { $0.value == .removed }.keys.sorted() }

  /// The declarations that the module has, as far as the file knows.
  var present: Set<String> { Set(marks.filter { $0.value != .removed }.keys) }

  /// The record with the same last release, of a module that has other declarations now.
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
