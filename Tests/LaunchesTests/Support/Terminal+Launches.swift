import PebblesTestSupport

extension Terminal {
  /// Writes a program that starts `launches`, with a store of its own, and starts it as `./go`,
  /// which fits on narrow screens.
  func launch(_ arguments: String, as line: String = "./go") throws {
    let program = ProgramRun.executable("launches").path
    let store = folder.file("store.json")
    try folder.write("exec '\(program)' --store '\(store)' \(arguments)\n", to: "go")
    try type(line.replacing("./go", with: "sh go"))
  }
}
