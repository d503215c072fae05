import fc from 'fast-check';
import { SECTION_NAMES } from '../../src/wm/document.js';

// Short words from a small pool, so that items recur as duplicates, prefixes and substrings.
// biome-ignore format: short texts, many a line
const WORDS = [
  'Marta', 'redis', 'Use', 'not', 'use', 'port', '6380', 'v2.3.1', 'src/a.ts', 'read/write', 'Dockerfile', 'CI',
  'specific', '2026-03-01', '3 months', '支付网关', '不要使用', '缓存', 'ключ', 'naïve', '🔑', '[x]', '[new]', 'done',
  'resolved', '`code`', '**bold**', '#42', '--', 'a_b', '$4,200', 'it’s',
];

// biome-ignore format: short texts, many a line
const HOSTILE = [
  '# Working Memory', '## Open Issues', '## Key Facts & Decisions', '##  Current State ##', '## session title:',
  'Key Facts\n---', '===', '---', '```', '~~~~', '`````md', '<!--', '-->', '<pre>', '<script>', '<![CDATA[', '<?php',
  '<div>', '> ## quoted', '> a\n> ---\n> ===', '- ## nested', '1. # nested', '\t## tab', '    ## code', '# ', '#',
  '- - - x', '[restored] x', '[silently dropped, restored] x', '_未解决问题、阻塞项、后续风险_', '_italic_', '* * *',
  '[⚠ CONSOLIDATION REQUIRED: Key Facts exceeds size limit. You MUST use UPDATE to merge and compress existing bullets before adding new facts.]',
  'x\u2028## Open Issues', 'x\u0085# y', '\uFEFF## Open Issues', '\u0000', 'a\rb', '[a]: <b', '$1 $& {{y}}', '\\# x',
];

const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
const bullet = fc
  .tuple(fc.constantFrom('- ', '* ', '1. ', '2) ', '  - ', '+ ', '- [ ] ', '- [resolved] ', ''), words)
  .map((parts) => parts.join(''));
const anything = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 12 }));

/** One or several lines of Working Memory text: mostly sane, often hostile. */
export const line = fc.oneof(
  { weight: 6, arbitrary: bullet },
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: anything },
  { weight: 1, arbitrary: fc.constant('') },
);

export const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));

/** An old document: sections in any order, repeated, missing or unknown, or no Working Memory at all. */
export const oldDocument = fc.oneof(
  { weight: 1, arbitrary: text },
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.oneof(fc.constant('# Working Memory\n\n'), text),
        fc.array(fc.tuple(fc.constantFrom(...SECTION_NAMES, 'Runbook', 'key facts and decisions:'), text), {
          maxLength: 9,
        }),
        fc.constantFrom('\n', '\r\n'),
      )
      .map(([head, sections, lineEnd]) =>
        `${head}\n${sections.map(([name, body]) => `## ${name}\n${body}`).join('\n\n')}`.replaceAll('\n', lineEnd),
      ),
  },
);

const operation = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ op: 'KEEP' }) },
  { weight: 5, arbitrary: text.map((content) => ({ op: 'UPDATE', content })) },
  { weight: 4, arbitrary: fc.array(line, { maxLength: 4 }).map((items) => ({ op: 'APPEND', items })) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.jsonValue(),
      fc.record({ op: fc.jsonValue(), content: fc.jsonValue(), items: fc.jsonValue() }),
    ),
  },
);

/** Operations for any of the sections, well-formed or not. */
export const operations = fc.dictionary(fc.constantFrom(...SECTION_NAMES), operation, { noNullPrototype: true });
