import type { ProposalList, SettledProposal } from '../../retain/proposals.js';

/** The proposals of a workspace, for the person who decides. */
export interface Proposals {
  /**
   * What waits, the oldest page first.
   * @example
   * const { waiting } = proposals.list();
   * waiting[0]?.proposal.text; // => 'Peter lives in Vienna.'
   */
  list(): ProposalList;

  /**
   * Makes the change in the core file, within its budget, and ticks the box wherever the proposal stands. What moves
   * out, or is shortened, is kept whole in `memory/topics/moved-from-core.md`.
   * @param which number or id
   * @throws MemoryError `not_found`, and as `changeCore` does
   * @example
   * const { settled } = await proposals.accept('1');
   * (await memory.core()).text.includes('Peter lives in Vienna.'); // => true
   */
  accept(which: string, dryRun?: boolean): Promise<SettledProposal>;

  /**
   * Marks a proposal as rejected wherever it stands: it is not made again.
   * @param which number or id
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * await proposals.reject('1');
   * proposals.list().waiting; // => []
   */
  reject(which: string, dryRun?: boolean): Promise<SettledProposal>;
}
