import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fail } from '../../base/failure.js';
import { VIEW_REQUEST, type ViewRequest } from '../../view/view.js';
import { type CommandContext, defineVerb, failBoth } from '../verb.js';
import { openMemoryWorkspace, readSinceOption } from '../workspace.js';

const view = defineVerb({
  takes: {
    ...VIEW_REQUEST,
    open: { type: 'boolean', doc: 'open the page in the browser, if there is a display' },
    serve: {
      type: 'boolean',
      doc: 'serve the page on this machine until Ctrl-C, always up to date; no file is written',
    },
  },
  more: `The page contains your whole memory, so only you can read the file. A file that
is not such a page is never overwritten.`,
  examples: ['view --open', 'view --since 90d --no-sessions --out memory.html', 'view --serve --open'],
  run: async (context, { open = false, serve = false, ...request }) => {
    const { out, io } = context;
    if (serve) return servedView(context, request, open);
    const isPrinted = request.out === '-';
    if (isPrinted && (out.json || open))
      fail('usage', '--out - prints the page itself', 'use it without --json and --open, or write to a file');
    const workspace = await openMemoryWorkspace(context);
    const file = request.out === undefined || isPrinted ? request.out : resolve(io.cwd, request.out);
    const since = await readSinceOption(workspace, request);
    const { html, ...report } = await workspace.view({ ...request, since, out: file });
    const { log_lines, until, facts, facts_until, shortened_pages, beliefs } = report.left_out;
    if (log_lines > 0) out.warn(leftOutText(`${log_lines} log lines`, until));
    if (facts > 0) out.warn(leftOutText(`${facts} facts`, facts_until));
    if (beliefs > 0) out.warn(leftOutText(`${beliefs} beliefs`, null));
    if (shortened_pages > 0) out.warn(leftOutText(`the ends of ${shortened_pages} long pages`, null));
    for (const warning of report.warnings) out.warn(warning);
    if (report.path === null) out.raw(html);
    else {
      if (open) openFile(report.path, io.env);
      out.answer(report.path, report);
    }
  },
});

/** Serves the page until Ctrl-C. */
async function servedView(context: CommandContext, request: ViewRequest, open: boolean): Promise<void> {
  const { out, io, signal } = context;
  if (request.out !== undefined) failBoth('--serve', '--out');
  const workspace = await openMemoryWorkspace(context);
  const since = await readSinceOption(workspace, request);
  const { servePage } = await import('../../view/serve.js');
  await servePage({
    makePage: async () => (await workspace.view({ ...request, since, out: '-' })).html,
    watch: (onChange) =>
      workspace.watch({
        signal,
        onChange,
        onEvent: (event) => {
          if (event.event === 'failed') out.warn(event.message);
        },
      }),
    onReady: (address) => {
      out.line(out.json ? JSON.stringify({ address }) : address);
      if (open) openFile(address, io.env);
    },
  });
}

export const commands = { view };

function leftOutText(what: string, until: string | null): string {
  return `the page has no room for ${what}${until === null ? '' : ` up to ${until}`}; show less with --since or --entity`;
}

/** Asks the desktop to open a file or an address. Without a desktop it does nothing, because the path was already printed. */
function openFile(path: string, env: NodeJS.ProcessEnv): void {
  const elsewhere = env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
  const program = { darwin: 'open', win32: 'explorer' }[String(process.platform)] ?? elsewhere;
  if (program === undefined) return;
  const child = spawn(program, [path], { detached: true, stdio: 'ignore', env });
  // If the opener program is missing, there is no desktop; ignore the error.
  child.on('error', () => {});
  child.unref();
}
