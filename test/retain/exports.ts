import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
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

/** A ZIP archive with these files. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const heads: Buffer[] = [];
  const parts: Buffer[] = [];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), deflateRawSync(text)];
    const head = Buffer.alloc(26);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(text), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(Buffer.byteLength(text), 18);
    head.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    heads.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), head, place, name);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), head, name, data];
    parts.push(...local);
    at += local.reduce((sum, { length }) => sum + length, 0);
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length % 2 ** 16, 6);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, ...heads, Buffer.from('PK\x05\x06', 'latin1'), end]);
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

const SLACK_USERS = JSON.stringify([
  { id: 'U01', name: 'anna', real_name: 'Anna Schmidt', profile: { real_name: 'Anna Schmidt', display_name: 'anna' } },
  { id: 'U02', name: 'bo', profile: { real_name: '', display_name: 'Bo Lind' } },
]);
/** Unix time of a day in March 2026, in the form of Slack. */
const slackTime = (day: number, hour: number): string => `${Date.UTC(2026, 2, day, hour) / 1_000}.000200`;
const SLACK_DAY = [
  { type: 'message', subtype: 'channel_join', user: 'U02', ts: slackTime(2, 8), text: '<@U02> has joined the channel' },
  {
    type: 'message',
    user: 'U01',
    ts: slackTime(2, 9),
    text: '<@U02> the staging database moves to <https://db.example.org|db-2> &amp; keeps its port',
    user_profile: { real_name: 'Anna Schmidt' },
  },
  {
    type: 'message',
    subtype: 'thread_broadcast',
    user: 'U02',
    ts: slackTime(2, 10),
    thread_ts: slackTime(2, 9),
    text: 'Then I change <#C9|deploys>',
    files: [{ name: 'plan.pdf' }],
  },
  {
    type: 'message',
    subtype: 'bot_message',
    username: 'CI',
    ts: slackTime(2, 11),
    text: '',
    attachments: [{ fallback: 'Build 812 failed' }],
  },
];

const discordMessage = (id: string, timestamp: string, author: object, content: string, more: object = {}) => ({
  id,
  type: 'Default',
  timestamp,
  timestampEdited: null,
  content,
  author,
  attachments: [],
  embeds: [],
  stickers: [],
  mentions: [],
  ...more,
});
const ROBIN = { id: '1', name: 'robin_x', discriminator: '0000', nickname: 'Robin', isBot: false };
const SAM = { id: '2', name: 'sam', discriminator: '0000', nickname: null, isBot: false };
const DISCORD = {
  guild: { id: '900', name: 'Climbing' },
  channel: { id: '10', type: 'GuildTextChat', category: 'Text', name: 'gear', topic: null },
  dateRange: { after: null, before: null },
  messages: [
    discordMessage('1', '2026-02-10T18:00:00+00:00', SAM, 'Joined the server.', { type: 'GuildMemberJoin' }),
    discordMessage('2', '2026-02-10T18:05:00+00:00', ROBIN, '<@2> the rope is 60 metres, retire it in 2027 <:ok:55>', {
      mentions: [SAM],
    }),
    discordMessage('3', '2026-02-11T07:00:00+00:00', SAM, '', {
      attachments: [{ id: '7', url: 'x', fileName: 'topo.png' }],
    }),
  ],
};

const KINDLE_ENGLISH = `\ufeffThe Overstory (Powers, Richard)\r
- Your Highlight on page 12 | Location 178-180 | Added on Monday, February 2, 2026 10:11:12 PM\r
\r
The best time to plant a tree was twenty years ago.\r
==========\r
\ufeffThe Overstory (Powers, Richard)\r
- Your Note on page 12 | Location 180 | Added on Monday, February 2, 2026 10:12:00 PM\r
\r
Quote this in the garden talk\r
==========\r
\ufeffThe Overstory (Powers, Richard)\r
- Your Bookmark on page 14 | Location 200 | Added on Tuesday, February 3, 2026 7:00:00 AM\r
\r
\r
==========\r
`;
const KINDLE_GERMAN = `Der Zauberberg (Thomas Mann)
- Ihre Markierung auf Seite 88 | bei Position 1233-1234 | Hinzugefügt am Samstag, 7. Februar 2026 21:05:39

Man ändert hier seine **Begriffe**.
==========
`;

