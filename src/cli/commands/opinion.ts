import { ExitCode, fail } from '../../base/failure.js';
import { afterLeadingEntities } from '../../markdown/bullet.js';
import type { EvidenceLink } from '../../memory/unit.js';
import { OPINIONS, type OpinionFilter, type OpinionView } from '../../recall/opinion-view.js';
import type { DefineCommand } from '../command.js';
import { readFlags } from '../flags.js';
import { openFor } from '../open.js';
import { readableIds } from '../text/readable-ids.js';

export const define: DefineCommand = (command, run) => {
  command.addHelpText('after', '\nExample:\n  openclaw memory opinion list --entity Peter');
  command
    .command('list')
    .summary('beliefs, the surest first')
    .option('--entity <name>', 'only those about this entity')
    .option('--min-c <number>', 'only those of at least this confidence, 0 to 1')
    .addHelpText(
      'after',
      '\nThose marked "log" stand in a log and are not in bank/opinions.md yet.\n\nExample:\n  openclaw memory opinion list --entity Peter --min-c 0.8',
    )
    .action((options: { readonly entity?: string; readonly minC?: string }) =>
      run(async (context) => {
        const entity = options.entity === undefined ? undefined : [options.entity];
        const filter = readFlags<OpinionFilter>('opinion list', OPINIONS, { ...options, entity });
        const workspace = await openFor(context);
        const opinions = await workspace.opinions(filter);
        const readable = await readableIds(
          context,
          workspace,
          opinions.map(({ id }) => id),
        );
        const lines = opinions.map((opinion) => line(opinion, readable));
        context.out.answer(lines.join('\n') || 'No opinions.', { opinions });
        return ExitCode.done;
      }),
    );
  command
    .command('show')
    .summary('one belief with its evidence')
    .argument('<id>', 'its id, or a text that only it has')
    .addHelpText('after', '\nExample:\n  openclaw memory opinion show "concise replies"')
    .action((wanted: string) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const found = await workspace.findOpinions(named(wanted));
        const [only, other] = found;
        if (only === undefined)
          return fail('not_found', `no opinion is "${wanted}"`, 'openclaw memory opinion list shows them');
        if (other !== undefined) {
          const readable = await readableIds(
            context,
            workspace,
            found.map(({ id }) => id),
          );
          const ids = found.slice(0, 5).map(({ id, content }) => `${readable(id)} "${content}"`);
          return fail('usage', `${found.length} opinions have that text`, `name one by its id: ${ids.join('; ')}`);
        }
        const { evidence } = only;
        const cited = [...evidence.for, ...evidence.against].map(({ fact }) => fact);
        context.out.answer(text(only, await readableIds(context, workspace, [only.id, ...cited])), only);
        return ExitCode.done;
      }),
    );
  command
    .command('why')
    .summary('why one belief has its confidence, step by step')
    .argument('<id>', 'its id, or a text that only it has')
    .addHelpText('after', '\nExample:\n  openclaw memory opinion why "concise replies"')
    .action((wanted: string) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const [stated, ...more] = await workspace.findOpinions(named(wanted));
        if (stated?.place === 'log' && more.length === 0)
          return fail(
            'not_found',
            `"${stated.content}" stands in a log (${stated.source}) and nobody has reflected on it`,
            'its confidence is the one written there; openclaw memory reflect weighs what speaks for and against it',
          );
        const found = await (await workspace.reflection()).why(more.length === 0 ? (nameOf(stated) ?? wanted) : wanted);
        const [only, other] = found;
        if (only === undefined)
          return fail('not_found', `no opinion of the bank is "${wanted}"`, 'openclaw memory opinion list shows them');
        if (other !== undefined) {
          const readable = await readableIds(
            context,
            workspace,
            found.map(({ id }) => id),
          );
          const ids = found.slice(0, 5).map(({ id, statement }) => `${readable(id)} "${statement}"`);
          return fail('usage', `${found.length} opinions have that text`, `name one by its id: ${ids.join('; ')}`);
        }
        const { whyText } = await import('../text/why-text.js');
        const readable = await readableIds(context, workspace, [only.id, ...only.steps.map(({ fact }) => fact)]);
        context.out.answer(whyText(only, readable), only);
        return ExitCode.done;
      }),
    );
};

/** The id of a belief; one that a person has written on the page has none yet, and is found by its text. */
function nameOf(opinion: OpinionView | undefined): string | undefined {
  return opinion?.id.startsWith('o-') === false ? afterLeadingEntities(opinion.content) : opinion?.id;
}

function named(wanted: string): string {
  if (wanted.trim() !== '') return wanted;
  return fail('usage', 'no opinion is named', 'give its id, or a text that only it has: openclaw memory opinion list');
}

function line({ id, content, confidence: c, place, evidence }: OpinionView, readable: (id: string) => string): string {
  const counts = evidence.for.length + evidence.against.length;
  const mark = place === 'bank' ? '' : ` [${place}]`;
  return `${c.toFixed(2)}  ${readable(id)}  ${content}${counts > 0 ? ` (+${evidence.for.length} -${evidence.against.length})` : ''}${mark}`;
}

function text(opinion: OpinionView, readable: (id: string) => string): string {
  const { id, content, confidence: c, prior, updated, evidence, source, place } = opinion;
  const lines = [content, `id          ${readable(id)}`, `confidence  ${c.toFixed(2)}`];
  if (prior !== null)
    lines.push(`prior       ${prior.confidence.toFixed(2)}${prior.day === null ? '' : ` (${prior.day})`}`);
  if (updated !== null) lines.push(`updated     ${updated}`);
  lines.push(`source      ${source}${place === 'bank' ? '' : ` (${place})`}`);
  const cited = ({ source: at, fact }: EvidenceLink) => `${at}${fact === null ? '' : `  ${readable(fact)}`}`;
  lines.push(...evidence.for.map((link) => `for         ${cited(link)}`));
  lines.push(...evidence.against.map((link) => `against     ${cited(link)}`));
  return lines.join('\n');
}
