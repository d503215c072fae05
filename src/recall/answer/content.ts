import type { FoundUnit } from '../../index/search.js';
import { shownText } from '../../markdown/wiki.js';
import { isPage } from './answers.js';

/** What a unit says as it is read. A page without a line says nothing. */
export function contentOf(unit: FoundUnit): string {
  return isPage(unit) ? '' : shownText(unit.text);
}
