import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the host asked its model. */
export interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A model that answers "Noted.", and calls a tool first where a message says `[[call NAME JSON]]`. */
export class ChatServer {
  readonly asked: Asked[] = [];
  private readonly server: Server = createServer((request, response) => {
    void read(request).then((body) => {
      const asked: Asked = JSON.parse(body);
      this.asked.push(asked);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const delta of deltasFor(asked)) response.write(`data: ${JSON.stringify(chunk(delta, null))}\n\n`);
      const reason = isCall(asked) ? 'tool_calls' : 'stop';
      response.end(`data: ${JSON.stringify(chunk({}, reason))}\n\ndata: [DONE]\n\n`);
    });
  });

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

function isCall({ messages }: Asked): boolean {
  return callIn(messages) !== undefined;
}

/** The call that the person's last message asks for, unless it was answered; the host puts messages of its own behind it. */
function callIn(messages: Asked['messages']): RegExpExecArray | undefined {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'tool');
  const fresh = messages.slice(answered + 1).map(({ content }) => said(content));
  return fresh.map((text) => /\[\[call (\w+) (\{.*?\})\]\]/u.exec(text)).find((call) => call !== null) ?? undefined;
}

export function said(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '').replaceAll('\\"', '"');
}

function deltasFor(asked: Asked): readonly object[] {
  const call = callIn(asked.messages);
  if (call === undefined) return [{ role: 'assistant', content: 'Noted.' }];
  const [, name, given] = call;
  const tool = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: given } };
  return [{ role: 'assistant', tool_calls: [tool] }];
}

function chunk(delta: object, finish: string | null): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'one', choices };
}
