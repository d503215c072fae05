import type { HostEnvironment } from '../../workspace/openclaw-config.js';
import { connectionStates, placesOf, titleOf } from '../connect.js';
import { type Finding, said } from './check.js';

const STATES = { works: 'ok', old: 'warning', broken: 'problem' } as const;

/** Each host that calls us: whether it can, and whether what it has is what would be written now. */
export function connections(host: HostEnvironment, workspace: string): readonly Finding[] {
  const usual = { program: [], workspace, options: [], isUsual: true, skill: ['openclaw-memory'] };
  try {
    return connectionStates(usual, { places: placesOf(host.env), env: host }).map((each) => {
      const place = each.project === undefined ? '' : ` in ${each.project}`;
      const again = `openclaw memory connect ${each.host}${each.project === undefined ? '' : ' --project'}`;
      const hint = `${again} writes it again, openclaw memory disconnect ${each.host} takes it away`;
      const message = `${titleOf(each.host)}${place}: ${each.message}`;
      return { check: 'connection', state: STATES[each.state], message, ...(each.state === 'works' ? {} : { hint }) };
    });
  } catch (error) {
    return [{ check: 'connection', state: 'problem', ...said(error) }];
  }
}
