// The panel with the details of the selected pebble or group.

class Detail {
  constructor(inspector) {
    this.inspector = inspector;
    this.showSoon = onceAFrame(() => this.show());
    for (const change of ['pick', 'earlier']) inspector.on(change, this.showSoon);
    // The details of a group depend on the listed pebbles.
    inspector.on('rows', () => {
      const isOfGroup = this.isOfGroup || inspector.pickedGroup >= 0;
      if (isOfGroup && !inspector.run.isLive) this.showSoon();
    });
    // While the run is under way, an element that has the focus is not replaced.
    inspector.on('glance', () => byID('detail').contains(document.activeElement) || this.showSoon());
    inspector.on('ending', () => {
      this.show();
      const answer = [...byID('answer')?.children ?? []].map(part => part.textContent).join(' ');
      say(shortened(answer || 'As it was.', 400));
    });
    inspector.on('pick', () => this.announce());
    this.show();
  }

  get title() {
    const { run, picked, pickedGroup, outline } = this.inspector;
    if (pickedGroup >= 0) return visible(outline.groups.titles[pickedGroup]);
    return picked < 0
      ? 'The run' : `${run.mark(picked)} ${visible(run.names[picked])}`;
  }

  get sections() {
    const { inspector } = this, { picked } = inspector;
    if (inspector.pickedGroup >= 0) return groupSections(inspector);
    return picked < 0 ? blameSections(inspector) : sectionsOf(inspector, picked);
  }

  get text() { return textOf(this.inspector.run, this.title, this.sections); }

  show() {
    const { inspector } = this, { picked, supposed } = inspector, name = this.title;
    this.isOfGroup = inspector.pickedGroup >= 0;
    const heading = element('h2', {}, shortened(name, 400));
    const content = this.sections.flatMap(section => this.section(section));
    const hasWhatIf = !inspector.run.isLive && (picked >= 0 || supposed.size > 0);
    const parts = [heading, ...content, ...(hasWhatIf ? whatIf(inspector) : [])];
    const panel = byID('detail'), focused = document.activeElement;
    const hadFocus = panel.contains(focused) && focused !== panel;
    panel.replaceChildren(...parts);
    // The focus stays in the panel if it was there.
    if (hadFocus) (focused.id && byID(focused.id) || panel).focus();
  }

  section({ title, lines }) {
    const { run } = this.inspector;
    const content = ({ parts }) => parts.map(part =>
      typeof part === 'number' ? pebbleLink(run, part) : part);
    if (!title) return lines.map(line => element('p', {}, ...content(line)));
    const items = lines.map(line => {
      const item = element('li', { class: line.moot ? 'moot' : '' }, ...content(line));
      item.style.paddingLeft = `${line.depth * 14}px`;
      const sign = { class: `sign ${signs[line.mark]}` };
      if (line.mark) item.prepend(element('span', sign, `${line.mark} `));
      return item;
    });
    return [element('h3', {}, title), element('ul', {}, ...items)];
  }

  /// Announces the selection to screen readers, because the focus may be elsewhere.
  announce() {
    const { run, picked, pickedGroup, outline } = this.inspector;
    if (pickedGroup >= 0) {
      const isOpen = outline.isOpen(pickedGroup) ? 'open' : 'closed';
      say(`${this.title}, ${isOpen}. ${countsText(outline.countsOf(pickedGroup))}.`);
    }
    if (picked >= 0) say(`${visible(run.names[picked])}. ${endingSentence(run, picked)}`);
  }
}

const signs = {
  '✓': 'good', '✗': 'bad', '⊘': 'bad', '○': 'none', '?': 'none', '•': 'none', '▸': 'none',
  '·': 'none',
};

/// Announces a text to screen readers or, if it is loud, shows it to all users for a while.
function say(text, isLoud = false) {
  const status = byID('status');
  status.classList.toggle('loud', isLoud);
  status.classList.toggle('unseen', !isLoud);
  status.textContent = text;
  if (isLoud) setTimeout(() => status.classList.replace('loud', 'unseen'), 6000);
}
