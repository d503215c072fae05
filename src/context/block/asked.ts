import { isRecord } from '../../base/json.js';
import { stripInjected } from '../../text/strip.js';

/** A message as its client gave it. */
export interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
}

/** The texts of a message, a line each. Pure. */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) =>
      typeof part === 'string' ? [part] : isRecord(part) && typeof part.text === 'string' ? [part.text] : [],
    )
    .join('\n');
}

const GO_ON =
  /^(?:please\s+)?(?:continue|go on|go ahead|carry on|keep going|proceed|resume|next|do it|继续|请继续|接着(?:做|来|写)?|往下|weiter|mach weiter|fahr fort|continue[zr]?|vas-y|sigue|continúa)(?:\s+please|吧|\s+bitte)?[\s.!。！…]*$/iu;

/** What the last message asks for: a bare "continue" means the task before it. Pure. */
export function askedFor(messages: readonly ChatMessage[]): string {
  const said = messages.filter(({ role }) => role === 'user').map(textOf);
  const last = said.at(-1) ?? '';
  if (!goesOn(last)) return last;
  return said.findLast((text) => text.trim() !== '' && !goesOn(text)) ?? last;
}

function goesOn(text: string): boolean {
  return GO_ON.test(stripInjected(text).trim());
}

/** Whether a block that a memory injected stands in a text; one that is only talked about does not count. Pure. */
export function hasInjectedBlock(text: string): boolean {
  return (
    /(?:^|\n)[ \t]*<(?:openviking-context|relevant-memories)\b[^>]*>[ \t]*\n/iu.test(text) &&
    stripInjected(text) !== text
  );
}
