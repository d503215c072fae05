import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { type Check, Home } from './connections.js';

const ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'one',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
/** The answer "Noted." as events of a stream. */
const EVENTS = [
  { type: 'message_start', message: ANSWER },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Noted.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];

/** Runs a turn of Claude Code with our hooks and checks its messages about their output; the model is a double. */
export async function checkClaudeHooks(base: string, found: string, check: Check): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => asked.push(text));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of EVENTS) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const home = new Home(base, 'claude-hooks', [dirname(found), dirname(process.execPath)], {
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: 'x',
  });
  try {
    await home.ours('init');
    await home.ours('retain', 'W @Peter: lives in Vienna');
    await home.ours('connect', 'claude-code');
    const log = join(home.home, 'debug.txt');
    const turn = await home.run('claude', '-p', 'Where does Peter live?', '--debug-file', log);
    const said = readFileSync(log, 'utf8');
    check('a turn of Claude Code ends', turn.text.includes('Noted.'), turn.text);
    check('a turn of Claude Code injects', asked.join('').includes('lives in Vienna'), asked.join('').slice(0, 2_000));
    check(
      'Claude Code finds the output of the hooks valid',
      said.includes('Successfully parsed and validated hook JSON output') &&
        !said.includes('Hook JSON output validation failed'),
      said,
    );
    check('the end of a session is within its time', /SessionEnd\S* \[.*completed with status 0/u.test(said), said);
    const kept = await home.ours('session', 'list');
    check('the turn is in the session log', kept.text.includes('2 live'), kept.text);

    await home.run('claude', '-p', '--continue', 'From now on the locker is number 4711.');
    const compacted = await home.run('claude', '-p', '--continue', '/compact', '--debug-file', log);
    const from = asked.length;
    const next = await home.run('claude', '-p', '--continue', 'And now?', '--debug-file', log);
    const prompt = asked.slice(from).join('');
    check(
      'after a compaction the prompt of Claude Code holds the Working Memory',
      /Where this session stands[\s\S]*locker is number 4711/u.test(prompt),
      compacted.text + next.text + prompt.slice(-6_000) + readFileSync(log, 'utf8').slice(-3_000),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
