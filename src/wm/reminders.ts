import { estimateTokens } from '../text/tokens.js';
import type { Bodies } from './document.js';
import { contentItems } from './items.js';
import { SECTION_NAMES, type SectionName } from './sections.js';

/** From here on a section should be consolidated. */
const CONSOLIDATE_BULLETS = 25;
const CONSOLIDATE_TOKENS = 1_500;
/** Budgets that nothing enforces: a section or document over it is reported, never cut. In tokens. */
export const SECTION_BUDGET = 2_000;
const DOCUMENT_BUDGET = 12_000;

/**
 * One line for each section that should be consolidated or is over its budget, and one for the whole document. Errors &
 * Corrections is append-only, so it is only ever reported.
 */
export function sizeReminders(bodies: Bodies): readonly string[] {
  const reminders: string[] = [];
  let total = 0;
  for (const name of SECTION_NAMES) {
    const bullets = contentItems(bodies[name]).length;
    const tokens = estimateTokens(bodies[name]);
    total += tokens;
    const reminder = sectionReminder(name, bullets, tokens);
    if (reminder !== undefined) reminders.push(reminder);
  }
  if (total > DOCUMENT_BUDGET) {
    reminders.push(`The document has about ${total} tokens, over its budget of ${DOCUMENT_BUDGET}.`);
  }
  return reminders;
}

function sectionReminder(name: SectionName, bullets: number, tokens: number): string | undefined {
  const size = `"${name}" has ${bullets} bullets and about ${tokens} tokens`;
  const over = tokens > SECTION_BUDGET ? `, over its budget of ${SECTION_BUDGET} tokens` : '';
  if (name === 'Errors & Corrections') {
    return over === '' ? undefined : `${size}${over}. It is append-only: keep new entries short.`;
  }
  if (bullets < CONSOLIDATE_BULLETS && tokens < CONSOLIDATE_TOKENS) return undefined;
  return (
    `${size}${over}. It must be consolidated with UPDATE: group by topic, keep every name, date, path and exact value, ` +
    `aim for at most ${CONSOLIDATE_BULLETS} bullets and ${CONSOLIDATE_TOKENS} tokens.`
  );
}
