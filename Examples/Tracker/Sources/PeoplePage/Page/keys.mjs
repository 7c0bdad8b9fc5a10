// Which keys move the selection, and where they are something else.

/// What a key means: an action, or nothing. `field` says what has the focus: 'text', 'number',
/// 'choice' or 'other'.
export function meaningOf({ key, field, isComposing, hasModifier }, pageRows) {
  // With a modifier a key is the browser's; while a letter is composed it is part of it.
  if (isComposing || hasModifier) return null;
  const move = moves(pageRows)[key];
  switch (field) {
    // Left and right, Home and End are within the text.
    case 'text': return ['Home', 'End'].includes(key) ? null : move ?? null;
    // Arrows count up and down.
    case 'number': return null;
    case 'choice': return null;
    case 'other': return move ?? null;
    default: throw new Error(`There is no field ${field}.`);
  }
}

function moves(pageRows) {
  return {
    ArrowDown: { type: 'moved', by: 1 },
    ArrowUp: { type: 'moved', by: -1 },
    PageDown: { type: 'moved', by: pageRows },
    PageUp: { type: 'moved', by: -pageRows },
    Home: { type: 'selected', place: 0 },
    End: { type: 'lastSelected' },
  };
}

export function fieldOf(element) {
  if (element.matches('select, input[type=radio], input[type=range]')) return 'choice';
  if (element.matches('input[type=number]')) return 'number';
  if (element.matches('input:not([type=checkbox], [type=button]), textarea')) return 'text';
  return 'other';
}
