import type { FoundUnit, Search } from '../index/search.js';
import { surroundings } from '../index/vectors/places.js';
import { type QuestionVectors, VectorChannel } from './channels/vector.js';

/**
 * How near what stands on a page is to a question by meaning: in deviations over the middle of all texts, of the line
 * that is asked for or of the nearest one; 0 where nothing has a vector.
 */
export function openMeaning(search: Search, vectors: QuestionVectors): (path: string, line?: number) => number {
  const channel = new VectorChannel(search, vectors);
  const around = surroundings((key) => search.unit(key));
  return (path, line) => {
    const file = search.file(path);
    const units =
      file === undefined || file.lastUnit < file.firstUnit ? [] : search.range(file.firstUnit, file.lastUnit);
    const wanted = line === undefined ? units : units.filter((unit) => isAt(unit, line));
    return Math.max(0, ...channel.deviations(wanted, around).values());
  };
}

function isAt({ line, endLine }: FoundUnit, wanted: number): boolean {
  return line <= wanted && wanted <= endLine;
}
