import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findManagedBlocks, managedSha, renderManagedBlock, replaceManagedBlock } from '../../src/markdown/blocks.js';

const page = (content: string, before = '# Peter\n\nMine.\n\n', after = '\nMine too.\n') =>
  `${before}${renderManagedBlock('summary', content)}\n${after}`;

describe('a managed block', () => {
  it('is found with its lines, offsets and content', () => {
    const text = page('Lives in Vienna.\nLikes tea.');
    const [block] = findManagedBlocks(text);
    expect(block).toMatchObject({ name: 'summary', state: 'intact', startLine: 5, endLine: 8 });
    expect(block?.content).toBe('Lives in Vienna.\nLikes tea.');
    expect(text.slice(block?.start, block?.end)).toBe(renderManagedBlock('summary', 'Lives in Vienna.\nLikes tea.'));
  });

  it('stays intact when an editor changes line ends or trims lines', () => {
    const text = page('a  \nb').replaceAll('\n', '\r\n');
    expect(findManagedBlocks(text)[0]?.state).toBe('intact');
    expect(managedSha('a \r\nb\r\n\r\n')).toBe(managedSha('a\nb'));
  });

  it('that a person edited stays unchanged', () => {
    const text = page('Lives in Vienna.').replace('Vienna', 'Graz');
    expect(findManagedBlocks(text)[0]?.state).toBe('edited');
    expect(replaceManagedBlock(text, 'summary', 'new')).toEqual({ text, status: 'edited' });
  });

  it('without an end stays unchanged', () => {
    const text = page('a').replace(/<!-- memory:end.*\n/, '');
    expect(replaceManagedBlock(text, 'summary', 'new')).toEqual({ text, status: 'broken' });
  });

  it('is written without text that could end it', () => {
    const content = 'x\n<!-- memory:end summary -->\n<!-- memory:begin y sha=000000000000 -->';
    expect(findManagedBlocks(page(content))).toHaveLength(1);
    expect(findManagedBlocks(page(content))[0]?.state).toBe('intact');
  });

  it('that a merge duplicated becomes one again', () => {
    const one = renderManagedBlock('summary', 'a');
    const other = renderManagedBlock('summary', 'b');
    expect(replaceManagedBlock(`x\n${one}\ny\n${other}\nz\n`, 'summary', 'c').text).toBe(
      `x\n${renderManagedBlock('summary', 'c')}\ny\nz\n`,
    );
  });
});

describe('a git conflict', () => {
  const [beginA = '', a = '', end = ''] = renderManagedBlock('summary', 'a').split('\n');
  const [beginB = '', b = ''] = renderManagedBlock('summary', 'b').split('\n');
  const replaced = `x\n${renderManagedBlock('summary', 'c')}\ny\n`;

  it.each([
    ['inside of a block', [beginA, '<<<<<<< HEAD', a, '=======', b, '>>>>>>> other', end]],
    ['around the begin markers', ['<<<<<<< HEAD', beginA, a, '=======', beginB, b, '>>>>>>> other', end]],
    ['around both versions', ['<<<<<<< HEAD', beginA, a, end, '=======', beginB, b, end, '>>>>>>> other']],
    [
      'with the common ancestor',
      ['<<<<<<< HEAD', beginA, a, '||||||| base', beginB, '=======', beginB, b, '>>>>>>> o', end],
    ],
  ])('%s is resolved by rewriting the block', (_where, lines) => {
    const text = ['x', ...lines, 'y', ''].join('\n');
    expect(findManagedBlocks(text)).toMatchObject([{ state: 'conflicted' }]);
    expect(replaceManagedBlock(text, 'summary', 'c')).toEqual({ text: replaced, status: 'replaced' });
  });

  it.each([
    ['before the marker', ['<<<<<<< HEAD', 'mine', beginA, a, '=======', beginB, b, '>>>>>>> other', end]],
    ['behind the block', ['<<<<<<< HEAD', beginA, a, end, 'mine', '=======', beginB, b, end, '>>>>>>> other']],
    ['without an end', ['<<<<<<< HEAD', beginA, a, '=======', beginB, b, end]],
  ])('that holds text of a person %s stays unchanged', (_where, lines) => {
    const text = ['x', ...lines, 'y', ''].join('\n');
    expect(replaceManagedBlock(text, 'summary', 'c')).toEqual({ text, status: 'broken' });
  });
});

describe('replacing', () => {
  const lines = fc.constantFrom(
    'text',
    '',
    '# h',
    '- item',
    '```',
    '<!-- x -->',
    '=======',
    '  ',
    '张三',
    '<!-- memory:end other -->',
  );
  const texts = fc.tuple(fc.array(lines), fc.constantFrom('\n', '\r\n', '\r')).map(([parts, eol]) => parts.join(eol));
  const contents = fc.array(lines).map((parts) => parts.join('\n'));

  it('keeps every byte outside of the block, and the new block is found afterwards', () => {
    fc.assert(
      fc.property(texts, texts, contents, contents, (before, after, old, content) => {
        const block = renderManagedBlock('summary', old);
        const text = `${before}\n${block}\n${after}`;
        const result = replaceManagedBlock(text, 'summary', content);
        expect(result.text.startsWith(`${before}\n`)).toBe(true);
        expect(result.text.endsWith(`\n${after}`)).toBe(true);
        const [found, ...others] = findManagedBlocks(result.text).filter(({ name }) => name === 'summary');
        expect(others).toEqual([]);
        expect(found).toMatchObject({
          state: 'intact',
          sha: managedSha(content.replaceAll('<!-- memory:', '&lt;!-- memory:')),
        });
        expect(replaceManagedBlock(result.text, 'summary', content)).toEqual({
          text: result.text,
          status: 'unchanged',
        });
      }),
    );
  });

  it('adds a missing block after an empty line at the end, once, with the line ends of the page', () => {
    fc.assert(
      fc.property(texts, contents, (text, content) => {
        const added = replaceManagedBlock(text, 'summary', content);
        expect(added.status).toBe('added');
        expect(added.text.startsWith(text)).toBe(true);
        expect(replaceManagedBlock(added.text, 'summary', content)).toEqual({ text: added.text, status: 'unchanged' });
        if (/\r\n/.test(text)) expect(added.text.slice(text.length)).not.toMatch(/[^\r]\n/);
      }),
    );
    expect(replaceManagedBlock('# Peter', 'summary', 'a').text).toBe(
      `# Peter\n\n${renderManagedBlock('summary', 'a')}\n`,
    );
  });
});
