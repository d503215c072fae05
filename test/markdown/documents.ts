import fc from 'fast-check';

/** Generators of Markdown-like documents that people would not write but files may contain. */

const containerMarks = [
  '> ',
  '>',
  '>\t',
  '- ',
  '-',
  '* ',
  '+\t',
  '1. ',
  '2) ',
  '10. ',
  '-   ',
  '-      ',
  '1.\t',
  '01. ',
];
const indents = ['', '', ' ', '  ', '   ', '    ', '     ', '\t', ' \t', '  \t', '\t\t', '        '];
const leaves = [
  '',
  '',
  'text',
  'more words here',
  '# Heading',
  '## Heading ##',
  '###### H6 # #',
  '#',
  '#no heading',
  '####### seven',
  '===',
  '=',
  '---',
  '-',
  '--',
  '- - -',
  '***',
  '* * *',
  '_ _ _',
  '```',
  '``` js',
  '~~~~ a `b`',
  '~~~',
  '````',
  '``` a`b',
  '`code',
  '``',
  '<div>',
  '</div>',
  '<!-- open',
  'close -->',
  '<!-- whole -->',
  '<!-->',
  '<script>',
  '</script> x',
  '<pre',
  '<?php',
  '?>',
  '<!DOCTYPE html>',
  '<![CDATA[',
  ']]>',
  '<table',
  '<p/>',
  '</p >',
  '[a]: /url',
  '[a]:',
  '/url "title"',
  '[b]: <x y> (t',
  'title)',
  '[c]: /u "t" x',
  '[d]: /u',
  '"title"',
  '\\# no',
  '1986. A year',
  '12345678901. x',
  '2025-11-27',
  '使用Redis缓存',
  '## 标题',
  'e\u0301 🎉',
  '\u00a0nbsp',
  '\u3000全角',
  'tail  ',
  'tail\\',
  '\f form',
  '\0 nul',
  '@Peter: x',
];
const lineEnds = ['\n', '\n', '\n', '\n', '\r\n', '\r'];

const line = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...indents), fc.constantFrom(...containerMarks)), { maxLength: 3 }),
    fc.constantFrom(...indents),
    fc.constantFrom(...leaves),
  )
  .map(([marks, indent, leaf]) => marks.flat().join('') + indent + leaf);

/** Lines of container marks, indents and block starts, thrown together. */
export const wildDocuments: fc.Arbitrary<string> = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, fc.constantFrom(...lineEnds)), { maxLength: 14 }), fc.boolean())
  .map(([bom, lines, cut]) => {
    const text = lines.flat().join('');
    return (bom ? '\uFEFF' : '') + (cut ? text.slice(0, -1) : text);
  });

/** Any sequence of the characters that mean something to block structure. */
export const characterSoup: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...'  \t\n\n\r>>--*+123.)#`~=<!/a[]:"\\'), { maxLength: 60 })
  .map((characters) => characters.join(''));
