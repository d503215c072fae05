const HIDDEN = /^(?:head|style|script|title)$/;
const BLOCK = /^(?:p|div|tr|h[1-6]|ul|ol|table|section|blockquote)$/;

/**
 * The text of HTML in lines. Pure.
 * @param isWithoutQuotes whether a line `>` stands for each quote
 */
export function plainText(html: string, isWithoutQuotes: boolean): string {
  const said: string[] = [];
  /** The element that is not shown, and how often it is open. */
  let hidden: { readonly name: string; depth: number } | undefined;
  for (const token of html.split(/(<[^<>]*>)/)) {
    const [, slash, given = ''] = /^<(\/?)([a-z]\w*)/i.exec(token) ?? [];
    const name = given.toLowerCase();
    if (hidden === undefined) {
      const isHidden = HIDDEN.test(name) || (isWithoutQuotes && name === 'blockquote');
      if (isHidden && slash === '') hidden = { name, depth: 1 };
      else said.push(textOf(token, name, slash === '/'));
    } else if (name === hidden.name) {
      hidden.depth += slash === '/' ? -1 : 1;
      if (hidden.depth > 0) continue;
      if (name === 'blockquote') said.push('\n\n>\n\n');
      hidden = undefined;
    }
  }
  return decodeEntities(said.join(''))
    .replace(/[ \t]*\n[ \t]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** What a tag or a text means for lines. */
function textOf(token: string, name: string, isEnd: boolean): string {
  if (name === 'br') return '\n';
  if (name === 'li') return isEnd ? '' : '\n- ';
  if (BLOCK.test(name)) return '\n\n';
  return token.startsWith('<') ? '' : token.replace(/\s+/g, ' ');
}

/** The names of the characters from U+00A0 on, in their order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );
const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.map((name, at) => [name, at === 0 ? ' ' : String.fromCharCode(0xa0 + at)] as const),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    euro: '€',
    hellip: '…',
    ndash: '–',
    mdash: '—',
  }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bdquo: '„', sbquo: '‚', bull: '•', trade: '™' }),
]);

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,7}));/gi, (whole, number, hexadecimal, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = number === undefined ? Number.parseInt(hexadecimal, 16) : Number(number);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
