import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ImportReport, importTranscript } from '../../src/session/import.js';
import type { SessionWorkspace } from '../../src/session/session.js';
import { readEntry, storeEntries } from '../../src/workspace/state.js';
import { everything, testPlace } from './support.js';

/** The next record of a conversation, and how many records back it answers. */
type Step = readonly [kind: 'asks' | 'says' | 'calls' | 'gives' | 'beats' | 'bounds' | 'copies', back: number];

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom<Step[0]>('asks', 'asks', 'says', 'says', 'calls', 'gives', 'beats', 'bounds', 'copies'),
    fc.constantFrom(1, 1, 1, 1, 1, 2, 5),
  ),
  { minLength: 1, maxLength: 40 },
);

/** The steps as lines of an OpenClaw transcript. */
function transcriptOf(all: readonly Step[]): readonly string[] {
  const lines = [JSON.stringify({ type: 'session', version: 4, id: 's' })];
  for (const [i, [kind, back]] of all.entries()) {
    const parent = i - back;
    const record = { type: 'message', id: `r${i}`, parentId: parent < 0 || kind === 'bounds' ? null : `r${parent}` };
    lines.push(
      JSON.stringify(kind === 'bounds' ? { ...record, type: 'custom' } : { ...record, message: said(kind, i) }),
    );
  }
  return lines;
}

function said(kind: Step[0], i: number): object {
  if (kind === 'asks') return { role: 'user', content: `Question ${i}` };
  if (kind === 'beats') return { role: 'user', content: 'poll', provenance: { sourceTool: 'heartbeat' } };
  if (kind === 'gives')
    return { role: 'toolResult', toolCallId: `t${i - 1}`, toolName: 'bash', content: `Result ${i}` };
  const text = { type: 'text', text: kind === 'copies' ? `Answer ${i - 1}` : `Answer ${i}` };
  const call = { type: 'toolCall', id: `t${i}`, name: 'bash', arguments: { command: `run ${i}` } };
  return {
    role: 'assistant',
    content: kind === 'calls' ? [text, call] : [text],
    ...(kind === 'copies' ? { api: 'cli' } : {}),
  };
}

const shortcut = ({ stateFolder }: SessionWorkspace) => readEntry(stateFolder, 'import', 's');
const forgetShortcut = ({ stateFolder }: SessionWorkspace) =>
  storeEntries(stateFolder, [{ kind: 'import', name: 's', value: undefined }]);
const sources = (place: SessionWorkspace): readonly unknown[] =>
  everything(place, 's').map(({ source_id }) => source_id);
const counted = ({ added, known, noise, other_branches }: ImportReport) => ({ added, known, noise, other_branches });

test('a growing transcript is imported as if it were read anew each time', async () => {
  let spared = 0;
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 2, maxLength: 5 }),
      async (all, cuts) => {
        const lines = transcriptOf(all);
        const [here, anew] = [testPlace(), testPlace()];
        let end = 1;
        for (const cut of [...cuts, lines.length]) {
          end = Math.min(lines.length, end + cut);
          const text = `${lines.slice(0, end).join('\n')}\n`;
          if (!/"role"/.test(text)) continue;
          forgetShortcut(anew);
          if (shortcut(here) !== undefined) spared++;
          const reports = [await importTranscript(here, text), await importTranscript(anew, text)].map(counted);
          expect(reports[0]).toEqual(reports[1]);
          expect(sources(here)).toEqual(sources(anew));
        }
      },
    ),
    { numRuns: 40 },
  );
  expect(spared).toBeGreaterThan(20);
});

test('a transcript with another beginning, or of a session that lost messages, is read whole', async () => {
  const place = testPlace();
  const lines = transcriptOf(
    ['asks', 'says', 'asks', 'says', 'asks', 'says'].map((kind): Step => [kind === 'asks' ? 'asks' : 'says', 1]),
  );
  const text = lines.join('\n');
  await importTranscript(place, text);
  expect(shortcut(place)).toMatchObject({ known: 4 });
  const other = text.replace('Question 0', 'Question zero').replaceAll(/"r(\d)/g, '"x$1');
  expect(await importTranscript(place, other)).toMatchObject({ added: 6, known: 0 });
  expect(await importTranscript(place, text)).toMatchObject({ added: 0, known: 6 });
  truncateSync(join(place.root, 'sessions/s/messages.jsonl'));
  expect(await importTranscript(place, text)).toMatchObject({ added: 6, known: 0 });
});