const ICS = (events: string, name = 'Family'): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nX-WR-CALNAME:${name}\r\n${events.trim().replaceAll('\n', '\r\n')}\r\nEND:VCALENDAR\r\n`;
const DENTIST = (start: string, more = ''): string => `BEGIN:VEVENT
UID:dentist@example.org
DTSTART:${start}T130000Z
DTEND:${start}T134500Z
SUMMARY:Dentist with Dr. Okafor
LOCATION:Mozartgasse 4\\, Graz
${more}BEGIN:VALARM
TRIGGER:-PT15M
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
`;
const YOGA = `BEGIN:VEVENT
UID:yoga@example.org
DTSTART;TZID=Europe/Vienna:20260105T180000
DTEND;TZID=Europe/Vienna:20260105T193000
RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20260630T000000Z
SUMMARY:Yoga in the
  town hall
ATTENDEE;CN="Priya Rao";PARTSTAT=ACCEPTED:mailto:priya@example.org
END:VEVENT
`;

export const OTHER_EXPORTS: readonly SampleExport[] = [
  {
    name: 'Slack, a channel',
    files: {
      'Acme Slack export Mar 1 2026 - Mar 3 2026/users.json': SLACK_USERS,
      'Acme Slack export Mar 1 2026 - Mar 3 2026/channels.json': '[{"id":"C1","name":"ops","members":["U01","U02"]}]',
      'Acme Slack export Mar 1 2026 - Mar 3 2026/ops/2026-03-02.json': JSON.stringify(SLACK_DAY),
    },
    isFolder: true,
    page: 'slack/ops-(Acme).md',
    entries: 3,
    question: 'where does the staging database move?',
    answer: [
      'Bo Lind the staging database moves to db-2 (https://db.example.org) & keeps its port',
      '2026-03-02',
      'Anna Schmidt',
    ],
    without: ['joined', 'U02', '&amp;'],
    later: [
      {
        'Acme Slack export Mar 1 2026 - Mar 3 2026/ops/2026-03-03.json': JSON.stringify([
          { type: 'message', user: 'U02', ts: slackTime(3, 9), text: 'Done' },
        ]),
      },
      1,
    ],
  },
  {
    name: 'Slack, direct messages',
    files: {
      'export/users.json': SLACK_USERS,
      'export/dms.json': '[{"id":"D7","members":["U01","U02"]}]',
      'export/D7/2026-03-01.json': JSON.stringify([
        { type: 'message', user: 'U02', ts: slackTime(1, 9), text: 'My bike is in for repair' },
      ]),
    },
    isFolder: true,
    page: 'slack/Anna-Schmidt,-Bo-Lind.md',
    entries: 1,
    question: 'whose bike is in for repair?',
    answer: ['My bike', '2026-03-01', 'Bo Lind'],
  },
  {
    name: 'Slack, a bot and files',
    files: {
      'export/users.json': SLACK_USERS,
      'export/channels.json': '[{"id":"C1","name":"builds"}]',
      'export/builds/2026-03-02.json': JSON.stringify(SLACK_DAY),
    },
    isFolder: true,
    page: 'slack/builds.md',
    entries: 3,
    question: 'Which build failed?',
    answer: ['Build 812 failed', '2026-03-02', 'CI'],
  },
  {
    name: 'Discord, a channel of DiscordChatExporter',
    files: { 'Climbing - gear [10].json': JSON.stringify(DISCORD) },
    page: 'discord/gear-(Climbing).md',
    entries: 2,
    question: 'how long is the rope?',
    answer: ['sam the rope is 60 metres, retire it in 2027 :ok:', '2026-02-10', 'Robin'],
    without: ['Joined', '<@2>'],
    later: [
      {
        'Climbing - gear [10].json': JSON.stringify({
          ...DISCORD,
          messages: [...DISCORD.messages, discordMessage('4', '2026-02-12T07:00:00+00:00', SAM, 'Thanks')],
        }),
      },
      1,
    ],
  },
  {
    name: 'Discord, direct messages',
    files: {
      'dm.json': JSON.stringify({
        ...DISCORD,
        guild: { id: '0', name: 'Direct Messages' },
        channel: { id: '11', type: 'DirectTextChat', name: 'sam' },
        messages: [
          discordMessage('9', '2026-01-20T21:30:00.123+00:00', SAM, 'The hut opens on 1 June', { type: 'Reply' }),
        ],
      }),
    },
    page: 'discord/sam.md',
    entries: 1,
    question: 'When does the hut open?',
    answer: ['1 June', '2026-01-20', 'sam'],
  },
  {
    name: "Discord, the data of one's own account",
    files: {
      'package/Messages/index.json': '{"10":"gear in Climbing"}',
      'package/Messages/c10/channel.json':
        '{"id":"10","type":"GUILD_TEXT","name":"gear","guild":{"id":"900","name":"Climbing"}}',
      'package/Messages/c10/messages.json': JSON.stringify([
        { ID: 6, Timestamp: '2026-02-11 08:00:00', Contents: 'Sold my old harness to Kim', Attachments: '' },
        { ID: 5, Timestamp: '2026-02-10 08:00:00', Contents: 'Morning', Attachments: '' },
      ]),
      'package/Account/user.json': '{"id":"1","username":"robin_x","global_name":"Robin"}',
    },
    isFolder: true,
    page: 'discord/gear-(Climbing).md',
    entries: 2,
    question: 'who bought the harness?',
    answer: ['Kim', '2026-02-11', 'Robin'],
  },
  {
    name: 'Kindle, English',
    files: { 'My Clippings.txt': KINDLE_ENGLISH },
    page: 'kindle/The-Overstory-(Powers,-Richard).md',
    entries: 2,
    question: 'the best time to plant a tree',
    answer: ['“The best time to plant a tree was twenty years ago.” (page 12, Location 178-180)', '2026-02-02', null],
    later: [
      {
        'My Clippings.txt': `${KINDLE_ENGLISH}\ufeffThe Overstory (Powers, Richard)\r\n- Your Highlight on page 90 | Location 900-901 | Added on Wednesday, February 4, 2026 6:00:00 AM\r\n\r\nChestnuts are quick.\r\n==========\r\n`,
      },
      1,
    ],
  },
  {
    name: 'Kindle, a note',
    files: { 'My Clippings.txt': KINDLE_ENGLISH },
    page: 'kindle/The-Overstory-(Powers,-Richard).md',
    entries: 2,
    question: 'what did I want to quote in the garden talk?',
    answer: ['Note on “The best time to plant', '2026-02-02', null],
  },
  {
    name: 'Kindle, German',
    files: { 'Meine Clippings.txt': KINDLE_GERMAN },
    page: 'kindle/Der-Zauberberg-(Thomas-Mann).md',
    entries: 1,
    question: 'Begriffe ändern',
    answer: ['(Seite 88, Position 1233-1234)', '2026-02-07', null],
  },
  {
    name: 'a calendar, with an event that moves',
    files: { 'family.ics': ICS(DENTIST('20260320') + YOGA) },
    page: 'calendar/Family.md',
    entries: 2,
    question: 'when is the dentist?',
    answer: ['Dentist with Dr. Okafor, 13:00–13:45, Mozartgasse 4, Graz', '2026-03-20', null],
    without: ['Reminder'],
  },
  {
    name: 'a calendar, with an event that repeats',
    files: { 'family.ics': ICS(YOGA) },
    page: 'calendar/Family.md',
    entries: 1,
    question: 'yoga in the town hall',
    answer: [
      'Yoga in the town hall, 17:00–18:30, with Priya Rao, every 2 weeks on Monday and Wednesday until 2026-06-30, from 2026-01-05',
      '2026-01-05',
      null,
    ],
  },
  {
    name: 'a calendar, with a zone of its own, a duration and a broken line',
    files: {
      'choir.ics': ICS(
        'BEGIN:VTIMEZONE\nTZID:Office\nBEGIN:STANDARD\nDTSTART:20250101T000000\nTZOFFSETFROM:-0300\nTZOFFSETTO:-0300\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:1\nbroken\nDTEND:\nRRULE:FREQ=OFTEN\nDTSTART;TZID=Office:20260410T220000\nDURATION:PT1H30M\nSUMMARY:Choir rehearsal\nEND:VEVENT',
        'Choir\\, new',
      ),
    },
    page: 'calendar/Choir,-new.md',
    entries: 1,
    question: 'when is the choir rehearsal?',
    answer: ['Choir rehearsal, 01:00–02:30', '2026-04-11', null],
  },
  {
    name: 'a calendar, whole days',
    files: {
      'work.ics': ICS(
        'BEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20260401\nDTEND;VALUE=DATE:20260404\nSUMMARY:Offsite in Bled\nDESCRIPTION:Bring boots\\nRoom list follows\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nDTSTART:20260402\nSUMMARY:Old party\nSTATUS:CANCELLED\nEND:VEVENT\nBEGIN:VEVENT\nUID:3\nDTSTART:20260405\nSUMMARY:Team photo\nEND:VEVENT',
        'Work',
      ),
    },
    page: 'calendar/Work.md',
    entries: 2,
    question: 'where is the offsite?',
    answer: ['Offsite in Bled, until 2026-04-03', '2026-04-01', null],
    without: ['party'],
  },
];

export const CALENDAR = { file: ICS, dentist: DENTIST, yoga: YOGA };

const MAIL_HTML = `From: =?utf-8?Q?J=C3=BCrgen_Weber?= <juergen@example.org>\r
To: Anna Schmidt <anna@example.org>\r
Subject: =?utf-8?B?TWlldHZlcnRyYWcgZsO8ciBkaWUgV29obnVuZw==?=\r
Date: Mon, 02 Mar 2026 09:20:00 +0100\r
Message-ID: <m1@example.org>\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary="b1"\r
\r
--b1\r
Content-Type: text/html; charset="iso-8859-1"\r
Content-Transfer-Encoding: quoted-printable\r
\r
<html><body><p>Die Miete betr=E4gt ab April 940 Euro.</p><p>Gr=FC=DFe<br>J=FCrgen</p></body></html>\r
--b1\r
Content-Type: application/pdf; name="Vertrag.pdf"\r
Content-Disposition: attachment; filename="Vertrag.pdf"\r
Content-Transfer-Encoding: base64\r
\r
JVBERi0xLjQK\r
--b1--\r
`;
const MBOX = `From carla@example.org Mon Mar  2 10:00:00 2026
From: Carla Ruiz <carla@example.org>
To: trip@example.org
Subject: Boat trip
Date: Mon, 2 Mar 2026 10:00:00 +0000
Message-ID: <b1@example.org>
Content-Type: text/plain; charset=utf-8

