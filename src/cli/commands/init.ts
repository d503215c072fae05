import { ExitCode } from '../../base/failure.js';
import type { DefineCommand } from '../command.js';

export const define: DefineCommand = (command, run) => {
  command.argument('[dir]', 'the workspace folder').action(() =>
    run(({ out }) => {
      out.answer('not yet', {});
      return ExitCode.done;
    }),
  );
};
