import { addToGroup } from '../../base/order.js';
import { differInOneSlot, slotHashes } from './frame.js';
import { type LazyStance, ONE_SLOT_DIFFERS_BONUS, SAME_AXIS_BONUS } from './rules.js';

/** A statement and its similarity, 0..1. */
type Liked<T> = readonly [statement: T, likeness: number];

interface Entry<T> {
  readonly statement: T;
  readonly topicSize: number;
  readonly words: readonly string[];
}

/**
 * A mark is a number that says what an entry shares with the query. Its low bits count the shared terms. The bit `AXIS`
 * says that they share an axis, and the bit `FRAME` that they share a frame.
 */
const AXIS = 1 << 20;
const FRAME = 1 << 21;
const TERMS = AXIS - 1;

/**
 * Index of statements that finds similar ones. It gives the same similarities as `wordSimilarity`, but is faster: it
 * compares the word lists of two statements only if that may decide the result. The index does not keep the
 * `LazyStance` of an entry.
 */
export class SimilarityIndex<T> {
  private readonly entries: Entry<T>[] = [];
  /** By term: indexes in `entries`. */
  private readonly byTerm = new Map<string, number[]>();
  private readonly byAxis = new Map<number, number[]>();
  private readonly byFrame = new Map<number, number[]>();
  /** The mark of each entry, by its index in `entries`. Between lookups, all marks are 0. */
  private readonly shared: number[] = [];

  add(statement: T, judged: LazyStance): void {
    const { topic, axes, words } = judged();
    const place = this.entries.length;
    this.entries.push({ statement, topicSize: topic().size, words: words() });
    this.shared.push(0);
    for (const term of topic()) addToGroup(this.byTerm, term, place);
    for (const axis of axes().keys()) addToGroup(this.byAxis, axis, place);
    for (const frame of slotHashes(words())) addToGroup(this.byFrame, frame, place);
  }

  /** All statements whose similarity is at least `least`, which must be above 0. */
  alike(judged: LazyStance, least: number): readonly T[] {
    const found: T[] = [];
    const words = judged().words();
    this.visit(judged, (entry, sure, mayBeSlot) => {
      const isAlike = sure >= least || (mayBeSlot && withSlot(sure) >= least && differInOneSlot(entry.words, words));
      if (isAlike) found.push(entry.statement);
    });
    return found;
  }

  /**
   * The `count` statements with the highest similarity, highest first. Statements with similarity 0 are left out.
   * @param compare orders statements of equal similarity
   */
  nearest(judged: LazyStance, count: number, compare: (a: T, b: T) => number): readonly Liked<T>[] {
    const best: Liked<T>[] = [];
    const words = judged().words();
    const isBeaten = (statement: T, like: number): boolean => {
      const last = best.length < count ? undefined : best.at(-1);
      return last !== undefined && (like < last[1] || (like === last[1] && compare(last[0], statement) < 0));
    };
    this.visit(judged, ({ statement, words: theirs }, sure, mayBeSlot) => {
      if (isBeaten(statement, mayBeSlot ? withSlot(sure) : Math.min(1, sure))) return;
      const like = mayBeSlot && differInOneSlot(theirs, words) ? withSlot(sure) : Math.min(1, sure);
      if (like === 0 || isBeaten(statement, like)) return;
      const place = best.findIndex(([other, its]) => its < like || (its === like && compare(statement, other) < 0));
      best.splice(place < 0 ? best.length : place, 0, [statement, like]);
      if (best.length > count) best.pop();
    });
    return best;
  }

  /**
   * @param see is called for every entry that shares something with `judged`. `sure` is the similarity without
   * `ONE_SLOT_DIFFERS_BONUS`. `mayBeSlot` says whether the bonus may have to be added. The sum may exceed 1
   */
  private visit(judged: LazyStance, see: (entry: Entry<T>, sure: number, mayBeSlot: boolean) => void): void {
    const { shared, entries } = this;
    const { topic, axes, words } = judged();
    const touched: number[] = [];
    const mark = (places: readonly number[] | undefined, flag: number): void => {
      for (const place of places ?? []) {
        const before = shared[place] ?? 0;
        if (before === 0) touched.push(place);
        shared[place] = flag === 0 ? before + 1 : before | flag;
      }
    };
    for (const term of topic()) mark(this.byTerm.get(term), 0);
    for (const axis of axes().keys()) mark(this.byAxis.get(axis), AXIS);
    for (const frame of slotHashes(words())) mark(this.byFrame.get(frame), FRAME);
    const size = topic().size;
    for (const place of touched) {
      const [entry, marks] = [entries[place], shared[place] ?? 0];
      shared[place] = 0;
      if (entry === undefined) continue;
      const terms = marks & TERMS;
      const overlap = terms === 0 ? 0 : terms / Math.min(size, entry.topicSize);
      see(entry, overlap + ((marks & AXIS) === 0 ? 0 : SAME_AXIS_BONUS), (marks & FRAME) !== 0);
    }
  }
}

function withSlot(sure: number): number {
  return Math.min(1, sure + ONE_SLOT_DIFFERS_BONUS);
}