The boat leaves from pier 7 on Saturday. Please be there half an hour
before it leaves, because the crew counts us.

>From the parking lot it is a walk of five minutes.

--=20
Carla Ruiz
Harbour Tours

From dmitri@example.org Mon Mar  2 12:00:00 2026
From: "Dmitri P." <dmitri@example.org>
To: Carla Ruiz <carla@example.org>
Subject: Re: Boat trip
Date: Mon, 2 Mar 2026 12:00:00 +0000
Message-ID: <b2@example.org>
In-Reply-To: <b1@example.org>
References: <b1@example.org>
Content-Type: text/plain; charset=utf-8

I bring the life vests.

On Mon, 2 Mar 2026 at 10:00, Carla Ruiz <carla@example.org>
wrote:
> The boat leaves from pier 7 on Saturday. Please be there half an hour
> before it leaves, because the crew counts us.
`.replace('--=20', '-- ');
const OUTLOOK = `From: Priya Rao <priya@example.com>
To: Tom <tom@example.com>
Subject: RE: Audit
Date: Tue, 3 Mar 2026 08:00:00 +0000
In-Reply-To: <a1@example.com>
Message-ID: <a2@example.com>

The auditors come on Thursday; book room 214.

________________________________
From: Tom <tom@example.com>
Sent: Monday, March 2, 2026 5:00 PM
To: Priya Rao <priya@example.com>
Subject: Audit

