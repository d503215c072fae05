import { ExitCode } from '../../base/failure.js';
import type { IndexReport } from '../../index/run.js';
import type { DefineCommand } from '../command.js';
import { openFor } from '../open.js';
import { progressLine } from '../progress.js';

interface Options {
  readonly force?: boolean;
  readonly verify?: boolean;
}

export const define: DefineCommand = (command, run) => {
  command
    .option('--force', 'build all of it anew')
    .option('--verify', 'prove that it equals the files; exit 4 when it does not')
    .addHelpText('after', '\nExample:\n  openclaw memory index --verify')
    .action((options: Options) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const progress = progressLine(context.io, 'indexing');
        const report = await workspace
          .index({ ...options, signal: context.signal, onProgress: progress.show })
          .finally(progress.end);
        for (const warning of report.warnings) context.out.warn(warning);
        for (const notice of report.notices) context.out.note(`note: ${notice.path} ${notice.reason}`);
        context.out.answer(text(report), report);
        return report.verify !== null && report.verify.differences.length > 0 ? ExitCode.problemsFound : ExitCode.done;
      }),
    );
};

function text({ added, changed, removed, files, verify }: IndexReport): string {
  const none = added + changed + removed === 0;
  const first = none
    ? `Nothing changed: ${files} files are indexed.`
    : `Indexed ${files} files: ${added} new, ${changed} changed, ${removed} gone.`;
  if (verify === null) return first;
  if (verify.differences.length === 0)
    return `${first}\nVerified: ${verify.units} units of ${verify.files} files equal the files.`;
  const lines = verify.differences.map(({ path, what }) => `  ${path}: ${what}`);
  return `${first}\nThe index differs from the files:\n${lines.join('\n')}\nMend it with: openclaw memory index --force`;
}
