import type { Workspace } from '../../app/workspace.js';
import { fail } from '../../base/failure.js';
import type { RequestFields } from '../../base/request.js';
import type { EvidenceLink } from '../../line/unit.js';
import { textAfterLeadingEntities } from '../../markdown/bullet.js';
import { OPINIONS_REQUEST, type OpinionView } from '../../query/opinion-view.js';
import { SETTLE_REQUEST, type SettledPair } from '../../reflect/settle.js';
import type { ProposedVerdict } from '../../reflect/settle-belief.js';
import type { OpinionWhy, WhyStep } from '../../reflect/why.js';
import { type CommandContext, defineGroup, defineVerb, WRITE_OPTIONS } from '../verb.js';
import { finishWrite, openMemoryWorkspace, prepareShortIds } from '../workspace.js';

const ONE = {
  opinion: {
    type: 'text',
    required: true,
    place: 'argument',
    doc: 'id of the belief, or a text that only this belief contains',
  },
} as const satisfies RequestFields;

const list = defineVerb({
  summary: 'list beliefs, the most certain first',
  takes: OPINIONS_REQUEST,
  more: 'A belief marked [log] is in a log and not yet in bank/opinions.md.',
  examples: ['opinion list --entity Peter --min-confidence 0.8'],
  run: async (context, filter) => {
    const workspace = await openMemoryWorkspace(context);
    const opinions = await workspace.opinions(filter);
    const ids = opinions.map(({ id }) => id);
    const readable = await prepareShortIds(context, workspace, ids);
    const text = opinions.map((one) => line(one, readable)).join('\n') || 'No opinions.';
    context.out.answer(text, { opinions, warnings: await workspace.warnings() });
  },
});

const show = defineVerb({
  summary: 'show one belief with its evidence',
  takes: ONE,
  examples: ['opinion show "concise replies"'],
  run: async (context, { opinion: wanted }) => {
    const workspace = await openMemoryWorkspace(context);
    const found = await workspace.findOpinions(wanted);
    const only = await theOnly(context, workspace, found, ({ content }) => content, `there is no opinion "${wanted}"`);
    const { evidence } = only;
    const cited = [...evidence.for, ...evidence.against].map(({ fact }) => fact);
    const readable = await prepareShortIds(context, workspace, [only.id, ...cited]);
    context.out.answer(opinionText(only, readable), { ...only, warnings: await workspace.warnings() });
  },
});

const why = defineVerb({
  summary: 'show step by step how a belief got its confidence',
  takes: ONE,
  examples: ['opinion why "concise replies"'],
  run: async (context, { opinion: wanted }) => {
    const workspace = await openMemoryWorkspace(context);
    const [stated, ...more] = await workspace.findOpinions(wanted);
    if (stated?.place === 'log' && more.length === 0)
      return fail(
        'not_found',
        `"${stated.content}" is in a log (${stated.source}), and reflect has not run on it yet`,
        'its confidence is the number in the log; to weigh the evidence, run: openclaw memory reflect',
      );
    // A belief that a person wrote on the page has no id yet; find it by its text.
    const own = stated?.id.startsWith('o-') === false ? textAfterLeadingEntities(stated.content) : stated?.id;
    const explained = await (await workspace.reflection()).why(more.length === 0 ? (own ?? wanted) : wanted);
    const none = `there is no opinion "${wanted}" in the bank`;
    const only = await theOnly(context, workspace, explained, ({ statement }) => statement, none);
    const readable = await prepareShortIds(context, workspace, [only.id, ...only.steps.map(({ fact }) => fact)]);
    context.out.answer(whyText(only, readable), { ...only, warnings: await workspace.warnings() });
  },
});

const opinion = defineGroup(['opinion list --entity Peter'], { list, show, why });

