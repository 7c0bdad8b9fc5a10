import Configuration

/// Returns a reader of settings from environment variables, like the program's. It has its own
/// file, because the import that it needs breaks the test macros.
func environment(_ variables: [String: String]) -> ConfigReader {
  ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
    .scoped(to: "tracker")
}
