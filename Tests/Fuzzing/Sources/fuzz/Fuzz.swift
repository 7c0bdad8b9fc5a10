import Fuzzing

/// `fuzz TARGET [OPTION …] [FOLDER or FILE …]`.
@main struct Fuzz {
  static func main() {
    FuzzTarget.run([.models, .runs, .conditions, .journals, .commands, .pages])
  }
}
