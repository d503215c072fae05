import { compareText } from '../../base/order.js';
import { type Notice, readTree } from '../../index/tree.js';
import { readUnits } from '../../memory/units.js';
import { type Standing, standingIn } from '../../retain/standing.js';
import { decodeBytes } from '../../text/bytes.js';
import { readable } from '../lint/readable.js';
import { broughtBack, dayNames, leftOut } from '../lint/rules/files.js';
import type { Check } from './check.js';

const MOST_NAMED = 20;

/** What lint says of files as such: those that can't be read or are not, odd names, and what was forgotten in vain. */
export const files: Check = {
  look: ({ place }) => {
    const check = 'files';
    if (place === undefined) return { check, state: 'warning', message: 'not looked at: there is no workspace' };
    const { root, reads } = place;
    const { files: pages, notices: listed, forgotten } = readTree(root, reads);
    const notices: Notice[] = [...listed];
    const standing: Standing[] = [];
    for (const { path, page, bytes } of readable(root, pages, notices)) {
      if (forgotten.size > 0)
        standing.push(...standingIn(path, readUnits(path, page, decodeBytes(bytes)).units, forgotten));
    }
    const problems = [...leftOut({ notices }), ...dayNames({ pages }), ...broughtBack({ standing })]
      .filter(({ severity, rule }) => severity !== 'info' && rule !== 'two-core-files')
      .sort((a, b) => compareText(a.severity, b.severity));
    if (problems.length === 0) return { check, state: 'ok', message: 'all can be read' };
    const named = problems
      .slice(0, MOST_NAMED)
      .map(({ path, line, message }) => `${path}${line === null ? '' : `#L${line}`} (${message})`);
    const state = problems.some(({ severity }) => severity === 'error') ? 'problem' : 'warning';
    const message = `${named.join(', ')}${problems.length > MOST_NAMED ? `, and ${problems.length - MOST_NAMED} more` : ''}`;
    return { check, state, message, hint: 'openclaw memory lint says more of each' };
  },
};
