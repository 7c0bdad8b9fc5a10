import Foundation
import Pebbles
import Testing

@testable import pond

@Suite struct UsageTests {
  private let session: Session

  init() throws {
    session = try Session.withSamples()
  }

  @Test(arguments: [
    ("shwo", "there is no command 'shwo'; did you mean show?\nTry pond --help."),
    (
      "show",
      "FILE is missing: give a file with a pond, a run or a journal, or - for standard input\n"
        + "Try pond show --help."
    ),
    ("show a b", "'b' is one operand too many\nTry pond show --help."),
    ("why run.json", "PEBBLE is missing: give the name of a pebble\nTry pond why --help."),
    ("why run.json sotre", "no pebble is named sotre; did you mean store?"),
    (
      "show --jsn run.json",
      "there is no option '--jsn'; did you mean --json?\n"
        + "Try pond show --help."
    ),
    (
      "show run.json --color=alway",
      "--color takes auto, always or never, not 'alway'; "
        + "did you mean always?\nTry pond show --help."
    ),
    ("show run.json --most", "--most needs N after it\nTry pond show --help."),
    (
      "show run.json --most 0",
      "--most takes a whole number from 1 on, not '0'\n"
        + "Try pond show --help."
    ),
    ("show run.json --json=yes", "--json takes no value\nTry pond show --help."),
    ("show run.json --json --json", "--json is given twice\nTry pond show --help."),
    (
      "lint - --json --format github",
      "--json and --format github exclude each other; give one of them\n"
        + "Try pond lint --help."
    ),
    (
      "show run.json --format github",
      "--format takes text or json, not 'github'\n"
        + "Try pond show --help."
    ),
    ("show none.json", "cannot read 'none.json'"),
    (
      "chain boot.json",
      "'boot.json' holds no run, only the definition of a pond; chain needs a run"
    ),
    (
      "check run.json --makespan soon",
      "--makespan takes a time such as 800ms or 1.5s, not 'soon'\n"
        + "Try pond check --help."
    ),
    (
      "check run.json --pebble ping",
      "--pebble takes NAME=LIMIT, not 'ping'\n"
        + "Try pond check --help."
    ),
    ("check run.json --pebble pnig=1s", "no pebble is named pnig; did you mean ping?"),
    (
      "whatif run.json --faster ping=0",
      "--faster takes a factor above zero such as 1.2, not '0'\n"
        + "Try pond whatif --help."
    ),
    (
      "whatif run.json --takes ping=9999999999min",
      "--takes takes a time of at most 292 years, not '9999999999min'\n"
        + "Try pond whatif --help."
    ),
    (
      "whatif boot.json --takes ping=1s",
      "'boot.json' holds no run, only the definition of a pond, which has no times to change"
    ),
    (
      "compare - -",
      "standard input, -, can be read for one file, not for two\n"
        + "Try pond compare --help."
    ),
    (
      "check - --baseline -",
      "standard input, -, can be read for one file, not for two\n"
        + "Try pond check --help."
    ),
    ("laws boot.json --end shwo*", "no pebble is named \"shwo*\""),
    (
      "laws boot.json ping",
      "the law \"ping\" is not understood: line 1, column 5: there should be "
        + "a . here, for the outcome of ping, such as .succeeded, not the end"
    ),
    (
      "endings boot.json --where ping.fail",
      "the condition \"ping.fail\" is not understood: line 1, "
        + "column 6: there should be succeeded, failed, skipped, completed, settled, timedOut or "
        + "is here, "
        + "not \"fail\""
    ),
    (
      "completions tcsh",
      "there are bash, zsh and fish, not 'tcsh'\n"
        + "Try pond completions --help."
    ),
    ("\u{1B}[31m", "there is no command '\\u{1B}[31m'\nTry pond --help."),
  ])
  func whatIsNotUnderstoodIsASentence(_ line: String, _ sentence: String) {
    let result = session.run(line)

    #expect(result.error == "pond: \(sentence)\n")
    #expect(result.output == "")
    #expect(result.status == 2)
  }

  @Test func aPondWithoutEndsIsNamed() {
    let file = #"{"name": "boot", "pebbles": [{"name": "a"}, {"name": "b"}]}"#

    let result = Session(["x.json": Array(file.utf8)]).run("laws x.json")

    #expect(
      result.error
        == "pond: 'x.json' has no ends: pebbles that wait for others, and that no other waits for; "
        + "name some with --end, or give a law\n")
    #expect(result.status == 2)
  }

  @Test func withoutACommandThereIsHelpAndNoSuccess() {
    let result = session.run("")

    #expect(result.error == session.run("--help").output)
    #expect(result.output == "")
    #expect(result.status == 2)
  }

  @Test func theVersionIsToldAsItIsEverywhere() {
    let result = session.run("--version")

    #expect(result.output == "pond \(Pond.packageVersion)\n")
    #expect(result.status == 0)
    #expect(session.run("--help").output.contains("pond --version"))
    #expect(session.run("--verison").error.contains("did you mean --version?"))
    for line in ["show", "draw", "why run.json", "help", "help show", "--help"] {
      let after = session.run("\(line) --version")
      #expect(after.output == result.output, "\(line)")
      #expect(after.status == 0, "\(line)")
    }
    #expect(session.run("show run.json -- --version").status == 2)
  }

  @Test func helpNamesEveryCommandAndItsEveryOption() {
    for help in ["help", "--help", "-h"] {
      let overview = session.run(help)
      #expect(overview.status == 0)
      for command in Command.all {
        #expect(overview.output.contains("\n  \(command.syntax.name) "))
      }
    }
    for syntax in Command.all.map(\.syntax) {
      let help = session.run("\(syntax.name) --help")
      #expect(help.status == 0)
      #expect(session.run("help \(syntax.name)").output == help.output)
      for option in syntax.allOptions {
        #expect(help.output.contains("  \(option.usage)  "), "\(syntax.name) \(option.name)")
      }
    }
  }

  @Test func optionsStandAnywhereAndEndBehindTwoDashes() {
    let plain = session.run("show run.json --most 1")

    #expect(session.run("show --most=1 run.json").output == plain.output)
    #expect(session.run("show --most 1 -- run.json").output == plain.output)
    #expect(session.run("show -- --most").error == "pond: cannot read '--most'\n")
  }

  @Test(arguments: [
    ("1.5s", 1_500_000_000), ("800ms", 800_000_000), ("20us", 20_000), ("20µs", 20_000),
    ("7ns", 7), ("2min", 120_000_000_000), ("0s", 0),
  ])
  func timesAreRead(_ text: String, nanoseconds: Int64) throws {
    let arguments = try Arguments(["run.json"], of: Command.check.syntax)

    #expect(try arguments.duration(text, of: "--makespan") == .nanoseconds(nanoseconds))
  }

  @Test(arguments: [
    "", "s", "-1s", "+1s", "1", "0x1s", "1e3s", "infs", "99999999999999999s", "1 s",
  ])
  func otherTimesAreRefused(_ text: String) throws {
    let arguments = try Arguments(["run.json"], of: Command.check.syntax)

    #expect(throws: UsageError.self) { try arguments.duration(text, of: "--makespan") }
  }

  @Test(arguments: [
    ("showOffline", "show*", true), ("showOffline", "*line", true), ("showOffline", "*", true),
    ("showOffline", "s*O*e", true), ("showOffline", "show", false), ("aa", "a*a*a", false),
    ("showOffline", "*x*", false), ("", "*", true),
  ])
  func starsStandForAnyLetters(_ name: String, _ pattern: String, matches: Bool) {
    #expect(name.matches(pattern) == matches)
  }
}
