import Foundation
import PebblesTestSupport
import Testing

@testable import pond

@Suite struct CompletionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func script(_ shell: String) -> String {
    Session([:]).run("completions \(shell)").output
  }

  private static let bash = URL(filePath: "/bin/bash")

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")),
    arguments: [
      (["la"], "laws"), (["c"], "chain compare check completions"), (["lint", "--st"], "--strict"),
      (["lint", "--format", "g"], "github"),
      (["draw", "--as", ""], Picture.names.joined(separator: " ")),
      (["show", "run"], ""), (["nothing", "--"], ""),
    ])
  func bashCompletes(_ words: [String], _ expected: String) throws {
    try folder.write(Array(script("bash").utf8), to: "pond.bash")
    let list = (["pond"] + words).map { "'\($0)'" }.joined(separator: " ")
    let test = """
      source \(folder.file("pond.bash"))
      COMP_WORDS=(\(list)); COMP_CWORD=\(words.count); _pond; echo "${COMPREPLY[*]}"
      """

    let ending = try folder.run(Self.bash, ["-uec", test])

    #expect(ending.error == "")
    #expect(ending.output == expected + "\n")
  }

  @Test(arguments: [("zsh", "/bin/zsh"), ("zsh", "/usr/bin/zsh"), ("fish", "/usr/bin/fish")])
  func otherShellsReadTheirScriptsIfTheyAreThere(_ shell: String, _ path: String) throws {
    let script = script(shell)
    for syntax in Command.all.map(\.syntax) {
      #expect(script.contains(syntax.name))
      for option in syntax.options { #expect(script.contains(option.name.dropFirst(2))) }
    }
    guard FileManager.default.isExecutableFile(atPath: path) else { return }
    try folder.write(Array(script.utf8), to: "script")
    let ending = try folder.run(URL(filePath: path), ["-n", folder.file("script")])
    #expect(ending.status == 0, "\(ending.error)")
  }
}
