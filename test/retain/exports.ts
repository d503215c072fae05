import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExportReport } from '../../src/retain/import.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

/** An export as a program writes it, and a question about it. */
export interface SampleExport {
  readonly name: string;
  /** The files of the export by path; the first, or its folder with `isFolder`, is imported. */
  readonly files: Readonly<Record<string, string>>;
  readonly isFolder?: boolean;
  /** Page that the import writes, below `memory/imports/`. */
  readonly page: string;
  /** Number of entries, without those of the program itself. */
  readonly entries: number;
  readonly question: string;
  /** Content, day and speaker of the first answer. */
  readonly answer: readonly [content: string, day: string | null, speaker: string | null];
  /** Texts that are not on the page. */
  readonly without?: readonly string[];
  /** The files of a later export, and the number of its new entries. */
  readonly later?: readonly [files: Readonly<Record<string, string>>, added: number];
}

/** Writes the files of an export beside the workspace, and returns what to import. */
export function writeExport(workspace: TemporaryWorkspace, files: Readonly<Record<string, string>>, isFolder = false) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace.base, path)), { recursive: true });
    writeFileSync(join(workspace.base, path), text);
  }
  const [first = ''] = Object.keys(files);
  return isFolder ? (first.split('/')[0] ?? '') : first;
}

export function runImport(workspace: TemporaryWorkspace, ...args: readonly string[]): Promise<ExportReport> {
  return workspace.json<ExportReport>(['import', ...args]);
}

const GERMAN = `03.02.26, 09:20 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.
03.02.26, 09:20 - Anna Schmidt hat die Gruppe „Familie“ erstellt
03.02.26, 09:21 - Anna Schmidt: Der Zahnarzt ist jetzt in der Mozartgasse 4
Bringt die Karte mit
03.02.26, 09:25 - +43 660 1234567: <Medien ausgeschlossen>
03.02.26, 18:40 - Bo: Ich nehme den Zug um 7
`;
const AMERICAN = `[1/31/26, 9:20:11\u202fPM] Book Club: \u200eMessages and calls are end-to-end encrypted.
[1/31/26, 9:21:40\u202fPM] Carol: We read Middlemarch until March
\u200e[1/31/26, 9:22:02\u202fPM] Dave O’Neill: \u200eimage omitted
\u200e[1/31/26, 9:22:30\u202fPM] Dave O’Neill: \u200e<attached: 00000012-PLAN.pdf>
[2/1/26, 12:05:00\u202fAM] ~ Dave O’Neill: My copy is the Penguin edition \u200e<This message was edited>
`;
const BRITISH = `14/02/2026, 08:01 - Messages and calls are end-to-end encrypted. Tap to learn more.
14/02/2026, 08:02 - Priya: The allotment key hangs behind the shed
14/02/2026, 08:03 - Priya changed the subject to “Plot: 12”
15/02/2026, 20:15 - Tom: Onion sets arrive on Tuesday
`;

const TELEGRAM_MESSAGES = [
  { id: 1, type: 'service', date: '2026-02-01T10:00:00', actor: 'Mia', action: 'create_group', text: '' },
  {
    id: 2,
    type: 'message',
    date: '2026-02-01T10:01:05',
    from: 'Mia',
    from_id: 'user1',
    text: 'The cabin code is 4471',
  },
  {
    id: 3,
    type: 'message',
    date: '2026-02-02T19:30:00',
    from: 'João',
    from_id: 'user2',
    text: ['Trains: ', { type: 'text_link', text: 'timetable', href: 'https://example.org/trains' }, ', platform 9'],
  },
  {
    id: 4,
    type: 'message',
    date: '2026-02-02T19:31:00',
    from: 'João',
    from_id: 'user2',
    photo: 'photos/map.jpg',
    text: '',
  },
];
const telegramChat = (messages: readonly object[]) => ({ name: 'Ski trip', type: 'private_group', id: 77, messages });

