import type { FileContents } from '../support/workspace.js';

/** A message of the conversation. */
interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly timestamp: string;
}

/** Makes the messages of a day, ten minutes apart. A line that begins with `>` is said by the assistant. */
function saidOn(day: string, lines: string): readonly Message[] {
  return lines
    .trim()
    .split('\n')
    .map((line, index) => ({
      role: line.startsWith('>') ? 'assistant' : 'user',
      content: line.replace(/^>\s*/u, ''),
      timestamp: `${day}T${String(8 + Math.floor(index / 6)).padStart(2, '0')}:${index % 6}0:00Z`,
    }));
}

/** A conversation of five days. */
export const CONVERSATION: readonly Message[] = [
  ...saidOn(
    '2026-03-09',
    `
Good morning! How many seconds does a week have?
> A week has 604,800 seconds.
Thanks. Larkspur runs on Postgres 16 since the weekend.
> Shall I move Pellworm to Postgres 16, too?
No. Pellworm stays on MySQL 8, because the old reports need it.
Remember: Larkspur is deployed on Tuesdays only.
And never deploy Pellworm on a Friday.
> Understood.
The cache of Larkspur listens on port 6391 since the update.
npm run seed fails in src/seed.ts with E1187. Can you look at it?
> src/seed.ts read the file .env.local. I changed it to .env, and npm run seed passes.
Great, that works.`,
  ),
  ...saidOn(
    '2026-03-10',
    `
Ilka Brandis owns Larkspur, and Tomas Veldt owns Pellworm.
> Good to know. Do you want a page with all owners?
Not now. Ilka moved from Linz to Graz on 2 March.
She drinks no coffee, so please order jasmine tea for the workshop.
> I put jasmine tea on the list.
Tomas is allergic to penicillin.
Tomas works from Porto until the end of May.
It rains here all day.
> That sounds like a day for the desk.`,
  ),
  ...saidOn(
    '2026-03-11',
    `
We decided to keep the backups of Larkspur for 30 days, because the audit asks for it.
The backups run at 02:30 and go to the NAS called Tresor.
> Should they be encrypted?
Yes, with age. The key of the backups is not stored on Tresor.
The Rudder club meets on Thursdays at 19:00 in Hall 4.
> Would you like a reminder?
No reminder, please.
If the board agrees, the club buys the tent from Zeltwerk.`,
  ),
  ...saidOn(
    '2026-03-12',
    `
Please write the report about Pellworm in British English.
Never use tables in the report.
> I will. How long may it be?
The report may have 12 pages at most.
Hetty Quist takes over the on-call duty from Tomas on 1 April.
What does idempotent mean?
> Doing it twice has the same effect as doing it once.`,
  ),
  ...saidOn(
    '2026-03-13',
    `
Customer names must not appear in the logs of Larkspur.
The login bug in src/login.ts is fixed: the token expired after 15 minutes.
> Shall I close the ticket?
Yes, please. Which certificate does Pellworm use?
> I don't know yet.
Pellworm is not reachable from the internet.
Have a nice weekend!`,
  ),
];

/** Logs with typed facts and plain lines, and the beliefs that grow from them. */
export const FILES: FileContents = {
  'memory/2026-02-20.md': `# 2026-02-20

## Retain
- W @Larkspur: Larkspur runs on SQLite
- W @Ilka: Ilka lives in Linz
- W @Ilka: Ilka plays the oboe on Sundays
- W @Tomas: Tomas works from Utrecht
- W @Rudder-club: The Rudder club meets on Mondays
- O(c=0.8) @Ilka: Ilka prefers short meetings
- O(c=0.7) @Tomas: Tomas likes calls in the morning
- O(c=0.8) @Larkspur: The tests of Larkspur are fast
`,
  'memory/2026-02-27.md': `# 2026-02-27

Lunch with the team at the harbour.
The invoice of Zeltwerk came by post: 840 euros for the repair of the old tent.
Decided to rent the Elbe room for the workshop on 21 April, because it has a projector.
Remember that the door code of the Elbe room is 7714.

## Retain
- W @Pellworm: Pellworm keeps its reports for two years
- W @Tomas: Tomas has a daughter called Mirja
`,
  'memory/2026-03-05.md': `# 2026-03-05

Watered the plants, then answered mail.
Hetty Quist wants the minutes in German, not in English.
Replaced the pump of the heater in Hall 4 with one by Norrlund.
Nobody may smoke in Hall 4, the insurance forbids it.

## Retain
- W @Larkspur: Larkspur moved from SQLite to Postgres 16
- W @Ilka: Ilka lives in Graz
- W @Ilka: Ilka ended the meeting after ten minutes and was glad of it
- W @Tomas: Tomas works from Porto
- W @Tomas: Tomas asked for no calls before noon, he hates calls in the morning
`,
  'memory/2026-03-08.md': `# 2026-03-08

Paid the fee of the Rudder club for this year, 65 euros.
The summer regatta is on 11 July, and Ilka steers the boat Kormoran.

## Retain
- W @Ilka: Ilka sold the oboe and plays no instrument any more
- W @Ilka: Ilka bought a red bicycle
- W @Rudder-club: The Rudder club meets on Thursdays
- W @Larkspur: The tests of Larkspur now take 40 minutes, nobody calls them fast
- W @Larkspur: Larkspur got a new logo
`,
};

