import { SETTLE, type SettledPair } from '../../../reflect/settle.js';
import { verb, WRITES } from '../../verb.js';
import { finishWrite, openFor, readableIds } from '../../workspace.js';

export const define = verb({
  takes: { ...SETTLE, commit: WRITES.commit },
  more: `What the later statement does to the earlier:
  replaces  something else holds in its place
  ends      it is over, and nothing is in its place
  partly    the words given with --over are over, the rest holds
  same      both say the same, the later stands for both
  both      both hold
  plan      nothing has happened yet, the earlier holds
It is a line of bank/evidence.jsonl and counts before what a model says.`,
  examples: ['settle f-8x2m5q f-7r9t1a replaces', 'settle f-8x2m5q f-7r9t1a partly --over "on Tuesdays"'],
  run: async (context, { commit, ...request }) => {
    const workspace = await openFor(context);
    const { changes, ...settled } = await workspace.settle(request);
    const { fact, of } = settled.verdict;
    const subject = `memory: settle ${of}`;
    const written = await finishWrite(context, workspace, { dryRun: request.dryRun, commit }, { changes, subject });
    const made = changes.filter(({ before, after }) => before !== after).map(({ path }) => path);
    const readable = await readableIds(context, workspace, [fact, of]);
    context.out.answer(written.diff ?? text(settled, readable), { ...settled, written: made, ...written });
  },
});

const SAID = {
  replaces: 'replaced by',
  ends: 'ended by',
  partly: 'partly over since',
  same: 'the same as',
  both: 'holds beside',
  plan: 'holds until comes what is planned in',
  undone: 'open again beside',
} as const;

function text({ verdict, earlier, later }: Omit<SettledPair, 'changes'>, readable: (id: string) => string): string {
  const over = verdict.over === undefined ? '' : ` ("${verdict.over}")`;
  const of = ({ id, text: said, source }: SettledPair['earlier']) => `${readable(id)}  ${said}  [${source}]`;
  return [of(earlier), `  ${SAID[verdict.relation]}${over}`, of(later)].join('\n');
}
