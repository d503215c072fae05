import { type DefineCommand, group } from '../../verb.js';
import { add, afterTurn, importVerb } from './adding.js';
import { commit, compact, resume } from './archiving.js';
import { brief, context, expand, list, search, show, status } from './reading.js';

const ADDING = { add, import: importVerb, 'after-turn': afterTurn };
const READING = { list, status, show };
const ARCHIVING = { commit, compact, resume };

export const define: DefineCommand = group(
  ['session add chat-1 --role user --text "use Redis, port 6380"', 'session status chat-1', 'session commit chat-1'],
  { ...ADDING, ...READING, ...ARCHIVING, context, brief, expand, search },
);
