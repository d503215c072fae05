import { el, longList, note } from './parts.js';

const FIRST = 400;

/** A field and the list that it narrows to what has the typed words in its text. */
export function filtered<T>(
  all: readonly T[],
  textOf: (one: T) => string,
  row: (one: T) => HTMLElement,
  label: string,
  nothing: string,
): readonly HTMLElement[] {
  const texts = all.map((one) => textOf(one).toLowerCase());
  const list = el('div', {});
  const field = el('input', { type: 'search', placeholder: label, 'aria-label': label });
  const fill = (): void => {
    const wanted = field.value.trim().toLowerCase();
    const found = all.filter((_, at) => texts[at]?.includes(wanted));
    list.replaceChildren(
      found.length === 0 ? note(nothing) : longList(found, FIRST, row, el('ul', { class: 'names' })),
    );
  };
  field.addEventListener('input', fill);
  fill();
  return [field, list];
}
