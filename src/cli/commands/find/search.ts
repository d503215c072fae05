import { ExitCode } from '../../../base/failure.js';
import type { Description } from '../../../base/request.js';
import { RECALL, type RecallRequest, readRecall } from '../../../recall/request.js';
import type { DefineCommand } from '../../command.js';
import { readFlags } from '../../flags.js';
import { openFor } from '../../open.js';
import { addFilterOptions } from '../../recall-options.js';
import { show } from '../recall.js';

interface SearchRequest extends RecallRequest {
  readonly minScore?: number | undefined;
}

const SEARCH: Description<SearchRequest> = {
  ...RECALL,
  minScore: { type: 'number', least: 0, most: 1, example: 0.3, doc: 'leave out results of a lower score' },
};

interface Options {
  readonly query?: string;
  readonly k?: string;
  readonly maxResults?: string;
}

export const define: DefineCommand = (command, run) => {
  command
    .argument('[question...]', 'what to find, in your own words')
    .option('--query <text>', 'the same; wins over the argument')
    .option('--max-results <n>', 'most results (default 10)')
    .option('--k <n>', 'the same')
    .option('--min-score <score>', 'leave out results of a lower score, 0 to 1');
  addFilterOptions(command)
    .addHelpText('after', '\nExample:\n  openclaw memory search --query "deployment notes" --max-results 20 --json')
    .action((words: string[], { query, k, maxResults, ...options }: Options) =>
      run(async (context) => {
        const request = { ...options, query: query ?? words.join(' '), k: maxResults ?? k };
        const { minScore, ...flags } = readFlags<SearchRequest>('search', SEARCH, request);
        const workspace = await openFor(context);
        await show(context, workspace, await readRecall(flags, workspace.clock, 'flag'), minScore);
        return ExitCode.done;
      }),
    );
};
