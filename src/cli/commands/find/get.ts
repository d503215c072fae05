import { GET_REQUEST, type GetAnswer, type PageLine } from '../../../recall/get.js';
import { createStyleMarkers } from '../../text/printable.js';
import { defineVerb } from '../../verb.js';
import { openMemoryWorkspace, prepareShortIds } from '../../workspace.js';

export const define = defineVerb({
  takes: GET_REQUEST,
  examples: ['get memory/2026-03-12.md#L4 -C 3'],
  run: async (context, request) => {
    const workspace = await openMemoryWorkspace(context);
    const found = await workspace.get(request);
    const ids = found.linkedFrom.map(({ id }) => id);
    context.out.answer(text(found, await prepareShortIds(context, workspace, ids), context.out.colour), found);
  },
});

function text(
  { item, before, after, linkedFrom }: GetAnswer,
  readable: (id: string) => string,
  colour: boolean,
): string {
  const style = createStyleMarkers(colour);
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
