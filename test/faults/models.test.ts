import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import {
  type CommandStage,
  FILES,
  leftIn,
  MODEL_COMMANDS,
  type ModelCommand,
  PULLABLE,
} from '../support/model-commands.js';
import { FAULT_NAMES, type FaultName } from '../support/ollama/faults.js';
import { INSTALLED } from '../support/ollama/model.js';
import { FakeOllama } from '../support/ollama/server.js';
import { TemporaryWorkspace } from '../support/workspace.js';

const WAIT_MS = 250;

/** Only these faults wait for a deadline. For the others the deadline is so long that no busy machine reaches it. */
const ENDLESS: ReadonlySet<FaultName> = new Set([
  'hang-before-headers',
  'hang-after-headers',
  'idle-mid-stream',
  'slow-first-token',
  'whitespace-flood',
]);
const PATIENT_MS = 60_000;

/** Faults before any computation: they also hit commands that need no model. */
const OF_THE_CONNECTION: readonly FaultName[] = [
  'reset-before-headers',
  'hang-before-headers',
  'busy',
  'runner-stopped',
  'nested-400',
  'html-502',
  'broken-error-json',
  'not-json',
];

const FAULTS = [
  ...FAULT_NAMES.map((fault) => ({ fault, everywhere: false })),
  ...OF_THE_CONNECTION.map((fault) => ({ fault, everywhere: true })),
];

/** Returns all faults, or every fourth, starting at a different one for each command. */
function faultsFor(command: ModelCommand): typeof FAULTS {
  const step = cases(1, 4);
  return FAULTS.filter((_, index) => (index + MODEL_COMMANDS.indexOf(command)) % step === 0);
}

// Commands mostly wait for deadlines, so several run at once, each with a server of its own.
test.concurrent.each(MODEL_COMMANDS)(
  '$name ends in time under every fault, with a warning or a hint and nothing half-done',
  async (command) => {
    const broken: string[] = [];
    const stage = await openStage();
    try {
      for (const { fault, everywhere } of faultsFor(command)) {
        stage.server.faults.clear();
        const wait = ENDLESS.has(fault) ? WAIT_MS : PATIENT_MS;
        stage.workspace.modelWaitMs = wait;
        stage.workspace.write('memory.config.json5', JSON.stringify({ recallEmbedBudgetMs: wait }));
        await command.prepare?.(stage);
        stage.server.faults.everywhere = everywhere;
        stage.server.faults.set(fault);
        await endsWell(command, stage).catch((error: Error) => {
          broken.push(`${fault}${everywhere ? ' everywhere' : ''}: ${error.message}`);
        });
      }
    } finally {
      await closeStage(stage);
    }
    expect(broken).toEqual([]);
  },
);

test.concurrent.each(MODEL_COMMANDS)('$name uses the model when there is no fault', async (command) => {
  const stage = await openStage();
  try {
    await command.prepare?.(stage);
    stage.server.received.length = 0;
    const { code, stdout } = await stage.run([...command.args, '--json']);
    expect(code).toBe(0);
    expect(stage.server.received).not.toEqual([]);
    expect(stdout).not.toMatch(/searched by words only|"overview_by":"deterministic"|model_unavailable/);
  } finally {
    await closeStage(stage);
  }
});

async function endsWell(command: ModelCommand, stage: CommandStage): Promise<void> {
  const { code, stdout, stderr } = await stage.run([...command.args, '--json']);
  // Each event is a line of its own; stdout has nothing else.
  const answer = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .at(-1);
  if (code === 0) command.check(answer, stage);
  else {
    expect([code, answer]).toEqual([3, { ok: false, error: expect.objectContaining({ type: 'model_unavailable' }) }]);
    expect(stderr).toMatch(/^error: .+\nhint: .+\n$/m);
  }
  expect(leftIn(stage.workspace)).toEqual([]);
  command.settled?.(stage);
}

async function openStage(): Promise<CommandStage> {
  const server = await new FakeOllama({ models: INSTALLED, registry: PULLABLE }).start();
  const workspace = new TemporaryWorkspace(FILES);
  const run = (args: readonly string[]) => workspace.run(args, { env: { OLLAMA_HOST: server.url } });
  // Several commands share this process, so one may delay the connection of another.
  workspace.modelWaitMs = PATIENT_MS;
  workspace.write('memory.config.json5', JSON.stringify({ recallEmbedBudgetMs: PATIENT_MS }));
  expect(await run(['index', '--embed'])).toMatchObject({ code: 0 });
  return { workspace, server, run };
}

async function closeStage({ workspace, server }: CommandStage): Promise<void> {
  workspace.dispose();
  await server.stop();
}
