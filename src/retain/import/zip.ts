import { isUtf8 } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';
import { fail } from '../../base/failure.js';

const ENTRY_SIGN = 0x02014b50;
const END_SIGN = 'PK\x05\x06';
/** Signs that end the list of files. The second one is that of archives with more than 65,535 files. */
const SIGNS_AFTER_LIST: readonly number[] = [0x06054b50, 0x06064b50];
/** A flag of an entry. */
const ENCRYPTED = 1;

/** Whether bytes begin as a ZIP archive. */
export function isZip(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'PK\x03\x04';
}

/**
 * Lists the files of a ZIP archive by their names, each with a function that unpacks it. A name is what the archive says: it
 * is no path of this machine.
 * @param largest maximum size of an unpacked file, in bytes
 * @throws RangeError for bytes that are no complete archive. The functions throw it for a file that is damaged or encrypted,
 * the errors of `node:zlib`, and MemoryError `refused` for a file that is too large
 */
export function filesOfZip(bytes: Buffer, largest: number): ReadonlyMap<string, () => Buffer> {
  const files = new Map<string, () => Buffer>();
  const end = bytes.lastIndexOf(END_SIGN, undefined, 'latin1');
  if (end < 0) throw new RangeError('no end');
  let at = bytes.readUInt32LE(end + 16);
  // The number of files is not used: it has 16 bits, and programs cut a larger one.
  while (bytes.readUInt32LE(at) === ENTRY_SIGN) {
    const entry = bytes.subarray(at, at + 46);
    const [nameLength = 0, ...others] = [28, 30, 32].map((place) => entry.readUInt16LE(place));
    const name = nameOf(bytes.subarray(at + 46, at + 46 + nameLength));
    files.set(name, () => unpack(bytes, entry, name, largest));
    at += 46 + nameLength + others.reduce((sum, one) => sum + one, 0);
  }
  if (!SIGNS_AFTER_LIST.includes(bytes.readUInt32LE(at))) throw new RangeError('no list of files');
  return files;
}

/** Old programs write names in the encoding of their machine, and `\` between folders. Different names stay different. */
function nameOf(bytes: Buffer): string {
  const name = isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
  return name.replaceAll('\\', '/');
}

function unpack(bytes: Buffer, entry: Buffer, name: string, largest: number): Buffer {
  if ((entry.readUInt16LE(8) & ENCRYPTED) !== 0) throw new RangeError('encrypted');
  const size = entry.readUInt32LE(24);
  if (size > largest)
    fail('refused', `${name} is larger than ${largest / 1024 / 1024} MB`, 'unpack it, and split the file');
  const head = entry.readUInt32LE(42);
  const begin = head + 30 + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28);
  const data = bytes.subarray(begin, begin + entry.readUInt32LE(20));
  const isPacked = entry.readUInt16LE(10) !== 0;
  const unpacked = isPacked ? inflateRawSync(data, { maxOutputLength: Math.max(size, 1) }) : data;
  if (unpacked.length !== size || crc32(unpacked) !== entry.readUInt32LE(16)) throw new RangeError('damaged');
  return unpacked;
}
