// The pebbles that are listed: those that pass four filters.

/// A filter that keeps its answer for each pebble until it is asked another question.
class Filter {
  constructor(count) {
    this.passes = new Uint8Array(count).fill(1);
    this.question = '';
  }

  /// Asks another question; an empty question lets all pebbles pass. If the new question narrows
  /// the old one, only the pebbles that passed before are tested.
  ask(question, test, narrows = false) {
    if (question === this.question) return;
    const { passes } = this;
    if (question === '') {
      passes.fill(1);
    } else if (narrows && this.question !== '') {
      for (let k = 0; k < passes.length; k++) if (passes[k]) passes[k] = test(k) ? 1 : 0;
    } else {
      for (let k = 0; k < passes.length; k++) passes[k] = test(k) ? 1 : 0;
    }
    this.question = question;
  }
}

class Filters {
  constructor(count) {
    this.count = count;
    this.text = new Filter(count);
    this.outcome = new Filter(count);
    this.part = new Filter(count);
    this.time = new Filter(count);
  }

  get all() { return [this.text, this.outcome, this.part, this.time]; }

  /// Returns the pebbles that pass all filters, in the given order, or in definition order if no
  /// order is given.
  rows(order) {
    const rows = new Uint32Array(this.count), asked = this.all.filter(one => one.question !== '');
    const passes = asked.map(filter => filter.passes), last = passes.length;
    let length = 0;
    for (let place = 0; place < this.count; place++) {
      const k = order ? order[place] : place;
      let next = 0;
      while (next < last && passes[next][k]) next++;
      if (next === last) rows[length++] = k;
    }
    return rows.subarray(0, length);
  }

  /// Makes all filters test their pebbles again, because the run has changed.
  forget() { for (const filter of this.all) filter.question = `before ${filter.question}`; }
}

/// The names of pebbles, folded for searching. They are folded in idle time; a search folds the
/// names that are still missing.
class FoldedNames {
  constructor(names) {
    this.names = names;
    this.folded = [];
    this.foldInIdleTime();
  }

  foldInIdleTime() {
    const later = globalThis.requestIdleCallback;
    if (this.folded.length === this.names.length || !later) return;
    later(deadline => {
      while (deadline.timeRemaining() > 1 && this.folded.length < this.names.length) this.fold(500);
      this.foldInIdleTime();
    });
  }

  fold(count) {
    const end = Math.min(this.names.length, this.folded.length + count);
    while (this.folded.length < end) this.folded.push(searchable(this.names[this.folded.length]));
  }

  get all() {
    if (this.folded.length < this.names.length) this.fold(this.names.length);
    return this.folded;
  }

  /// Makes a filter search for the words of a text.
  search(filter, text) {
    const words = searchWords(text), question = words.join('');
    if (question === filter.question) return;
    const { all } = this, [word] = words;
    const test = words.length === 1
      ? k => all[k].includes(word) : k => words.every(each => all[k].includes(each));
    filter.ask(question, test, filter.question !== '' && question.startsWith(filter.question));
  }
}
