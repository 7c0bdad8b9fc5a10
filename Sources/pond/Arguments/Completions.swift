/// Shell completions, generated from the table of commands.
struct Completions {
  let syntaxes: [Syntax]

  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private var names: String { syntaxes.map(\.name).joined(separator: " ") }

  // MARK: bash

  private var bash: String {
    var script = """
      # pond completions bash > ~/.local/share/bash-completion/completions/pond
      _pond() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          COMPREPLY=($(compgen -W "\(names) --help --version" -- "$word"))
          return
        fi
        case "${COMP_WORDS[1]} $before" in

      """
    for syntax in syntaxes {
      for option in syntax.allOptions {
        guard case .words(let words)? = option.value?.kind else { continue }
        let list = words.joined(separator: " ")
        script += "    \"\(syntax.name) \(option.name)\")\n"
        script += "      COMPREPLY=($(compgen -W \"\(list)\" -- \"$word\")); return ;;\n"
      }
    }
    script += "  esac\n  [[ $word == -* ]] || return 0\n  case ${COMP_WORDS[1]} in\n"
    for syntax in syntaxes {
      let list = syntax.allOptions.map(\.name).joined(separator: " ")
      script += "    \(syntax.name))\n"
      script += "      COMPREPLY=($(compgen -W \"\(list)\" -- \"$word\")) ;;\n"
    }
    return script + "  esac\n}\ncomplete -o default -F _pond pond\n"
  }

  // MARK: zsh

  private var zsh: String {
    var script = """
      #compdef pond
      # pond completions zsh > a folder of $fpath/_pond
      local -a commands=(

      """
    for syntax in syntaxes { script += "  \("\(syntax.name):\(syntax.summary)".quoted)\n" }
    script += ")\nif ((CURRENT == 2)); then\n  _describe command commands\n  return\nfi\n"
    script += "local command=$words[2]\nshift words\n((CURRENT--))\ncase $command in\n"
    for syntax in syntaxes {
      script += "  \(syntax.name)) _arguments"
      for option in syntax.allOptions { script += " \\\n    \(Self.zsh(option).quoted)" }
      script += " \\\n    '*:file:_files' ;;\n"
    }
    return script + "esac\n"
  }

  private static func zsh(_ option: Option) -> String {
    // Brackets and colons have a meaning in these descriptions.
    let summary = option.summary.filter { !"[]:".contains($0) }
    let start = "\(option.isRepeated ? "*" : "")\(option.name)[\(summary)]"
    guard let value = option.value else { return start }
    switch value.kind {
    case .text: return "\(start):\(value.placeholder): "
    case .file, .newFile: return "\(start):\(value.placeholder):_files"
    case .words(let words): return "\(start):\(value.placeholder):(\(words.joined(separator: " ")))"
    }
  }

  // MARK: fish

  private var fish: String {
    var script = "# pond completions fish > ~/.config/fish/completions/pond.fish\n"
    script += "complete -c pond -n __fish_use_subcommand -l version -d 'show the version'\n"
    for syntax in syntaxes {
      script += "complete -c pond -f -n __fish_use_subcommand -a \(syntax.name) "
      script += "-d \(syntax.summary.quoted)\n"
    }
    for syntax in syntaxes {
      let condition = "__fish_seen_subcommand_from \(syntax.name)".quoted
      for option in syntax.allOptions {
        script += "complete -c pond -n \(condition) -l \(option.name.dropFirst(2)) "
        script += "-d \(option.summary.quoted)"
        switch option.value?.kind {
        case .words(let words)?: script += " -x -a \(words.joined(separator: " ").quoted)"
        case .text?: script += " -x"
        case .file?, .newFile?: script += " -r"
        case nil: break
        }
        script += "\n"
      }
    }
    return script
  }
}

extension String {
  /// The string in single quotes, escaped for a shell.
  fileprivate var quoted: String { "'\(replacing("'", with: "'\\''"))'" }
}
