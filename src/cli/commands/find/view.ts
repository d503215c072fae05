import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { ExitCode, fail } from '../../../base/failure.js';
import { VIEW, type ViewReport, type ViewRequest } from '../../../view/view.js';
import type { DefineCommand } from '../../command.js';
import { readFlags } from '../../flags.js';
import { openFor } from '../../open.js';

export const define: DefineCommand = (command, run) => {
  command
    .option('--out <file>', 'where the page is written; - prints it (default: .memory/view.html)')
    .option('--open', 'open it in the browser, where there is a display')
    .option('--since <time>', 'logs from this time on: a day, an age such as 30d, or words')
    .option('--entity <name>', 'only what is about this entity')
    .option('--no-sessions', 'leave the sessions out')
    .addHelpText(
      'after',
      '\nThe page holds the memory: only you can read the file. What is no such page is\nnot overwritten.\n\nExamples:\n  openclaw memory view --open\n  openclaw memory view --since 90d --no-sessions --out memory.html',
    )
    .action(({ open = false, ...options }: ViewRequest & { readonly open?: boolean }) =>
      run(async (context) => {
        const { out, io } = context;
        const request = readFlags<ViewRequest>('view', VIEW, options);
        const isPrinted = request.out === '-';
        if (isPrinted && (out.json || open))
          return fail('usage', '--out - prints the page itself', 'leave out --json and --open, or name a file');
        const workspace = await openFor(context);
        const file = request.out === undefined || isPrinted ? request.out : resolve(io.cwd, request.out);
        const { html, ...report } = await workspace.view({ ...request, out: file });
        if (report.left_out.log_lines > 0) out.warn(leftOutText(report));
        if (report.path === null) out.raw(html);
        else {
          if (open) openFile(report.path, io.env);
          out.answer(report.path, report);
        }
        return ExitCode.done;
      }),
    );
};

function leftOutText({ left_out: { log_lines, until } }: Pick<ViewReport, 'left_out'>): string {
  return `the page has no room for ${log_lines} log lines${until === null ? '' : ` up to ${until}`}; --since or --entity narrow it`;
}

/** Asks the desktop to open a file. Without one nothing happens: where the page is has been said. */
function openFile(path: string, env: NodeJS.ProcessEnv): void {
  const [program, ...words] = openerOf(env);
  if (program === undefined) return;
  const child = spawn(program, [...words, path], { detached: true, stdio: 'ignore', env });
  // A desktop without this program is no display to us.
  child.on('error', () => {});
  child.unref();
}

function openerOf(env: NodeJS.ProcessEnv): readonly string[] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['explorer'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
