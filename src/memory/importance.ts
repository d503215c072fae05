const MARK = /(?:^|\s)#important\b|\s*\(important\)|^important[:：]\s*|[⭐❗]|\s*!!\s*$|^重要[:：]\s*|（重要）/giu;

/** Whether somebody has marked a statement as important. */
export function isMarkedImportant(text: string): boolean {
  return text.search(MARK) >= 0;
}

/** A statement without that mark: it was meant for us. */
export function withoutMark(text: string): string {
  const bare = text.replace(MARK, '').trim();
  return bare === '' ? text : bare;
}
