import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of the host to its model. */
interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A model that answers "Noted.", and calls a tool first where a message says `[[call NAME JSON]]`, once. */
export class ChatServer {
  readonly asked: Asked[] = [];
  /** Calls made so far: after a compaction the host shows an old message without its answer. */
  private readonly called = new Set<string>();
  private readonly server: Server = createServer((request, response) => {
    void read(request).then((body) => {
      const asked: Asked = JSON.parse(body);
      this.asked.push(asked);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const call = this.callFor(asked);
      for (const delta of deltasFor(call)) response.write(`data: ${JSON.stringify(chunk(delta, null))}\n\n`);
      const reason = call === undefined ? 'stop' : 'tool_calls';
      response.end(`data: ${JSON.stringify(chunk({}, reason))}\n\ndata: [DONE]\n\n`);
    });
  });

  private callFor({ messages }: Asked): RegExpExecArray | undefined {
    const ended = messages.slice(0, messages.findLastIndex(({ role }) => role === 'tool') + 1);
    for (const { content } of ended) for (const [mark] of said(content).matchAll(MARKS)) this.called.add(mark);
    const call = callIn(messages);
    return call !== undefined && !this.called.has(call[0]) ? call : undefined;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/v1`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += part;
  return body;
}

const MARKS = /\[\[call (\w+) (\{.*?\})\]\]/gu;

/** Returns the unanswered call in the person's last message; the host adds messages of its own after it. */
function callIn(messages: Asked['messages']): RegExpExecArray | undefined {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'tool');
  const fresh = messages.slice(answered + 1).map(({ content }) => said(content));
  return fresh.map((text) => new RegExp(MARKS, 'u').exec(text)).find((call) => call !== null) ?? undefined;
}

export function said(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '').replaceAll('\\"', '"');
}

function deltasFor(call: RegExpExecArray | undefined): readonly object[] {
  if (call === undefined) return [{ role: 'assistant', content: 'Noted.' }];
  const [, name, given] = call;
  const tool = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: given } };
  return [{ role: 'assistant', tool_calls: [tool] }];
}

function chunk(delta: object, finish: string | null): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'one', choices };
}
