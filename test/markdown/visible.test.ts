import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanMarkdown } from '../../src/markdown/scan.js';
import { visibleLines } from '../../src/markdown/visible.js';
import { wildDocuments } from './documents.js';

const visible = (text: string) => visibleLines(scanMarkdown(text));

describe('the indexed part of a line', () => {
  it('excludes comments, inside a line, at its end and across lines', () => {
    expect(visible('- W @Peter: in <!-- now --> Vienna <!-- trigger: x -->\n')).toEqual(['- W @Peter: in  Vienna ']);
    expect(visible('a\n<!-- b\n\nc\n--> d\ne\n')).toEqual(['a', '', '', '', ' d', 'e']);
    expect(visible('one <!-- two\nthree --> four\n')).toEqual(['one ', ' four']);
  });

  it.each([
    ['a code fence', '```html\n<!-- kept -->\n```\n'],
    ['indented code', '    <!-- kept -->\n'],
    ['a code span', 'Write `<!-- kept -->` there\n'],
    ['a code span of two backticks', 'Write `` ` <!-- kept --> `` there\n'],
    ['text behind a backslash', 'Write \\<!-- kept --> there\n'],
    ['a paragraph in which it does not end', 'Write <!-- kept\n\n--> there\n'],
  ])('keeps text that only looks like a comment in %s', (_where, text) => {
    expect(visible(text)).toEqual(text.slice(0, -1).split('\n'));
  });

  it('excludes front matter', () => {
    expect(visible('---\nname: Peter\n---\n# Peter\n')).toEqual(['', '', '', '# Peter']);
  });

  it('excludes the markers of a managed block, but not its content', () => {
    const text = '<!-- memory:begin summary sha=0123456789ab -->\nLives in Vienna.\n<!-- memory:end summary -->\n';
    expect(visible(text)).toEqual(['', 'Lives in Vienna.', '']);
  });

  it('has the same place for every kind of line end', () => {
    expect(visible('a <!-- x -->\r\nb\r<!-- y -->c\n')).toEqual(['a ', 'b', 'c']);
  });
});

describe('a dreaming block', () => {
  const start = (phase: string) => `<!-- openclaw:dreaming:${phase}:start -->`;
  const end = (phase: string) => `<!-- openclaw:dreaming:${phase}:end -->`;

  it('is excluded from its start to the end of the same phase, with headings and other phases inside', () => {
    const text = ['mine', start('light'), '- Candidate: x', '# y', start('rem'), 'z', end('light'), 'mine again'];
    expect(visible(text.join('\n'))).toEqual(['mine', '', '', '', '', '', '', 'mine again']);
  });

  it('without an end reaches to the next heading', () => {
    const text = [start('deep'), '- Candidate: x', '', '## Retain', '- W @Peter: in Vienna'];
    expect(visible(text.join('\n'))).toEqual(['', '', '', '## Retain', '- W @Peter: in Vienna']);
  });

  it('without an end does not reach into the next block of its phase, whatever lies between', () => {
    const text = [start('light'), 'a', '# mine', 'text', start('light'), 'b', end('light'), 'last'];
    expect(visible(text.join('\n'))).toEqual(['', '', '# mine', 'text', '', '', '', 'last']);
  });

  it('without an end and a heading reaches to the end of the file', () => {
    expect(visible(`a\n${start('light')}\n- b\n\nc\n`)).toEqual(['a', '', '', '', '']);
  });

  it('in a code fence is ordinary text', () => {
    const text = ['```', start('light'), 'a', end('light'), '```'];
    expect(visible(text.join('\n'))).toEqual(text);
  });
});

it('any document has as many visible lines as lines, each made of parts of its line', () => {
  const isPartOf = (part: string, whole: string): boolean => {
    let from = 0;
    // A space replaces a comment between two parts.
    for (const unit of part.replaceAll(' ', '').split('')) {
      from = whole.indexOf(unit, from) + 1;
      if (from === 0) return false;
    }
    return true;
  };
  const comments = fc.constantFrom('<!--', '-->', '<!-- x -->', '`', '\n', 'a', `<!-- openclaw:dreaming:a:start -->\n`);
  const documents = fc.oneof(
    wildDocuments,
    fc.array(comments, { maxLength: 20 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(documents, (text) => {
      const scan = scanMarkdown(text);
      const lines = visibleLines(scan);
      expect(lines.length).toBe(scan.lines.length);
      expect(lines.every((line, index) => isPartOf(line, scan.lines[index] ?? ''))).toBe(true);
    }),
  );
});
