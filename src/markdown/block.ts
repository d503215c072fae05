/**
 * An ATX or setext heading. `text` is the inline source of the heading, trimmed and without closing `#`s. If a setext
 * heading has several lines, they are joined by `\n`.
 */
export interface Heading {
  readonly type: 'heading';
  readonly startLine: number;
  readonly endLine: number;
  readonly depth: number;
  readonly text: string;
}

/** One list item with all its content. */
export interface ListItem {
  readonly type: 'item';
  readonly startLine: number;
  /** Last line of the whole item, including nested content. */
  readonly endLine: number;
  /**
   * If the item begins with a paragraph: the last line of that paragraph, including lines that continue it without
   * indentation. Otherwise `startLine`.
   */
  readonly textEndLine: number;
  /** Number of list items that contain this item; 0 in an outermost list. Block quotes do not count. */
  readonly level: number;
  readonly ordered: boolean;
  /** If the item begins with a paragraph: the lines of that paragraph, trimmed and joined by `\n`. Otherwise `''`. */
  readonly text: string;
}

export type Block =
  | Heading
  | ListItem
  /** A fenced code block, the fence lines included. */
  | { readonly type: 'fence'; readonly startLine: number; readonly endLine: number; readonly info: string }
  /**
   * A block whose content is never read as Markdown: indented code, an HTML block, or YAML front matter. `comment` is an
   * HTML block that starts with `<!--`.
   */
  | {
      readonly type: 'code' | 'html' | 'comment' | 'frontMatter';
      readonly startLine: number;
      readonly endLine: number;
    };

/** A place in a document. `line` counts from 1; `column` counts from 0, in UTF-16 units. */
export type Position = { readonly line: number; readonly column: number };

/** A piece of a document: from the place `from` up to the place `to`, which is not included. */
export type TextSpan = { readonly from: Position; readonly to: Position };

/** An HTML comment, as a block or inside a line. `text` is the trimmed text between `<!--` and `-->`. */
export type Comment = TextSpan & { readonly text: string };

export interface MarkdownScan {
  /**
   * The lines of the text, without their ends (LF, CRLF or lone CR). A byte order mark is not part of line 1. A line end at
   * the end of the text adds no empty line.
   */
  readonly lines: readonly string[];
  /**
   * All blocks, in the order of their first lines; an item comes before its content. Line numbers are 1-based; `endLine` is
   * the last line of the block.
   */
  readonly blocks: readonly Block[];
  /** The HTML comments, in the order of the document. They never overlap. Comments in code are not included. */
  readonly comments: readonly Comment[];
}
