import type { FenceStart } from './block-starts.js';
import type { OpenItem } from './containers.js';
import type { HtmlKind } from './html-start.js';

/** The text of a leaf block: its first line (1-based), and where the text starts in that line and each one after it. */
export interface Segments {
  readonly firstLine: number;
  readonly starts: number[];
}

/** The block that is being read, inside of the innermost container. */
export type Leaf =
  | { readonly type: 'none' }
  | {
      readonly type: 'paragraph';
      readonly segments: Segments;
      /** The item that starts with this paragraph. */
      readonly item: OpenItem | null;
    }
  | { readonly type: 'fence'; readonly block: { endLine: number }; readonly start: FenceStart }
  | { readonly type: 'code'; readonly block: { endLine: number } }
  | {
      readonly type: 'html';
      readonly block: { endLine: number };
      readonly kind: HtmlKind;
      readonly segments: Segments;
    };

export const NO_LEAF: Leaf = { type: 'none' };
