import { type DefineCommand, defineGroup } from '../../verb.js';
import { defineSessionAdd, defineSessionAfterTurn, defineSessionImport } from './adding.js';
import { defineSessionCommit, defineSessionCompact, defineSessionResume } from './archiving.js';
import {
  defineSessionBrief,
  defineSessionContext,
  defineSessionExpand,
  defineSessionList,
  defineSessionSearch,
  defineSessionShow,
  defineSessionStatus,
} from './reading.js';

const ADDING = { add: defineSessionAdd, import: defineSessionImport, 'after-turn': defineSessionAfterTurn };
const READING = { list: defineSessionList, status: defineSessionStatus, show: defineSessionShow };
const ARCHIVING = { commit: defineSessionCommit, compact: defineSessionCompact, resume: defineSessionResume };

export const define: DefineCommand = defineGroup(
  ['session add chat-1 --role user --text "use Redis, port 6380"', 'session status chat-1', 'session commit chat-1'],
  {
    ...ADDING,
    ...READING,
    ...ARCHIVING,
    context: defineSessionContext,
    brief: defineSessionBrief,
    expand: defineSessionExpand,
    search: defineSessionSearch,
  },
);
