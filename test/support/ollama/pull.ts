import type { ServerResponse } from 'node:http';
import { digestOf, type FakeModel } from './model.js';
import type { Stage } from './stage.js';
import { brokeOff } from './stage.js';
import { sendJson } from './wire.js';

const STEPS = 4;

/**
 * `POST /api/pull`: progress line by line. A failure is a line of a 200 response, since the first line is sent before the
 * model is looked up.
 * @param found the model of the registry, or the reason for its absence
 */
export async function pull(
  found: FakeModel | string,
  stream: boolean,
  stage: Stage,
  response: ServerResponse,
  install: (model: FakeModel) => void,
): Promise<void> {
  if (!stream) {
    if (typeof found === 'string') return sendJson(response, 500, { error: found });
    install(found);
    return sendJson(response, 200, { status: 'success' });
  }
  const writer = stage.writer(1);
  if (await brokeOff(writer, stage, 0)) return;
  await writer.line({ status: 'pulling manifest' });
  if (typeof found === 'string') {
    await writer.line({ error: found });
    return writer.end();
  }
  const digest = `sha256:${digestOf(found)}`;
  const status = `pulling ${digestOf(found).slice(0, 12)}`;
  const total = found.sizeBytes;
  for (let step = 0; step <= STEPS; step++) {
    if (stage.gone.aborted) return;
    const completed = Math.floor((total * step) / STEPS);
    await writer.line({ status, digest, total, ...(completed === 0 ? {} : { completed }) });
    if (step === STEPS >> 1 && (await brokeOff(writer, stage, 1))) return;
  }
  for (const said of ['verifying sha256 digest', 'writing manifest']) await writer.line({ status: said });
  if (await brokeOff(writer, stage, 2)) return;
  install(found);
  await writer.line({ status: 'success' });
  await writer.end();
}