export const CHAT_EXPORTS: readonly SampleExport[] = [
  {
    name: 'WhatsApp on Android, German',
    files: { 'WhatsApp Chat mit Familie.txt': GERMAN },
    page: 'whatsapp/Familie.md',
    entries: 2,
    question: 'Wo ist der Zahnarzt?',
    answer: ['Mozartgasse 4', '2026-02-03', 'Anna Schmidt'],
    without: ['verschlüsselt', 'erstellt', 'Medien'],
    later: [{ 'WhatsApp Chat mit Familie.txt': `${GERMAN}04.02.26, 07:10 - Bo: Bin im Zug\n` }, 1],
  },
  {
    name: 'WhatsApp on iOS, American',
    files: { 'WhatsApp Chat - Book Club/_chat.txt': AMERICAN },
    isFolder: true,
    page: 'whatsapp/Book-Club.md',
    entries: 3,
    question: 'Which edition does Dave have?',
    answer: ['Penguin edition', '2026-02-01', 'Dave O’Neill'],
    without: ['encrypted', 'image omitted', 'edited', '12:05'],
    later: [
      { 'WhatsApp Chat - Book Club/_chat.txt': `${AMERICAN}[2/3/26, 7:00:00\u202fAM] Carol: Chapter two is long\n` },
      1,
    ],
  },
  {
    name: 'WhatsApp on Android, British',
    files: { 'WhatsApp Chat with Allotment (1).txt': `\ufeff${BRITISH.replaceAll('\n', '\r\n')}` },
    page: 'whatsapp/Allotment.md',
    entries: 2,
    question: 'where does the allotment key hang?',
    answer: ['behind the shed', '2026-02-14', 'Priya'],
    without: ['subject', 'encrypted', '\r'],
    later: [{ 'WhatsApp Chat with Allotment.txt': `${BRITISH}15/02/2026, 20:16 - Priya: Lovely\n` }, 1],
  },
  {
    name: 'Telegram, one chat',
    files: { 'ChatExport_2026-02-03/result.json': JSON.stringify(telegramChat(TELEGRAM_MESSAGES)) },
    isFolder: true,
    page: 'telegram/Ski-trip.md',
    entries: 3,
    question: 'What is the cabin code?',
    answer: ['4471', '2026-02-01', 'Mia'],
    without: ['create_group'],
    later: [
      {
        'ChatExport_2026-02-03/result.json': JSON.stringify(
          telegramChat([
            ...TELEGRAM_MESSAGES,
            { id: 5, type: 'message', date: '2026-02-03T08:00:00', from: 'Mia', text: 'See you' },
          ]),
        ),
      },
      1,
    ],
  },
  {
    name: 'Telegram, a whole account',
    files: {
      'result.json': JSON.stringify({
        about: 'Here is the data you requested.',
        chats: {
          about: 'This page lists all chats from this export.',
          list: [
            telegramChat(TELEGRAM_MESSAGES),
            {
              type: 'saved_messages',
              id: 5,
              messages: [
                {
                  id: 1,
                  type: 'message',
                  date: '2026-01-05T09:00:00',
                  from: 'Mia',
                  text: 'IBAN of the garage is AT61',
                },
              ],
            },
          ],
        },
      }),
    },
    page: 'telegram/Saved-messages.md',
    entries: 4,
    question: 'IBAN of the garage',
    answer: ['AT61', '2026-01-05', 'Mia'],
  },
  {
    name: 'Telegram, a channel with a deleted account',
    files: {
      'result.json': JSON.stringify({
        name: 'Harbour news',
        type: 'public_channel',
        id: 9,
        messages: [
          { id: 1, type: 'message', date: '2026-02-20T06:00:00', from: null, text: 'The ferry stops at noon' },
          {
            id: 2,
            type: 'message',
            date: '2026-02-20T07:00:00',
            from: 'Harbour news',
            forwarded_from: 'Port office',
            text: [{ type: 'bold', text: 'Dredging' }, ' starts at pier 3'],
          },
        ],
      }),
    },
    page: 'telegram/Harbour-news.md',
    entries: 2,
    question: 'where does dredging start?',
    answer: ['(from Port office) Dredging starts at pier 3', '2026-02-20', 'Harbour news'],
  },
];
