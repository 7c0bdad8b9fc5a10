/// The one place where the state is.
export class Store {
  /// `perform` does what a command says; `show` is told of every state with the one before.
  constructor(state, reduce, { perform, show }) {
    Object.assign(this, { state, reduce, perform, show });
    this.waiting = [];
    this.isBusy = false;
  }

  /// Takes an action. One that comes while another is taken waits for its turn.
  send(action) {
    this.waiting.push(action);
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      while (this.waiting.length) this.take(this.waiting.shift());
    } finally {
      this.isBusy = false;
    }
  }

  take(action) {
    const before = this.state, [state, commands] = this.reduce(before, action);
    this.state = state;
    if (state !== before) this.show(state, before);
    for (const command of commands) this.perform(command);
  }
}
