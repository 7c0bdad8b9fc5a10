import Foundation

/// A copy of the package into which all mutants are compiled.
struct PackageCopy {
  let workplace: Workplace

  /// The addition to the manifest. It adds the target that activates mutants, and optimizes the
  /// most frequently run targets, but keeps their assertions.
  private static let manifest = """

    package.targets.append(.target(name: "ActiveMutant"))
    let mutated = ["Pebbles", "PebblesAnalysis", "PebblesDurable", "PebblesPictures"]
    for target in package.targets {
      if mutated.contains(target.name) { target.dependencies.append("ActiveMutant") }
      if mutated.contains(target.name) || target.name == "PebblesTestSupport" {
        target.swiftSettings! += [.unsafeFlags(["-O", "-assert-config", "Debug"])]
      }
    }

    """

  /// Updates the copy from the repository, except for the sources with mutants.
  ///
  /// - Returns: The paths of the sources in which mutants are to be made.
  func update() throws -> [String] {
    let listed = try ChildProcess(
      arguments: [
        "git", "-C", workplace.root, "ls-files", "--cached", "--others", "--exclude-standard",
      ]
    ).output()
    let paths = listed.split(separator: "\n").map(String.init).filter { path in
      FileManager.default.fileExists(atPath: "\(workplace.root)/\(path)")
        && !path.hasPrefix("Tests/Mutation/")
    }
    try removeAllBut(paths)
    var mutated: [String] = []
    for path in paths {
      if path.hasSuffix(".swift"), Room.room(of: path) != nil {
        mutated.append(path)
      } else if path == "Package.swift" {
        let text = try Workplace.read("\(workplace.root)/\(path)")
        try Workplace.write(text + Self.manifest, to: "\(workplace.package)/\(path)")
      } else if path != ScriptMutants.page {
        try copy(path)
      }
    }
    try addSwitch()
    return mutated.sorted()
  }

  private func copy(_ path: String) throws {
    let from = "\(workplace.root)/\(path)"
    let to = "\(workplace.package)/\(path)"
    let manager = FileManager.default
    if manager.contentsEqual(atPath: from, andPath: to) { return }
    try manager.createDirectory(
      atPath: (to as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try? manager.removeItem(atPath: to)
    try manager.copyItem(atPath: from, toPath: to)
  }

  private func removeAllBut(_ paths: [String]) throws {
    let kept = Set(paths)
    let manager = FileManager.default
    guard let walk = manager.enumerator(atPath: workplace.package) else { return }
    let stale = walk.compactMap { $0 as? String }.filter { path in
      var isFolder: ObjCBool = false
      _ = manager.fileExists(atPath: "\(workplace.package)/\(path)", isDirectory: &isFolder)
      return !isFolder.boolValue && !kept.contains(path) && !path.hasPrefix("Sources/ActiveMutant")
        && path != ScriptMutants.addition && path != "Package.resolved"
    }
    for path in stale { try manager.removeItem(atPath: "\(workplace.package)/\(path)") }
  }

  private func addSwitch() throws {
    let folder = "\(workplace.package)/Sources/ActiveMutant"
    try Workplace.write(ActiveMutant.header, to: "\(folder)/include/ActiveMutant.h")
    try Workplace.write(ActiveMutant.code, to: "\(folder)/ActiveMutant.c")
  }
}
