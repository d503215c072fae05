import { fail, MemoryError } from '../../base/failure.js';
import { COUNT_FIELD_TYPE, type RequestFields, type RequestOf } from '../../base/request.js';
import * as blocks from '../../context/build.js';
import { DEFAULT_MIN_QUERY_COLUMNS, decideExperienceRecall, type GateDecision } from '../../context/gate.js';
import { decodeBytes, encodeBytes } from '../../text/bytes.js';
import { prepareQuery } from '../../text/query.js';
import { stripInjected } from '../../text/strip.js';
import { readInput, readStream, readStreamText } from '../io.js';
import { type CommandContext, defineGroup, defineVerb, failBoth } from '../verb.js';
import { openAnyWorkspace } from '../workspace.js';

/**
 * Request fields. `message` and `stdin` are two ways to pass the message of the user. The other fields pass a task, an
 * automation or a skill that begins. The caller has then decided that lessons are needed. So the gate, which tests
 * whether a message needs lessons, is skipped.
 */
const ASKED_BY = {
  message: { type: 'text', doc: 'the message of the user' },
  stdin: {
    type: 'boolean',
    doc: 'read the conversation from standard input: a JSON list, or one JSON message per line',
  },
  task: { type: 'text', doc: 'with a forced trigger: the task that starts' },
  automation: { type: 'text', doc: 'with a forced trigger: name and prompt of the automation' },
  skill: { type: 'text', value: 'file', doc: 'with a forced trigger: text of the SKILL.md that is loaded' },
} as const satisfies RequestFields;

type AskedBy = RequestOf<typeof ASKED_BY>;

const build = defineVerb({
  summary: 'print the memories for a message, followed by the message',
  takes: {
    ...ASKED_BY,
    ...blocks.GATE_REQUEST,
    withCore: blocks.CONTEXT_BUILD_REQUEST.withCore,
    blockOnly: { type: 'boolean', doc: 'print only the block of memories; print nothing if there is none' },
  },
  examples: ['context build --message "fix the login bug" --json'],
  run: async (context, { message, stdin, task, automation, skill, blockOnly, ...asking }) => {
    const { out } = context;
    const by = { message, stdin, task, automation, skill };
    const messages = await messagesOf(context, by);
    const built = await buildHere(context, { ...asking, messages, about: await aboutOf(context, by) });
    for (const warning of built.warnings) out.warn(warning);
    if (out.json) out.answer('', built);
    else {
      // Print exactly the text that goes into the prompt. On a terminal, add a line feed.
      const last = built.messages.at(-1);
      const text = blockOnly === true ? built.block : last === undefined ? '' : blocks.chatMessageText(last);
      out.raw(context.io.stdout.isTTY === true && text !== '' ? `${text}\n` : text);
    }
  },
});

const strip = defineVerb({
  summary: 'remove injected context blocks from standard input and keep every other byte',
  takes: {
    query: {
      type: 'boolean',
      doc: 'also remove metadata, timestamps and extra white space, and cut the text to 4,000 characters',
    },
  },
  examples: ['context strip --query < message.txt'],
  run: async ({ io, out }, { query }) => {
    const text = decodeBytes(await readStream(io.stdin));
    const prepared = query ? prepareQuery(text) : { text: stripInjected(text) };
    if (out.json) out.answer('', prepared);
    else if ('text' in prepared) out.raw(encodeBytes(prepared.text));
    else if (prepared.query !== '') out.raw(encodeBytes(`${prepared.query}\n`));
  },
});

const gate = defineVerb({
  summary: 'decide whether a message needs lessons of earlier tasks, and print why',
  takes: {
    text: { type: 'text', place: 'argument', doc: 'the message of the user (default, or "-": read standard input)' },
    ...blocks.GATE_REQUEST,
    minQueryChars: {
      ...COUNT_FIELD_TYPE,
      most: 500,
      example: 12,
      doc: `minimum length of the message in columns; a CJK character has 2 (default ${DEFAULT_MIN_QUERY_COLUMNS}); shorter plain orders still pass`,
    },
  },
  examples: ['context gate "fix the flaky test in ci.yml" --json'],
  run: async ({ io, out }, { text, cron, bypass, ...asking }) => {
    const message = text === undefined || text === '-' ? decodeBytes(await readStream(io.stdin)) : text;
    const decision = decideExperienceRecall({ ...asking, text: message, isCron: cron, isBypassed: bypass });
    out.answer(explain(decision), decision);
  },
});

const context = defineGroup(
  [
    'context build --message "where does Peter live?"',
    'context strip < message.txt',
    'context gate "fix the login bug"',
  ],
  { build, strip, gate },
);

export const commands = { context };

function explain({ decision, score, reason, groups }: GateDecision): string {
  const lines = groups.map(
    ({ group, points, words }) => `  ${points > 0 ? '+' : ''}${points} ${group}: ${words.join(', ')}`,
  );
  return [`${decision} (${reason}, score ${score})`, ...lines].join('\n');
}

/** Without a workspace there are no memories, so the message stays unchanged. */
async function buildHere(context: CommandContext, request: blocks.ContextBuildRequest): Promise<blocks.BuiltContext> {
  try {
    return await (await openAnyWorkspace(context)).buildContext(request, context.signal);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.failure.type === 'usage') throw error;
    return blocks.makeUnchangedContext(request.messages, error.failure.message);
  }
}

async function messagesOf({ io }: CommandContext, options: AskedBy): Promise<readonly blocks.ChatMessage[]> {
  const { message, stdin, task, automation, skill } = options;
  if (message !== undefined && stdin === true) failBoth('--message', '--stdin');
  if (message !== undefined) return [{ role: 'user', content: message }];
  if (stdin === true) {
    const { readJsonRecords } = await import('../../session/message.js');
    return readJsonRecords(await readStreamText(io.stdin)).map(({ record, place }) => {
      const { role, content } = record;
      if (typeof role === 'string') return { ...record, role, content };
      return fail('usage', `${place} has no role`, 'write each message as {"role": …, "content": …}');
    });
  }
  if (task ?? automation ?? skill) return [];
  return fail('usage', 'there is no message', 'use --message TEXT, or send the conversation with --stdin');
}

async function aboutOf({ io }: CommandContext, { task, automation, skill }: AskedBy): Promise<string> {
  const file = skill === undefined ? '' : await readInput(skill, io);
  // The front matter of a skill says what the skill is for.
  const said = [...file.slice(0, 4_000).matchAll(/^(?:name|description):[ \t]*(.+)$/gmu)].map(([, text = '']) => text);
  const about = said.length > 0 ? said.join('\n') : file.slice(0, 1_000);
  return [task ?? '', automation ?? '', about].filter((text) => text !== '').join('\n');
}
