import { fail } from '../../base/failure.js';
import { isSealed } from '../../context/skill.js';
import type { Format } from './splice.js';

/** A file in a folder of ours. */
export const WHOLE_FORMAT: Format = {
  add: (_, { value }) => ({ at: 0, before: '', after: String(value) }),
  find: (text) => (text === '' ? [] : [text]),
  strip: () => '',
};

/** A page that is ours as a whole, as long as no person has changed it. */
export const PAGE_FORMAT: Format = {
  ...WHOLE_FORMAT,
  strip: (text) =>
    text === '' || isSealed(text)
      ? ''
      : fail('conflict', 'it was changed by hand', 'move it away, or compare it with openclaw memory skill'),
};
