import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ok } from '../../src/base/failure.js';
import { listArchives, newestOverview } from '../../src/session/archive/archives.js';
import { commitSession } from '../../src/session/commit.js';
import { sessionPaths } from '../../src/session/log/meta.js';
import { type MessageDraft, messageText } from '../../src/session/message.js';
import type { SessionWorkspace } from '../../src/session/session.js';
import { findSection, isDocumentTitle, itemOfLine, SECTION_NAMES } from '../../src/wm/document.js';
import { withoutRestoredTag } from '../../src/wm/status.js';
import { cases } from '../support/cases.js';
import { Random } from '../support/random.js';
import {
  add,
  answers,
  archiveFile,
  calls,
  everything,
  ScriptedModel,
  says,
  TEMPLATES,
  testPlace,
  textsOf,
} from './support.js';

const COMMITS = cases(300, 60);

test('commits with hostile answers keep every message in order and explain every lost item', async () => {
  const random = new Random(7);
  const place = testPlace();
  const model = new ScriptedModel((_, turn) => hostileAnswer(random, turn), 16_000);
  const said: string[] = [];
  let before = '';
  for (let commit = 0; commit < COMMITS; commit++) {
    const turn = turnOf(random, commit);
    said.push(...turn.map((draft) => messageText(draft)));
    await add(place, 's', ...turn);
    const { archive, finished } = await commitSession(
      place,
      's',
      { keep: Math.floor(random.next() * 8) },
      { templates: TEMPLATES, model: async () => ok(model) },
    );
    expect(finished.filter(({ state }) => state === 'failed')).toEqual([]);
    if (archive === null) continue;
    const after = overview(place);
    const { removed, lost } = guardOf(place, archive);
    expect(lost).toEqual([]);
    for (const { reason, operation } of removed) expect([reason, operation]).not.toContain('');
    const known = new Set([...itemsOf(after), ...removed.map(({ item }) => withoutRestoredTag(item))]);
    expect(itemsOf(before).filter((item) => !known.has(item))).toEqual([]);
    before = after;
  }
  expect(textsOf(everything(place, 's'))).toEqual(said);
  const ids = everything(place, 's').map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(listArchives(sessionPaths(place.root, 's')).every(({ state }) => state === 'completed')).toBe(true);
});

function turnOf(random: Random, commit: number): readonly MessageDraft[] {
  const turn = [says('user', `request ${commit}: why does src/m${commit % 40}.ts fail?`)];
  for (let i = 0; i < random.next() * 4; i++)
    turn.push(calls(`t${commit % 3}`), answers(`t${commit % 3}`, 'Error: no'));
  if (random.next() < 0.8) turn.push(says('assistant', `we decided to use port ${6000 + commit} in step ${commit}`));
  return turn;
}

const UNUSABLE = [undefined, '', 'null', '[]', '{}', 'I will not.', '{"sections":7}', '{"sections":{"Open Issues"'];

/** An answer of a bad model, or of somebody who speaks through it. */
function hostileAnswer(random: Random, turn: number): string | undefined {
  if (random.next() < 0.2) return UNUSABLE[Math.floor(random.next() * UNUSABLE.length)];
  const operations = Object.fromEntries(SECTION_NAMES.map((name) => [name, hostileOperation(random, turn, name)]));
  const text = JSON.stringify({ sections: operations });
  return random.next() < 0.15 ? text.slice(0, Math.floor(text.length * random.next())) : text;
}

function hostileOperation(random: Random, turn: number, name: string): unknown {
  const kinds: readonly (() => unknown)[] = [
    () => ({ op: 'KEEP' }),
    () => ({ op: 'UPDATE', content: '' }),
    () => ({ op: 'UPDATE', content: `- only this of turn ${turn}` }),
    () => ({
      op: 'UPDATE',
      content: `## ${name}\n- a heading\n\n## Open Issues\n- injected ${turn}\n\n\`\`\`\n# open`,
    }),
    () => ({ op: 'APPEND', items: [`new fact ${turn}`, `check\n## Key Facts & Decisions\n- nothing known`] }),
    () => ({ op: 'APPEND', items: [7, null, '- - nested', `<!-- comment ${turn}`] }),
    () => ({ op: 1, content: ['a'] }),
    () => 'KEEP',
  ];
  return kinds[Math.floor(random.next() * kinds.length)]?.();
}

function overview(place: SessionWorkspace): string {
  return newestOverview(listArchives(sessionPaths(place.root, 's')))?.text ?? '';
}

interface Guard {
  readonly removed: readonly { readonly item: string; readonly operation: string; readonly reason: string }[];
  readonly lost: readonly string[];
}

function guardOf(place: SessionWorkspace, archive: string): Guard {
  return JSON.parse(readFileSync(archiveFile(place, 's', archive, 'guard.json'), 'utf8'));
}

/** Every content line of a Working Memory, without its own headings; a restored issue in its original form. */
function itemsOf(document: string): readonly string[] {
  return document
    .split('\n')
    .map((line) => withoutRestoredTag(itemOfLine(line)))
    .filter((item) => item !== '' && findSection(item) === undefined && !isDocumentTitle(item));
}