async function theOnly<T extends { readonly id: string }>(
  context: CommandContext,
  workspace: Workspace,
  found: readonly T[],
  textOf: (one: T) => string,
  none: string,
): Promise<T> {
  const [only, ...others] = found;
  if (only === undefined) {
    for (const warning of await workspace.warnings()) context.out.warn(warning);
    return fail('not_found', none, 'list the opinions: openclaw memory opinion list');
  }
  if (others.length === 0) return only;
  const all = found.map(({ id }) => id);
  const readable = await prepareShortIds(context, workspace, all);
  const ids = found.slice(0, 5).map((one) => `${readable(one.id)} "${textOf(one)}"`);
  return fail('usage', `${found.length} opinions contain that text`, `use the id of one of them: ${ids.join('; ')}`);
}

function line({ id, content, confidence: c, place, evidence }: OpinionView, readable: (id: string) => string): string {
  const counts = evidence.for.length + evidence.against.length;
  const mark = place === 'bank' ? '' : ` [${place}]`;
  const more = evidence.more === undefined ? '' : `, ${evidence.more} more`;
  const weighed = counts > 0 ? ` (+${evidence.for.length} -${evidence.against.length}${more})` : '';
  return `${c.toFixed(2)}  ${readable(id)}  ${content}${weighed}${mark}`;
}

function opinionText(opinion: OpinionView, readable: (id: string) => string): string {
  const { id, content, confidence: c, prior, updated, evidence, source, place } = opinion;
  const lines = [content, `id          ${readable(id)}`, `confidence  ${c.toFixed(2)}`];
  if (prior !== null)
    lines.push(`prior       ${prior.confidence.toFixed(2)}${prior.day === null ? '' : ` (${prior.day})`}`);
  if (updated !== null) lines.push(`updated     ${updated}`);
  lines.push(`source      ${source}${place === 'bank' ? '' : ` (${place})`}`);
  const cited = ({ source: at, fact }: EvidenceLink) => `${at}${fact === null ? '' : `  ${readable(fact)}`}`;
  for (const link of evidence.for) lines.push(`for         ${cited(link)}`);
  for (const link of evidence.against) lines.push(`against     ${cited(link)}`);
  if (evidence.more !== undefined)
    lines.push(`more        ${evidence.more}: openclaw memory opinion why ${readable(id)}`);
  return lines.join('\n');
}

const CHANGES = {
  doubled: 'stated on consecutive days: double step',
  anew: 'stated on consecutive days: starts again',
} as const;
const SIGNS = { supports: '+', contradicts: '-', none: ' ' } as const;

/**
 * Formats an opinion with every step that led to its confidence.
 * @param readable shortens an id for a person
 */
function whyText(why: OpinionWhy, readable: (id: string) => string): string {
  const { id, statement, prior, confidence, byEvidence, retired } = why;
  const since = prior.day === null ? '' : ` (${prior.day})`;
  return [
    `${statement}  ${readable(id)}${retired ? '  [retired]' : ''}`,
    `${confidence.toFixed(2)}, starting from ${prior.confidence.toFixed(2)}${since}`,
    ...(confidence === byEvidence
      ? []
      : [`set by hand on the page; the evidence alone gives ${byEvidence.toFixed(2)}`]),
    '',
    ...why.steps.flatMap((step) => stepText(step, why, readable)),
  ].join('\n');
}

function stepText(
  { day, direction, text, source, sourceAway, fact, by, weight, counts }: WhyStep,
  { curve, prior }: OpinionWhy,
  readable: (id: string) => string,
): readonly string[] {
  const point = counts ? curve.find((one) => one.day === day) : undefined;
  const after = point?.confidence.toFixed(2);
  const notes = [
    by,
    ...(weight === 1 ? [] : [`c=${weight}`]),
    ...(point?.change === undefined ? [] : [CHANGES[point.change]]),
    ...(counts ? [] : [prior.day !== null && day <= prior.day ? 'already in the starting value' : 'does not count']),
  ].join(', ');
  return [
    `${day} ${SIGNS[direction]} ${after ?? '    '}  ${text ?? (sourceAway ? '(its source is away)' : '(this fact no longer exists)')}`,
    `                  ${source ?? readable(fact)}  (${notes})`,
  ];
}

