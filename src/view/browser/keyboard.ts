import { address } from './data.js';
import { nextDay } from './timeline.js';

/** What the arrows walk over: of a line its own text before its source. */
const STOPS =
  '.names a, .markdown a, .contents summary, .cards h3 a, .lines a, .beliefs a.text, .more, .thread, .chip a, .rest';

/** `/` searches, arrows walk, Enter opens, Esc goes back. */
export function walk(field: HTMLInputElement, main: HTMLElement): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = document.activeElement instanceof HTMLInputElement;
    const done = isTyping ? whileTyping(event.key, field, main) : whileReading(event.key, field, main);
    if (done) event.preventDefault();
  });
}

/** @returns whether the key did something, as both of these */
function whileTyping(key: string, field: HTMLInputElement, main: HTMLElement): boolean {
  if (key === 'ArrowDown') return step(main, 1, field);
  if (key === 'Escape') return back(field, main);
  const first = main.querySelector<HTMLElement>('.lines a, .names a');
  if (key !== 'Enter' || first === null) return false;
  first.click();
  field.blur();
  return true;
}

function whileReading(key: string, field: HTMLInputElement, main: HTMLElement): boolean {
  if (key === 'ArrowDown' || key === 'ArrowUp') return step(main, key === 'ArrowDown' ? 1 : -1, field);
  if (key === 'ArrowLeft' || key === 'ArrowRight') return turn(key === 'ArrowRight' ? 1 : -1);
  if (key === 'Escape') return back(field, main);
  if (key !== '/') return false;
  field.focus();
  field.select();
  return true;
}

/** Out of an empty field to what is shown; else to what was shown before. */
function back(field: HTMLInputElement, main: HTMLElement): boolean {
  const isLeaving = document.activeElement === field && field.value === '';
  main.focus();
  if (!isLeaving) history.back();
  return true;
}

function step(main: HTMLElement, by: 1 | -1, field: HTMLInputElement): boolean {
  const stops = [...main.querySelectorAll<HTMLElement>(STOPS)];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = at === 0 && by === -1 ? field : stops[at === -1 ? (by === 1 ? 0 : -1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

/** From day to day on the timeline. */
function turn(by: 1 | -1): boolean {
  const shown = document.querySelector('.cell.chosen title')?.textContent?.slice(0, 10);
  const day = shown === undefined ? undefined : nextDay(shown, by);
  if (day !== undefined) location.assign(address('timeline', day));
  return day !== undefined;
}