/** A statement that is true in the fixture. */
export interface GoldFact {
  /** What it is about, as lines name it. */
  readonly about: string;
  /** The statement, as a good model writes it. */
  readonly text: string;
  /** The words of the conversation or of a log that say it. */
  readonly source: string;
  /** What the statement gives: values that belong to this thing. */
  readonly values: readonly string[];
  /** The same without its "not". Set only if the statement denies something. */
  readonly undenied?: string;
  /** A second name in the statement. */
  readonly also?: string;
}

const fact = (
  about: string,
  source: string,
  text: string,
  values: readonly string[],
  more: Partial<GoldFact> = {},
): GoldFact => ({ about, source, text, values, ...more });

/** What is true, sentence by sentence. */
export const GOLD: readonly GoldFact[] = [
  fact('Larkspur', 'Larkspur runs on Postgres 16', 'Larkspur runs on Postgres 16', ['Postgres 16']),
  fact('Pellworm', 'Pellworm stays on MySQL 8', 'Pellworm stays on MySQL 8 because the old reports need it', [
    'MySQL 8',
  ]),
  fact('Larkspur', 'deployed on Tuesdays only', 'Larkspur is deployed on Tuesdays only', ['Tuesdays']),
  fact('Pellworm', 'never deploy Pellworm on a Friday', 'Never deploy Pellworm on a Friday', ['Friday'], {
    undenied: 'Deploy Pellworm on a Friday',
  }),
  fact('Larkspur', 'listens on port 6391', 'The cache of Larkspur listens on port 6391', ['6391']),
  fact('seed', 'read the file .env.local', 'src/seed.ts read .env.local; it was changed to .env', [
    '.env.local',
    '.env',
  ]),
  fact('Larkspur', 'Ilka Brandis owns Larkspur', 'Ilka Brandis owns Larkspur', ['owns'], { also: 'Ilka' }),
  fact('Pellworm', 'Tomas Veldt owns Pellworm', 'Tomas Veldt owns Pellworm', ['owns'], { also: 'Tomas' }),
  fact('Ilka', 'Ilka moved from Linz to Graz', 'Ilka moved from Linz to Graz on 2 March', ['Linz', 'Graz', '2 March']),
  fact('Ilka', 'She drinks no coffee', 'Ilka drinks no coffee', ['coffee'], { undenied: 'Ilka drinks coffee' }),
  fact('Tomas', 'allergic to penicillin', 'Tomas is allergic to penicillin', ['penicillin']),
  fact('Tomas', 'Tomas works from Porto until', 'Tomas works from Porto until the end of May', ['Porto', 'May']),
  fact(
    'Larkspur',
    'keep the backups of Larkspur for 30 days',
    'The backups of Larkspur are kept for 30 days, because the audit asks for it',
    ['30 days'],
  ),
  fact('Tresor', 'The backups run at 02:30', 'The backups run at 02:30 and go to the NAS called Tresor', ['02:30']),
  fact('Tresor', 'not stored on Tresor', 'The key of the backups is not stored on Tresor', ['key'], {
    undenied: 'The key of the backups is stored on Tresor',
  }),
  fact('Rudder club', 'meets on Thursdays at 19:00', 'The Rudder club meets on Thursdays at 19:00 in Hall 4', [
    'Thursdays',
    '19:00',
    'Hall 4',
  ]),
  fact('report', 'in British English', 'The report about Pellworm is written in British English', ['British English'], {
    also: 'Pellworm',
  }),
  fact('report', 'Never use tables', 'Never use tables in the report', ['tables'], {
    undenied: 'Use tables in the report',
  }),
  fact('report', '12 pages at most', 'The report may have 12 pages at most', ['12 pages']),
  fact(
    'Hetty',
    'takes over the on-call duty',
    'Hetty Quist takes over the on-call duty from Tomas on 1 April',
    ['on-call', '1 April'],
    { also: 'Tomas' },
  ),
  fact(
    'Larkspur',
    'must not appear in the logs of Larkspur',
    'Customer names must not appear in the logs of Larkspur',
    ['Customer names'],
    { undenied: 'Customer names must appear in the logs of Larkspur' },
  ),
  fact(
    'login',
    'expired after 15 minutes',
    'The login bug in src/login.ts is fixed: the token expired after 15 minutes',
    ['15 minutes'],
  ),
  fact('Pellworm', 'not reachable from the internet', 'Pellworm is not reachable from the internet', ['internet'], {
    undenied: 'Pellworm is reachable from the internet',
  }),
  fact('Zeltwerk', '840 euros for the repair', 'The invoice of Zeltwerk was 840 euros for the repair of the old tent', [
    '840',
  ]),
  fact(
    'Elbe room',
    'rent the Elbe room',
    'Decided to rent the Elbe room for the workshop on 21 April, because it has a projector',
    ['21 April', 'projector'],
  ),
  fact('Elbe room', 'door code of the Elbe room', 'The door code of the Elbe room is 7714', ['7714']),
  fact('Hetty', 'minutes in German', 'Hetty Quist wants the minutes in German, not in English', ['German']),
  fact('Hall 4', 'pump of the heater', 'The pump of the heater in Hall 4 was replaced with one by Norrlund', [
    'Norrlund',
  ]),
  fact('Hall 4', 'Nobody may smoke', 'Nobody may smoke in Hall 4, the insurance forbids it', ['smoke'], {
    undenied: 'Everybody may smoke in Hall 4, the insurance allows it',
  }),
  fact('Rudder club', 'Paid the fee', 'Paid the fee of the Rudder club for this year, 65 euros', ['65']),
  fact(
    'regatta',
    'The summer regatta is on 11 July',
    'The summer regatta is on 11 July, and Ilka steers the boat Kormoran',
    ['11 July', 'Kormoran'],
    { also: 'Ilka' },
  ),
  fact('Larkspur', 'Larkspur runs on SQLite', 'Larkspur ran on SQLite', ['SQLite']),
  fact('Larkspur', 'moved from SQLite to Postgres 16', 'Larkspur moved from SQLite to Postgres 16', [
    'SQLite',
    'Postgres 16',
  ]),
  fact('Ilka', 'Ilka lives in Graz', 'Ilka lives in Graz', ['Graz']),
  fact('Ilka', 'sold the oboe', 'Ilka sold the oboe and plays no instrument any more', ['oboe', 'sold'], {
    undenied: 'Ilka bought the oboe and plays an instrument again',
  }),
  fact('Ilka', 'red bicycle', 'Ilka bought a red bicycle', ['bicycle', 'bought']),
  fact('Tomas', 'daughter called Mirja', 'Tomas has a daughter called Mirja', ['Mirja']),
  fact('Tomas', 'hates calls in the morning', 'Tomas hates calls in the morning', ['calls']),
  fact('Pellworm', 'reports for two years', 'Pellworm keeps its reports for two years', ['two years']),
  fact('Larkspur', 'now take 40 minutes', 'The tests of Larkspur now take 40 minutes', ['40 minutes']),
  fact('Larkspur', 'new logo', 'Larkspur got a new logo', ['logo']),
];

