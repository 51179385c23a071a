// node script/write_mesh.js <module with positions and cells> <output without extension>
// Writes <output>.ply (binary, float) and <output>.obj, each under a temporary name first.
'use strict';
const fs = require('fs');
const path = require('path');

function write(file, content) {
  const temporary = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, content);
  fs.renameSync(temporary, file);
}

function write_mesh({ positions, cells }, output) {
  const header = `ply\nformat binary_little_endian 1.0\nelement vertex ${positions.length}\n` +
    'property float x\nproperty float y\nproperty float z\n' +
    `element face ${cells.length}\nproperty list uchar int vertex_indices\nend_header\n`;
  const body = Buffer.alloc(12 * positions.length + 13 * cells.length);
  let at = 0;
  for (const point of positions) for (const x of point) at = body.writeFloatLE(x, at);
  for (const cell of cells) {
    at = body.writeUInt8(3, at);
    for (const i of cell) at = body.writeInt32LE(i, at);
  }
  write(`${output}.ply`, Buffer.concat([Buffer.from(header), body]));

  const lines = positions.map((p) => `v ${p.map(Math.fround).map((x) => x.toPrecision(9)).join(' ')}`)
    .concat(cells.map((c) => `f ${c.map((i) => i + 1).join(' ')}`));
  write(`${output}.obj`, lines.join('\n') + '\n');
}

module.exports = { write_mesh };

if (require.main === module) {
  const [module_path, output] = process.argv.slice(2);
  write_mesh(require(path.resolve(module_path)), output);
}
