/** A word of a command line, without its quotes. */
export interface ShellWord {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** One program that a command line starts. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Where its output goes: the operator (`>`, `>>`, `2>`, …) and the file. */
  readonly redirects: readonly { readonly sign: string; readonly target: ShellWord }[];
  /** The operator after the command: `;` also stands for the end of a line, and '' for the end of the whole text. */
  readonly then: '&&' | '||' | '|' | ';' | '&' | '';
  /**
   * The beginning of the here-document that the program reads as its input. If the program runs scripts, this is the
   * script.
   */
  readonly input?: string;
}

/** Maximum number of characters that are read. What follows in a longer command is mostly text, not commands. */
const LOOKED_AT = 8_000;
const SIGN = /(?:&>>?|\d?>>?(?:&\d|\|)?|&&|\|\||\|&?|;;?|&|<<<|<<-?|<|\n|[(){}](?=[\s;|&)]|$)|\()/uy;
const MOST_INPUT = 500;
/** Matches a here-string of PowerShell: a text over several lines. */
const HERE = /@(["'])\r?\n[\s\S]*?\n\1@/uy;
/** Keywords of the shell that may stand before a command. */
const GRAMMAR = new Set('if then else elif do while until time ! { ( done fi }'.split(' '));

/**
 * Parses a shell command: programs with their words, the operators between them, and the files that they write. Skips
 * comments, the text of here-documents and the content of `$(…)`. Pure, linear.
 */
export function parseShellCommand(command: string): readonly ShellCommand[] {
  return new ShellReader(command.slice(0, LOOKED_AT)).read();
}

class ShellReader {
  readonly #commands: ShellCommand[] = [];
  #words: ShellWord[] = [];
  #redirects: { sign: string; target: ShellWord }[] = [];
  /** End markers of the here-documents that begin after this line. */
  #ends: string[] = [];
  /** Index of the command that reads the here-documents of `#ends`; -1 if there is none. */
  #reads = -1;
  #at = 0;

  constructor(private readonly text: string) {}

  read(): readonly ShellCommand[] {
    for (this.#blank(); this.#at < this.text.length; this.#blank()) {
      SIGN.lastIndex = this.#at;
      const sign = SIGN.exec(this.text)?.[0];
      if (sign === undefined) this.#words.push(this.#word());
      else this.#take(sign);
    }
    this.#end('');
    return this.#commands;
  }

  #blank(): void {
    while (/[ \t\r]/u.test(this.text[this.#at] ?? '') || this.text.startsWith('\\\n', this.#at))
      this.#at += this.text[this.#at] === '\\' ? 2 : 1;
    const isComment = this.text[this.#at] === '#' && /[\s;|&(]/u.test(this.text[this.#at - 1] ?? '\n');
    if (!isComment) return;
    const end = this.text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.text.length : end;
  }

  #take(sign: string): void {
    this.#at += sign.length;
    if (sign === '&&' || sign === '||' || sign === '&') this.#end(sign);
    else if (sign.startsWith('|')) this.#end('|');
    else if (/^[;(){}\n]/u.test(sign)) this.#end(';');
    // `2>&1` only joins two outputs, so there is no file.
    else if (!/&\d$/u.test(sign)) this.#redirect(sign);
    if (sign === '\n') this.#skipHere();
  }

  #redirect(sign: string): void {
    this.#blank();
    const target = this.#word();
    if (sign.startsWith('<<') && sign !== '<<<') this.#ends.push(target.text);
    else if (sign.includes('>')) this.#redirects.push({ sign, target });
  }

  #end(then: ShellCommand['then']): void {
    while (GRAMMAR.has(this.#words[0]?.text ?? '')) this.#words.shift();
    if (this.#words.length > 0 || this.#redirects.length > 0)
      this.#commands.push({ words: this.#words, redirects: this.#redirects, then });
    if (this.#ends.length > 0 && this.#reads < 0) this.#reads = this.#commands.length - 1;
    this.#words = [];
    this.#redirects = [];
  }

  #skipHere(): void {
    const from = this.#at;
    for (const end of this.#ends) {
      for (let isOver = false; !isOver && this.#at < this.text.length; ) {
        const stop = this.text.indexOf('\n', this.#at);
        const line = this.text.slice(this.#at, stop < 0 ? undefined : stop);
        this.#at = stop < 0 ? this.text.length : stop + 1;
        isOver = line.trim() === end;
      }
    }
    const reader = this.#commands[this.#reads];
    if (reader !== undefined)
      this.#commands[this.#reads] = { ...reader, input: this.text.slice(from, from + MOST_INPUT) };
    this.#ends = [];
    this.#reads = -1;
  }

  #word(): ShellWord {
    let text = this.#here();
    let isQuoted = text !== '';
    for (; this.#at < this.text.length; ) {
      const sign = this.text[this.#at] ?? '';
      if (/[\s;|&<>)]/u.test(sign)) break;
      if (sign === "'" || sign === '"') {
        isQuoted = true;
        text += this.#quoted(sign);
      } else if (sign === '\\') {
        // In a Windows path, a backslash stands between two folders: keep it.
        const next = this.text[this.#at + 1] ?? '';
        text += /[\w.-]/u.test(next) ? sign + next : next;
        this.#at += 2;
      } else if (sign === '`' || this.text.startsWith('$(', this.#at)) text += this.#inner(sign);
      else {
        text += sign;
        this.#at++;
      }
    }
    // No rule matched this character. Skip it, so that the loop ends.
    if (text === '' && !isQuoted) this.#at++;
    return { text, isQuoted };
  }

  #here(): string {
    if (this.text[this.#at] !== '@') return '';
    HERE.lastIndex = this.#at;
    const here = HERE.exec(this.text)?.[0] ?? '';
    this.#at += here.length;
    return here.slice(2, -2).trim();
  }

  #quoted(mark: string): string {
    let text = '';
    for (this.#at++; this.#at < this.text.length && this.text[this.#at] !== mark; this.#at++) {
      if (mark === '"' && this.text.startsWith('$(', this.#at)) {
        text += this.#inner('$');
        this.#at--;
        continue;
      }
      const isEscape = mark === '"' && /^\\["\\$`]/u.test(this.text.slice(this.#at, this.#at + 2));
      if (isEscape) this.#at++;
      text += this.text[this.#at] ?? '';
    }
    this.#at++;
    return text;
  }

  /** Skips a command substitution and returns `$()`: its output is unknown. */
  #inner(sign: string): string {
    const from = this.#at;
    if (sign === '`') {
      const end = this.text.indexOf('`', from + 1);
      this.#at = end < 0 ? this.text.length : end + 1;
      return '$()';
    }
    let open = 0;
    for (this.#at += 1; this.#at < this.text.length; this.#at++) {
      if (this.text[this.#at] === '(') open++;
      if (this.text[this.#at] === ')') open--;
      if (open === 0) break;
    }
    this.#at++;
    return '$()';
  }
}