When do the auditors come?
`;

export const MAIL_EXPORTS: readonly SampleExport[] = [
  {
    name: 'a mail with HTML, an old encoding and a file',
    files: { 'Mietvertrag.eml': MAIL_HTML },
    page: 'mail/Mietvertrag-für-die-Wohnung.md',
    entries: 1,
    question: 'Wie hoch ist die Miete ab April?',
    answer: ['Die Miete beträgt ab April 940 Euro.', '2026-03-02', 'Jürgen Weber'],
    without: ['<p>', 'JVBER'],
  },
  {
    name: 'an mbox with a thread',
    files: { 'thread.mbox': MBOX },
    page: 'mail/Boat-trip.md',
    entries: 2,
    question: 'who brings the life vests?',
    answer: ['I bring the life vests.', '2026-03-02', 'Dmitri P.'],
    without: ['wrote:', 'Harbour Tours', '>From', '> The boat'],
    later: [
      {
        'thread.mbox': `${MBOX}\nFrom carla@example.org Tue Mar  3 10:00:00 2026\nFrom: Carla Ruiz <carla@example.org>\nSubject: Re: Boat trip\nDate: Tue, 3 Mar 2026 10:00:00 +0000\n\nThank you.\n`,
      },
      1,
    ],
  },
  {
    name: 'an answer in HTML',
    files: {
      'Re.eml':
        'From: Kim <kim@example.org>\nTo: Sam <sam@example.org>\nSubject: AW: Harness\nDate: Wed, 4 Mar 2026 20:00:00 +0000\nIn-Reply-To: <h1@example.org>\nContent-Type: text/html; charset=utf-8\n\n<div>I pay 35 &euro; for it &amp; collect it on Friday.</div><div>On Tue, 3 Mar 2026 at 10:00, Sam wrote:<br><blockquote><div>What do you offer?<blockquote>Selling it</blockquote></div></blockquote></div>',
    },
    page: 'mail/Harness.md',
    entries: 1,
    question: 'what does Kim pay for the harness?',
    answer: ['I pay 35 € for it & collect it on Friday.', '2026-03-04', 'Kim'],
    without: ['offer', 'Selling', 'wrote'],
  },
  {
    name: 'a copy of a mail, with its own reference',
    files: {
      'Fwd.eml':
        'From: Kim <kim@example.org>\nSubject: Fwd: Heating\nDate: Wed, 4 Mar 2026 20:00:00 +0000\nReferences: <h9@example.org>\n\nPlease note:\n\n---------- Forwarded message ---------\nFrom: Sam <sam@example.org>\nDate: Tue, 3 Feb 2026\nSubject: Heating\n\nThe boiler is checked by a man from Murau.\n',
    },
    page: 'mail/Heating.md',
    entries: 1,
    question: 'who checks the boiler?',
    answer: ['a man from Murau', '2026-03-04', 'Kim'],
  },
  {
    name: 'an answer of Outlook',
    files: { 'RE Audit.eml': OUTLOOK },
    page: 'mail/Audit.md',
    entries: 1,
    question: 'which room for the auditors?',
    answer: ['book room 214', '2026-03-03', 'Priya Rao'],
    without: ['When do', 'Sent:', '____'],
  },
];