const decide = defineVerb({
  takes: {
    ...SETTLE_REQUEST,
    by: {
      type: 'choice',
      noun: 'judge',
      choices: ['human', 'agent'],
      doc: "whose decision it is (default human); an agent's counts less",
    },
    commit: WRITE_OPTIONS.commit,
  },
  more: `What the later statement does to the earlier one:
  replaces  the later statement is true instead
  ends      the earlier statement is no longer true, and nothing replaces it
  partly    only the words of --over are no longer true
  same      both say the same; the later one is shown
  both      both are true
  plan      the later one is only a plan; the earlier one is still true
What a fact does to a belief: supports, contradicts, none.
Your decision is saved in bank/evidence.jsonl. It counts more than a model's.`,
  examples: [
    'settle f-8x2m5q f-7r9t1a replaces',
    'settle f-8x2m5q f-7r9t1a partly --over "on Tuesdays"',
    'settle memory/2026-03-02.md#L12 memory/2026-03-09.md#L3 ends',
  ],
  run: async (context, { commit, by, ...request }) => {
    const workspace = await openMemoryWorkspace(context);
    const { changes, ...settled } = await workspace.settle(request, by);
    const { earlier, later } = settled;
    const message = `settle ${earlier.id}\n\n${settledText(settled, (id) => id)}`;
    const written = await finishWrite(context, workspace, { dryRun: request.dryRun, commit }, changes, message);
    const made = changes.filter(({ before, after }) => before !== after).map(({ path }) => path);
    const readable = await prepareShortIds(context, workspace, [earlier.id, later.id]);
    context.out.answer(written.diff ?? settledText(settled, readable), { ...settled, written: made, ...written });
  },
});

const proposed = defineVerb({
  summary: 'list what a model proposes and nobody has settled',
  takes: {},
  more: 'A model that may only choose proposes a verdict if the two texts have little\nin common. A proposal changes nothing until you settle it.',
  examples: ['settle proposed'],
  run: async (context) => {
    const workspace = await openMemoryWorkspace(context);
    const proposals = await workspace.proposedVerdicts();
    const ids = proposals.flatMap(({ older, newer }) => [older.id, newer.id]);
    const readable = await prepareShortIds(context, workspace, ids);
    const text = proposals.map((one) => proposalText(one, readable)).join('\n\n') || 'No proposals.';
    context.out.answer(text, { proposals, warnings: await workspace.warnings() });
  },
});

function proposalText({ older, newer, relation, over, by }: ProposedVerdict, readable: (id: string) => string): string {
  const words = over === undefined ? '' : ` --over ${JSON.stringify(over)}`;
  return [
    `settle ${readable(older.id)} ${readable(newer.id)} ${relation}${words}`,
    `  ${older.text}  [${older.source}]`,
    `  ${newer.text}  [${newer.source}]`,
    `  proposed by ${by}`,
  ].join('\n');
}

const settle = defineGroup([], { proposed }, decide);

export const commands = { opinion, settle };

const SAID = {
  replaces: 'replaced by',
  ends: 'ended by',
  partly: 'partly over since',
  same: 'the same as',
  both: 'is true together with',
  plan: 'is true until the plan happens:',
  undone: 'undecided again, together with',
  supports: 'is supported by',
  contradicts: 'is contradicted by',
  none: 'is not affected by',
} as const;

function settledText({ verdict, earlier, later }: Omit<SettledPair, 'changes'>, readable: (id: string) => string) {
  const over = 'over' in verdict && verdict.over !== undefined ? ` ("${verdict.over}")` : '';
  const said = SAID['relation' in verdict ? verdict.relation : verdict.direction];
  const of = ({ id, text, source }: SettledPair['earlier']) => `${readable(id)}  ${text}  [${source}]`;
  return [of(earlier), `  ${said}${over}`, of(later)].join('\n');
}
