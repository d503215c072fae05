import { prepareQuery } from '../../src/text/query.js';
import { stripInjected } from '../../src/text/strip.js';
import type { VectorReport } from './report.js';

interface SanitizeRow {
  readonly input: string;
  readonly note: string;
  readonly stripped?: string;
  readonly sanitized?: string;
  readonly query?: string;
}

const TAG = /<[\s/]*(?:openviking-context|relevant-memories)(?![a-z])/i;

/**
 * `stripped` must match except for white space; `query` (or `sanitized`) must match. Without `stripped`, no tag may remain.
 */
export function runSanitize(rows: readonly SanitizeRow[]): VectorReport {
  const failures = rows.flatMap((row) => {
    const wrong: { id: string; expected: string; got: string }[] = [];
    const check = (what: string, expected: string, got: string) => {
      if (collapse(expected) !== collapse(got)) wrong.push({ id: `${row.note} (${what})`, expected, got });
    };
    const stripped = stripInjected(row.input);
    check('idempotent', stripped, stripInjected(stripped));
    if (row.stripped !== undefined) check('stripped', row.stripped, stripped);
    else if (TAG.test(stripped)) wrong.push({ id: row.note, expected: 'no tag', got: stripped });
    const query = row.query ?? row.sanitized;
    if (query !== undefined) check('query', query, prepareQuery(row.input).query);
    return wrong;
  });
  return { file: 'sanitize.json', total: rows.length, failures, notes: [] };
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
