import { SETTLE_REQUEST, type SettledPair } from '../../../reflect/settle.js';
import { defineVerb, WRITE_OPTIONS } from '../../verb.js';
import { finishWrite, openMemoryWorkspace, prepareShortIds } from '../../workspace.js';

export const define = defineVerb({
  takes: { ...SETTLE_REQUEST, commit: WRITE_OPTIONS.commit },
  more: `What the later statement does to the earlier one:
  replaces  the later statement is true instead
  ends      the earlier statement is no longer true, and nothing replaces it
  partly    only the words of --over are no longer true
  same      both say the same; the later one is shown
  both      both are true
  plan      the later one is only a plan; the earlier one is still true
Your decision is saved in bank/evidence.jsonl. It counts more than a model's.`,
  examples: ['settle f-8x2m5q f-7r9t1a replaces', 'settle f-8x2m5q f-7r9t1a partly --over "on Tuesdays"'],
  run: async (context, { commit, ...request }) => {
    const workspace = await openMemoryWorkspace(context);
    const { changes, ...settled } = await workspace.settle(request);
    const { fact, of } = settled.verdict;
    const subject = `memory: settle ${of}`;
    const written = await finishWrite(context, workspace, { dryRun: request.dryRun, commit }, { changes, subject });
    const made = changes.filter(({ before, after }) => before !== after).map(({ path }) => path);
    const readable = await prepareShortIds(context, workspace, [fact, of]);
    context.out.answer(written.diff ?? text(settled, readable), { ...settled, written: made, ...written });
  },
});

const SAID = {
  replaces: 'replaced by',
  ends: 'ended by',
  partly: 'partly over since',
  same: 'the same as',
  both: 'is true together with',
  plan: 'is true until the plan happens:',
  undone: 'undecided again, together with',
} as const;

function text({ verdict, earlier, later }: Omit<SettledPair, 'changes'>, readable: (id: string) => string): string {
  const over = verdict.over === undefined ? '' : ` ("${verdict.over}")`;
  const of = ({ id, text: said, source }: SettledPair['earlier']) => `${readable(id)}  ${said}  [${source}]`;
  return [of(earlier), `  ${SAID[verdict.relation]}${over}`, of(later)].join('\n');
}