/** Right verdicts on facts and beliefs that are not "none". A text is named by a part of it. */
export const GOLD_VERDICTS: readonly {
  readonly fact: string;
  readonly belief: string;
  readonly verdict: 'supports' | 'contradicts';
}[] = [
  { fact: 'ended the meeting after ten minutes', belief: 'prefers short meetings', verdict: 'supports' },
  { fact: 'hates calls in the morning', belief: 'likes calls in the morning', verdict: 'contradicts' },
  { fact: 'now take 40 minutes', belief: 'tests of Larkspur are fast', verdict: 'contradicts' },
];

/** Right relations of two statements that are not "both". */
export const GOLD_RELATIONS: readonly {
  readonly earlier: string;
  readonly later: string;
  readonly relations: readonly string[];
}[] = [
  { earlier: 'runs on SQLite', later: 'moved from SQLite to Postgres 16', relations: ['replaces', 'ends'] },
  { earlier: 'Ilka lives in Linz', later: 'Ilka lives in Graz', relations: ['replaces'] },
  { earlier: 'plays the oboe on Sundays', later: 'sold the oboe', relations: ['ends', 'replaces'] },
  { earlier: 'works from Utrecht', later: 'works from Porto', relations: ['replaces'] },
  { earlier: 'meets on Mondays', later: 'meets on Thursdays', relations: ['replaces'] },
];
