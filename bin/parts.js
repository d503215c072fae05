// Many named parts in one file. It begins with the length of its table, a line of JSON with the name and length of each
// part, in the order in which they follow.
'use strict';

const { openSync, readFileSync, readSync } = require('node:fs');

/**
 * @param {Iterable<[string, Buffer]>} parts
 * @returns {Buffer} the file
 */
exports.packed = function packed(parts) {
  const all = [...parts];
  const table = Buffer.from(JSON.stringify(all.map(([name, data]) => [name, data.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(table.length);
  return Buffer.concat([length, table, ...all.map(([, data]) => data)]);
};

/**
 * All parts of a file. Throws when there is no such file, or when it is none of these.
 * @param {string} path
 * @returns {Map<string, Buffer>}
 */
exports.readParts = function readParts(path) {
  const bytes = readFileSync(path);
  const end = 4 + bytes.readUInt32LE(0);
  const places = placesOf(bytes.toString('latin1', 4, end), end);
  return new Map([...places].map(([name, { at, length }]) => [name, bytes.subarray(at, at + length)]));
};

/**
 * A file of which few parts are needed. Throws as {@link readParts} does, and what it returns does where the file ends
 * within a part.
 * @param {string} path
 * @returns {(name: string) => Buffer} reads a part
 */
exports.openParts = function openParts(path) {
  const file = openSync(path);
  const read = (at, length) => {
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(file, bytes, 0, length, at) < length) throw new Error(`${path} is cut off`);
    return bytes;
  };
  const length = read(0, 4).readUInt32LE(0);
  const places = placesOf(read(4, length).latin1Slice(), 4 + length);
  return (name) => {
    const part = places.get(name);
    return read(part.at, part.length);
  };
};

/** Where each part of a table is, the first one at `at`. */
function placesOf(table, at) {
  const places = new Map();
  for (const [name, length] of JSON.parse(table)) {
    places.set(name, { at, length });
    at += length;
  }
  return places;
}
