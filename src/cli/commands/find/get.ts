import { ExitCode } from '../../../base/failure.js';
import { GET, type GetAnswer, type GetRequest, type PageLine } from '../../../recall/get.js';
import type { DefineCommand } from '../../command.js';
import { readFlags } from '../../flags.js';
import { openFor } from '../../open.js';
import { paint } from '../../text/paint.js';
import { readableIds } from '../../text/readable-ids.js';

export const define: DefineCommand = (command, run) => {
  command
    .argument('<id-or-path>', 'an id, a page, or lines of it: memory/2026-03-12.md#L4, …#L3-L9')
    .option('-C, --context <n>', 'so many lines before and after, too')
    .addHelpText('after', '\nExample:\n  openclaw memory get memory/2026-03-12.md#L4 -C 3')
    .action((target: string, options: object) =>
      run(async (context) => {
        const request = readFlags<GetRequest>('get', GET, { ...options, target });
        const workspace = await openFor(context);
        const found = await workspace.get(request);
        const ids = found.linkedFrom.map(({ id }) => id);
        context.out.answer(text(found, await readableIds(context, workspace, ids), context.out.colour), found);
        return ExitCode.done;
      }),
    );
};

function text(
  { item, before, after, linkedFrom }: GetAnswer,
  readable: (id: string) => string,
  colour: boolean,
): string {
  const style = paint(colour);
  const beside = (lines: readonly PageLine[]) => lines.map(({ line, text: said }) => style.dim(`${line}: ${said}`));
  const links = linkedFrom.map(({ id, source, content }) => `  ${style.bold(source)}  ${readable(id)}  ${content}`);
  return [
    style.bold(item.source),
    ...beside(before),
    item.content,
    ...beside(after),
    ...(links.length === 0 ? [] : ['Linked from:', ...links]),
  ].join('\n');
}
