// Many named parts in one file. It begins with the length of its table, a line of JSON with the name and length of each
// part, in the order in which they follow.
'use strict';

const { readFileSync } = require('node:fs');

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
 * Throws when there is no such file, or when it is none of these.
 * @param {string} path
 * @returns {Map<string, Buffer>}
 */
exports.readParts = function readParts(path) {
  const parts = new Map();
  const bytes = readFileSync(path);
  let at = 4 + bytes.readUInt32LE(0);
  for (const [name, length] of JSON.parse(bytes.toString('latin1', 4, at))) {
    parts.set(name, bytes.subarray(at, at + length));
    at += length;
  }
  return parts;
};
