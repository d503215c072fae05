import { parseArgs } from 'node:util';
import { FAULT_NAMES, FAULTS, isFault } from './faults.js';
import { INSTALLED, pullable } from './model.js';
import { FakeOllama } from './server.js';

/** `tsx test/support/ollama/main.ts --help` */
const HELP = `usage: tsx test/support/ollama/main.ts [options]
  --port N          listen there; 0 takes a free one (default)
  --fault NAME[=N]  switch a fault on, for N requests when given; may be repeated
  --everywhere      faults of the connection strike what needs no model, too
  --reply TEXT      what the chat model says next; may be repeated
  --registry NAME   a model that can be pulled, for embeddings when its name says so; may be repeated
  --load-ms N       how long a model takes to load
  --queue N         requests that may wait (512)
  --late-ms N       listen only after so long
Prints OLLAMA_HOST=… when it listens. Faults:
${FAULT_NAMES.map((name) => `  ${name.padEnd(22)} ${FAULTS[name]}`).join('\n')}
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    fault: { type: 'string', multiple: true, default: [] },
    everywhere: { type: 'boolean', default: false },
    reply: { type: 'string', multiple: true, default: [] },
    registry: { type: 'string', multiple: true },
    'load-ms': { type: 'string', default: '0' },
    queue: { type: 'string', default: '512' },
    'late-ms': { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await serve();

async function serve(): Promise<void> {
  const { registry } = values;
  const server = new FakeOllama({
    models: INSTALLED,
    loadMs: Number(values['load-ms']),
    maxQueue: Number(values.queue),
    ...(registry === undefined ? {} : { registry: registry.map(pullable) }),
  });
  server.faults.everywhere = values.everywhere;
  for (const fault of values.fault) {
    const [name = '', times] = fault.split('=');
    if (!isFault(name)) throw new Error(`unknown fault "${name}"; see --help`);
    server.faults.set(name, times === undefined ? undefined : Number(times));
  }
  for (const content of values.reply) server.replies.push({ content });
  await new Promise((resolve) => setTimeout(resolve, Number(values['late-ms'])));
  await server.start(Number(values.port));
  process.stdout.write(`OLLAMA_HOST=${server.url}\n`);
}
