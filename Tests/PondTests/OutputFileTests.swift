import Foundation
import PebblesTestSupport
import Testing

@testable import pond

/// Tests of the files that `pond` writes.
@Suite struct OutputFileTests {
  private let folder: TemporaryFolder
  private let run: String
  private let manager = FileManager.default

  init() throws {
    folder = try TemporaryFolder()
    run = try folder.write(try Samples.run().jsonBytes(), to: "run.dot")
  }

  private func draw(
    to path: String, from document: String? = nil, input: String? = nil,
    output: ProgramRun.OutputTarget = .file
  ) throws -> ProgramRun {
    try folder.pond(
      ["draw", document ?? run, "--as", "dot", "-o", path], input: input, output: output)
  }

  @Test func aDocumentIsNotDrawnOverItselfWhateverItIsCalled() throws {
    try manager.createDirectory(atPath: folder.file("inside"), withIntermediateDirectories: true)
    try manager.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: run)
    try manager.createSymbolicLink(atPath: folder.file("inside/up"), withDestinationPath: "..")
    try manager.linkItem(atPath: run, toPath: folder.file("other"))
    let document = try folder.text(of: "run.dot")

    for name in ["run.dot", "./run.dot", "inside/../run.dot", "link", "inside/up/run.dot", "other"]
    {
      let path = folder.file(name)
      let result = try draw(to: path)

      #expect(result.status == 2)
      #expect(
        result.error
          == "pond: '\(path)' is the document to draw; name another file\n")
      #expect(try folder.text(of: "run.dot") == document)
    }
    #expect(try draw(to: run, from: folder.file("link")).status == 2)
    #expect(try draw(to: run, from: "-", input: run).status == 2)
    #expect(try folder.text(of: "run.dot") == document)
  }

  @Test func aPictureThatCannotBeWrittenWholeLeavesWhatWasThere() throws {
    try folder.write("before", to: "boot.dot")
    let program = ProgramRun.executable("pond").path
    for name in ["boot.dot", "new.dot"] {
      let result = try folder.run(
        URL(fileURLWithPath: "/bin/sh"),
        [
          "-c", "ulimit -f 1; exec \"$0\" \"$@\"", program, "draw", run, "--as", "html", "-o",
          folder.file(name),
        ])

      #expect(result.status == 2)
      #expect(
        result.error == "pond: cannot write '\(folder.file(name))': file too large\n")
    }

    #expect(try folder.text(of: "boot.dot") == "before")
    #expect(try folder.names == ["boot.dot", "run.dot"])
  }

  @Test func aFileThatIsReplacedKeepsItsPermissions() throws {
    let path = try folder.write("before", to: "boot.dot")
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)

    #expect(try draw(to: path).status == 0)

    #expect(try folder.text(of: "boot.dot").hasPrefix("digraph"))
    #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(try folder.names == ["boot.dot", "run.dot"])
  }

  @Test func aLinkLeadsToTheFileThatIsWritten() throws {
    try manager.createDirectory(atPath: folder.file("inside"), withIntermediateDirectories: true)
    try folder.write("before", to: "inside/old.dot")
    for name in ["old.dot", "new.dot"] {
      let link = folder.file(name)
      try manager.createSymbolicLink(atPath: link, withDestinationPath: "inside/\(name)")

      #expect(try draw(to: link).status == 0)

      #expect(try manager.destinationOfSymbolicLink(atPath: link) == "inside/\(name)")
      #expect(try folder.text(of: "inside/\(name)").hasPrefix("digraph"))
    }
  }

  @Test func whatIsNoFileIsWrittenAsItIs() throws {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    // With both ends here, opening it waits for nobody.
    let pipe = try #require(FileHandle(forUpdatingAtPath: path))
    #expect(try draw(to: path).status == 0)
    #expect(String(decoding: pipe.availableData, as: UTF8.self).hasPrefix("digraph"))

    #expect(try draw(to: "/dev/stdout").output.hasPrefix("digraph"))
    #expect(try draw(to: "/dev/null").status == 0)
    #expect(try draw(to: "/dev/stdout", output: .closedPipe).status == 0)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func aFullDeviceIsAnError() throws {
    let result = try draw(to: "/dev/full")

    #expect(result.status == 2)
    #expect(result.error == "pond: cannot write '/dev/full': no space left on device\n")
  }
}
