import Configuration

/// What settings are read from, as the program does. Not in the file of a test: beside this import
/// the macros of tests do not compile.
func environment(_ variables: [String: String]) -> ConfigReader {
  ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
    .scoped(to: "tracker")
}
