import PebblesTestSupport

/// A way to run `launches` itself as a process, with its cache in a temporary folder.
struct Program {
  let folder: TemporaryFolder

  func run(
    _ arguments: [String], output: ProgramRun.OutputTarget = .file,
    workingDirectory: String? = nil
  ) throws -> ProgramRun {
    try ProgramRun(
      of: ProgramRun.executable("launches"), arguments, output: output,
      workingDirectory: workingDirectory,
      environment: ["XDG_CACHE_HOME": folder.file("cache"), "HOME": folder.path])
  }
}
