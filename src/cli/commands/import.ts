import { resolve } from 'node:path';
import { IMPORT_REQUEST, type ImportedChat } from '../../retain/import.js';
import { defineVerb, WRITE_OPTIONS } from '../verb.js';
import { finishWrite, openAnyWorkspace } from '../workspace.js';

const importExports = defineVerb({
  takes: { ...IMPORT_REQUEST, commit: WRITE_OPTIONS.commit },
  more: `Reads WhatsApp, Telegram, Slack, Discord, Kindle, mail (.eml, .mbox) and
calendars (.ics), or a .zip of these. The pages are in memory/imports/, with
days and speakers. Import a newer export at any time: only what is new is added.
Conversations with an agent go to "session import".`,
  examples: ['import "WhatsApp Chat with Anna.txt" --dry-run', 'import slack-export/'],
  run: async (context, { commit, ...request }) => {
    const files = request.files.map((file) => resolve(context.io.cwd, file));
    const workspace = await openAnyWorkspace(context);
    const { changes, lines, ...report } = await workspace.importExports({ ...request, files });
    for (const warning of report.warnings) context.out.warn(warning);
    const said = report.chats.map(chatText);
    if (request.dryRun) return context.out.answer([...lines, '', ...said].join('\n'), { ...report, lines });
    const subject = `import ${report.chats.map(({ title }) => title).join(', ')}`;
    const written = await finishWrite(context, workspace, { commit }, changes, subject.slice(0, 60), report.warnings);
    context.out.answer(said.join('\n'), { ...report, ...written });
  },
});

export const commands = { import: importExports };

function chatText({ title, program, added, known, left_out, forgotten, pages }: ImportedChat): string {
  const counts = [
    `${added} new`,
    `${known} known`,
    ...(left_out === 0 ? [] : [`${left_out} left out`]),
    ...(forgotten === 0 ? [] : [`${forgotten} forgotten`]),
  ];
  const where = pages.length > 1 ? `${pages[0]} and ${pages.length - 1} more` : (pages[0] ?? 'nothing');
  return `${title} (${program}): ${counts.join(', ')}: ${where}`;
}
