import PebblesTestSupport

extension Terminal {
  /// Writes a script that starts `launches` with its own store, and starts the script. The name of
  /// the script, `go`, is short enough for narrow screens.
  func launch(_ arguments: String, as line: String = "./go") throws {
    let program = ProgramRun.executable("launches").path
    let store = folder.file("store.json")
    try folder.write("exec '\(program)' --store '\(store)' \(arguments)\n", to: "go")
    try type(line.replacing("./go", with: "sh go"))
  }
}
