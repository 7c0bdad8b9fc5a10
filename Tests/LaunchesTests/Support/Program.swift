import PebblesTestSupport

/// The real `launches`, run as a process, each time with a cache of its own.
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
