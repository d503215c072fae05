import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

/** Words in one name each, and words in most lines. */
const RARE = 'decoy kelp anchor boiler viola quarry lantern saffron tundra walnut glacier cobalt'.split(' ');
const COMMON = 'plan note review draft idea week garden house'.split(' ');
const JUNK = /^(?:id|created-at|bg-color|collapsed)::?\s|^(?:---|-|\[!note\].*|!\[\[.*|%%.*|\(\(.*)$/;

interface Note {
  readonly path: string;
  readonly title: string;
  readonly alias: string;
  readonly tag: string;
  readonly token: string;
}

/** Notes as Obsidian and Logseq write them: each links to another and is mentioned in logs. */
function notes(): readonly (Note & { readonly text: string })[] {
  return RARE.flatMap((rare, i) =>
    COMMON.map((common, k) => {
      const n = i * COMMON.length + k;
      const title = [
        `${rare} ${common}`,
        `${common}, ${rare}`,
        `${rare}/${common} ${n}`,
        `2026010112${10 + (n % 50)}${i} ${rare} ${k}`,
      ][n % 4];
      const [name = '', alias, tag, token] = [title, `${rare}-${k} alias`, `t${n}/${rare}`, `x${n}.${rare}+${k}`];
      const other = RARE[(i + 1) % RARE.length];
      const isLogseq = n % 2 === 1;
      const head = isLogseq
        ? `alias:: ${alias}\ncollapsed:: true\n\n`
        : `---\nid: ${n}\naliases: [${alias}]\nbg-color: red\n---\n`;
      const body = isLogseq
        ? `- The ${common} of ${n} #${tag}\n\t- uses ${token} ^b${n}\n\t  id:: 64b8c1d2\n- ![[x.png]]\n- see [[${other} ${common}|that]]\n`
        : `> [!note] On ${n}\n> The ${common} of ${n} #${tag}\n\n---\nuses ${token} %%hidden%%\n![[x.png]]\nsee [[${other} ${common}]]\n`;
      const path = isLogseq ? `pages/${name.replaceAll('/', '___')}.md` : `${name}.md`;
      return { path, title: name, alias: alias ?? '', tag: tag ?? '', token: token ?? '', text: head + body };
    }),
  );
}

test('names, aliases, tags and odd tokens are found in any notes, without noise and with right citations', async () => {
  const all = notes();
  const log = all.map(({ title, alias }) => `- ${title} again, [[${title}]]; ${alias}\n`).join('');
  const files = Object.fromEntries(all.map(({ path, text }) => [path, text]));
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['.'] }",
    'journals/2026_03_10.md': log,
    ...files,
  });
  const asked = all.flatMap((note) => [
    { note, kind: 'title', query: note.title },
    { note, kind: 'alias', query: note.alias },
    { note, kind: 'tag', query: `#${note.tag}` },
    { note, kind: 'token', query: note.token },
  ]);
  const input = asked.map(({ query }) => JSON.stringify({ query })).join('\n');
  const { stdout } = await workspace.run(['recall', '--batch'], { input });
  const answers: readonly RecallAnswer[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const rate = (kind: string, isRight: (answer: RecallAnswer, path: string) => boolean): number => {
    const own = asked.flatMap((question, at) => (question.kind === kind ? [{ question, answer: answers[at] }] : []));
    return own.filter(({ question, answer }) => answer && isRight(answer, question.note.path)).length / own.length;
  };
  const isFirst = ({ results }: RecallAnswer, path: string) => results[0]?.path === path;
  const isThere = ({ results }: RecallAnswer, path: string) => results.some((result) => result.path === path);
  expect(rate('title', isFirst)).toBeGreaterThanOrEqual(0.95);
  expect(rate('title', isThere)).toBeGreaterThanOrEqual(0.99);
  for (const kind of ['alias', 'tag']) expect(rate(kind, isThere)).toBeGreaterThanOrEqual(0.9);
  expect(rate('token', isFirst)).toBeGreaterThanOrEqual(0.95);
  const shown = answers.flatMap(({ results }) => results.slice(0, 5));
  expect(shown.filter(({ content }) => JUNK.test(content))).toEqual([]);
  for (const { content, path, startLine, endLine } of answers.flatMap(({ results }) => results)) {
    const cited = workspace
      .read(path)
      .split('\n')
      .slice(startLine - 1, endLine)
      .join(' ');
    for (const word of content.match(/[\p{L}\p{N}]+/gu) ?? []) expect(cited).toContain(word);
  }
});

test('only the first index reports that logs with other names have facts with new ids', async () => {
  const workspace = testWorkspace({ 'journals/2026_03_10.md': '- W @Ivo: sold the piano\n' });
  const warnings = async () => (await workspace.json<{ warnings: readonly string[] }>(['index'])).warnings;
  expect(await warnings()).toEqual([expect.stringContaining('1 files were read as daily logs')]);
  workspace.write('journals/2026_03_11.md', '- x\n');
  expect(await warnings()).toEqual([]);
});
