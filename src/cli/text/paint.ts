/** Text styles of a terminal; with colours off they leave the text as it is. */
export function paint(colour: boolean) {
  const style = (open: number, close: number) => (text: string) =>
    colour && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { bold: style(1, 22), dim: style(2, 22) };
}
