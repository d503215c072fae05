/** The one tag around everything that is injected. */
export const CONTEXT_TAG = 'openviking-context';

const JOINT = '\n\n';

/** Sections in one envelope, '' when there are none. Pure. */
export function envelope(sections: readonly string[]): string {
  const said = sections.filter((section) => section !== '');
  return said.length === 0 ? '' : `<${CONTEXT_TAG}>\n${said.join('\n\n')}\n</${CONTEXT_TAG}>`;
}

/** A message's content with the block before its text; whatever else it holds stays as it is. Pure. */
export function prepended(content: unknown, block: string): unknown {
  if (typeof content === 'string') return block + JOINT + content;
  if (!Array.isArray(content)) return block;
  const [first, ...rest]: readonly unknown[] = content;
  if (isText(first)) return [{ ...first, text: block + JOINT + first.text }, ...rest];
  return [{ type: 'text', text: block }, ...content];
}

function isText(part: unknown): part is { readonly type: 'text'; readonly text: string } {
  return (
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    part.type === 'text' &&
    'text' in part &&
    typeof part.text === 'string'
  );
}
