import type { DefineCommand } from '../../command.js';
import { group } from '../../verb.js';
import { add } from './add.js';
import { afterTurn } from './after-turn.js';
import { commit, compact, resume } from './archiving.js';
import { importVerb } from './import.js';
import { brief, context, expand, list, search, show, status } from './reading.js';

export const define: DefineCommand = group(
  ['session add chat-1 --role user --text "use Redis, port 6380"', 'session status chat-1', 'session commit chat-1'],
  {
    add,
    import: importVerb,
    'after-turn': afterTurn,
    list,
    status,
    show,
    commit,
    compact,
    resume,
    context,
    brief,
    expand,
    search,
  },
);
