import Configuration

/// Returns a reader of settings from environment variables, like the reader of the program. It is
/// not in the file of a test, because the import that it needs breaks the macros of tests.
func environment(_ variables: [String: String]) -> ConfigReader {
  ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
    .scoped(to: "tracker")
}
