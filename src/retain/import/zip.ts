import { inflateRawSync } from 'node:zlib';

const ENTRY_SIGN = 0x02014b50;
const END_SIGN = 'PK\x05\x06';

/** Whether bytes begin as a ZIP archive. */
export function isZip(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'PK\x03\x04';
}

/**
 * Lists the files of a ZIP archive by their names, each with a function that unpacks it. The format has room for 65,535
 * files. A name is what the archive says: it is no path of this machine.
 * @param largest maximum size of an unpacked file, in bytes
 * @throws RangeError for bytes that are no complete archive. The functions also throw the errors of `node:zlib`
 */
export function filesOfZip(bytes: Buffer, largest: number): ReadonlyMap<string, () => Buffer> {
  const files = new Map<string, () => Buffer>();
  const end = bytes.lastIndexOf(END_SIGN, undefined, 'latin1');
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (end < 0 || bytes.readUInt32LE(at) !== ENTRY_SIGN) throw new RangeError('no list of files');
    const isPacked = bytes.readUInt16LE(at + 10) !== 0;
    const length = bytes.readUInt32LE(at + 20);
    const [nameLength = 0, ...others] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const head = bytes.readUInt32LE(at + 42);
    files.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), () => {
      const begin = head + 30 + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28);
      const data = bytes.subarray(begin, begin + length);
      return isPacked ? inflateRawSync(data, { maxOutputLength: largest }) : data;
    });
    at += 46 + nameLength + others.reduce((sum, one) => sum + one, 0);
  }
  return files;
}
