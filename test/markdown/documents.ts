import fc from 'fast-check';

/** Generators of Markdown-like documents that people would not write but that files may contain. */

// biome-ignore format: short texts, many a line
const containerMarks = [
  '> ', '>', '>\t', '- ', '-', '* ', '+\t', '1. ', '2) ', '10. ', '-   ', '-      ', '1.\t', '01. ',
];
const indents = ['', '', ' ', '  ', '   ', '    ', '     ', '\t', ' \t', '  \t', '\t\t', '        '];
// biome-ignore format: short texts, many a line
const leaves = [
  '', '', 'text', 'more words here', '# Heading', '## Heading ##', '###### H6 # #', '#', '#no heading',
  '####### seven', '===', '=', '---', '-', '--', '- - -', '***', '* * *', '_ _ _', '```', '``` js', '~~~~ a `b`',
  '~~~', '````', '``` a`b', '`code', '``', '<div>', '</div>', '<!-- open', 'close -->', '<!-- whole -->', '<!-->',
  '<script>', '</script> x', '<pre', '<?php', '?>', '<!DOCTYPE html>', '<![CDATA[', ']]>', '<table', '<p/>', '</p >',
  '[a]: /url', '[a]:', '/url "title"', '[b]: <x y> (t', 'title)', '[c]: /u "t" x', '[d]: /u', '"title"', '\\# no',
  '1986. A year', '12345678901. x', '2025-11-27', '使用Redis缓存', '## 标题', 'e\u0301 🎉', '\u00a0nbsp', '\u3000全角',
  'tail  ', 'tail\\', '\f form', '\0 nul', '@Peter: x',
];
const lineEnds = ['\n', '\n', '\n', '\n', '\r\n', '\r'];

const line = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...indents), fc.constantFrom(...containerMarks)), { maxLength: 3 }),
    fc.constantFrom(...indents),
    fc.constantFrom(...leaves),
  )
  .map(([marks, indent, leaf]) => marks.flat().join('') + indent + leaf);

/** Lines of random container marks, indents and block starts. */
export const wildDocuments: fc.Arbitrary<string> = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, fc.constantFrom(...lineEnds)), { maxLength: 14 }), fc.boolean())
  .map(([bom, lines, cut]) => {
    const text = lines.flat().join('');
    return (bom ? '\uFEFF' : '') + (cut ? text.slice(0, -1) : text);
  });

/** Random sequences of the characters that have a meaning in block structure. */
export const characterSoup: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...'  \t\n\n\r>>--*+123.)#`~=<!/a[]:"\\'), { maxLength: 60 })
  .map((characters) => characters.join(''));

// biome-ignore format: short texts, many a line
const tags = [
  '<x>', '</x>', '<x a="1" b>', "<x y='\"'/>", '<x a=>', '<x  >', '</x y>', '<x', '<Div>', '<h1/>', '<h1 /', '<hr',
  '<pre>', '</PRE>', '<style x', '</style>', '<textarea>', '</textarea>', '<!x', '<!X>', '<!--', '-->', '<!--->',
  '<![CDATA[', ']]>', '<?', '?>', '<a:b>', '<x_y>', '<scriptx>', '<x>y', '<x>\t', '', '', 'text', '# h', '    code',
];

/** HTML blocks outside of containers. (remark lets a tag alone on a lazy line interrupt a paragraph; the standard does not.) */
export const htmlLines: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom('', '', ' ', '   '), fc.constantFrom(...tags)), { maxLength: 10 })
  .map((lines) => lines.map((parts) => parts.join('')).join('\n'));

// biome-ignore format: short texts, many a line
const definitionParts = [
  '[a]', '[a b]', '[\\]]', '[]', '[ ]', '[a', ':', ': ', ':\n', '/url', '<u r>', '<>', '<a\nb>', 'u(r)l', 'u(rl',
  'u\\(', ' "t"', "'t'", '\n"t', 't"', ' (t)', ' x', ' ', '\n', '\n', '\n===\n', '\n---\n', '\n\n', '[b]: c\n', '"',
];

/** Paragraphs that begin like link reference definitions, some underlined. */
export const definitionLines: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...definitionParts), { maxLength: 14 })
  .map((parts) => `[a]:${parts.join('')}\n===\n`);
