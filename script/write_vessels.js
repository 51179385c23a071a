// node script/write_vessels.js <folder>
// Writes the vessels of the scene library as closed meshes, in metres, y up, standing on y = 0: `jug` (22 cm high, with a lip
// towards x+), `jug-water` (what fills it up to 15 cm, to the middle of its wall; solids take away what they fill) and `glass` (13 cm).
'use strict';
const path = require('path');
const { write_mesh } = require('./write_mesh.js');

const around = 72;

/// A profile (radius, height) from axis to axis, up the outside and down the inside, turned about y; `shape` bends its points.
function revolved(profile, shape = (r, y) => [r, y]) {
  const rings = profile.slice(1, -1);
  const positions = [[0, profile[0][1], 0]];
  for (const [r, y] of rings)
    for (let i = 0; i < around; ++i) {
      const angle = (2 * Math.PI * i) / around;
      const [radius, height] = shape(r, y, angle);
      positions.push([radius * Math.cos(angle), height, -radius * Math.sin(angle)]);
    }
  positions.push([0, profile[profile.length - 1][1], 0]);
  const last = positions.length - 1, top = 1 + (rings.length - 1) * around;
  const cells = [];
  for (let i = 0; i < around; ++i) {
    const j = (i + 1) % around;
    cells.push([0, 1 + j, 1 + i]);
    for (let k = 0; k + 1 < rings.length; ++k) {
      const a = 1 + k * around, b = a + around;
      cells.push([a + i, a + j, b + j], [a + i, b + j, b + i]);
    }
    cells.push([top + i, top + j, last]);
  }
  return { positions, cells };
}

/// n + 1 points from one height to another.
function steps(from, to, n, point) {
  return Array.from({ length: n + 1 }, (_, i) => point(from + ((to - from) * i) / n));
}

/// A smooth curve through points (x, y).
function curve(points, x) {
  const slope = (k) => {
    const low = Math.max(0, k - 1), high = Math.min(points.length - 1, k + 1);
    return (points[high][1] - points[low][1]) / (points[high][0] - points[low][0]);
  };
  let k = 0;
  while (k + 2 < points.length && x > points[k + 1][0]) ++k;
  const [x0, y0] = points[k], [x1, y1] = points[k + 1], h = x1 - x0, t = (x - x0) / h;
  return (2 * t ** 3 - 3 * t ** 2 + 1) * y0 + (t ** 3 - 2 * t ** 2 + t) * h * slope(k) +
    (3 * t ** 2 - 2 * t ** 3) * y1 + (t ** 3 - t ** 2) * h * slope(k + 1);
}

const jug = { height: 0.22, wall: 0.006, floor: 0.008, level: 0.15 };
const belly = [[0, 0.05], [0.02, 0.058], [0.06, 0.064], [0.1, 0.062], [0.15, 0.052], [0.18, 0.049], [0.22, 0.052]];
const outside = (y) => curve(belly, y);

/// Pulls the rim out into a lip, and in beside it.
function lip(r, y, angle) {
  if (r < 0.02) return [r, y];
  const from_lip = Math.abs(((angle + Math.PI) % (2 * Math.PI)) - Math.PI);
  const t = Math.min(1, Math.max(0, (y - 0.165) / (jug.height - 0.165)));
  const share = (t * t * (3 - 2 * t)) ** 1.5;
  const out = Math.exp(-((from_lip / 0.36) ** 2)), pinched = Math.exp(-(((from_lip - 0.85) / 0.4) ** 2));
  return [r + share * (0.022 * out - 0.004 * pinched), y + share * 0.004 * out];
}

const jug_profile = [[0, 0], [0.025, 0],
  ...steps(0, jug.height, 26, (y) => [outside(y), y]),
  [outside(jug.height) - 0.5 * jug.wall, jug.height + 0.002],
  ...steps(jug.height, jug.floor, 26, (y) => [outside(y) - jug.wall, y]),
  [0.022, jug.floor], [0, jug.floor]];
const water_profile = [[0, 0.5 * jug.floor],
  ...steps(0.5 * jug.floor, jug.level, 20, (y) => [outside(y) - 0.5 * jug.wall, y]), [0, jug.level]];

const glass = { height: 0.13, wall: 0.005, floor: 0.009 };
const side = (y) => 0.036 + (0.006 * y) / glass.height;
const glass_profile = [[0, 0], [0.018, 0],
  ...steps(0, glass.height, 10, (y) => [side(y), y]),
  [side(glass.height) - 0.5 * glass.wall, glass.height + 0.001],
  ...steps(glass.height, glass.floor, 10, (y) => [side(y) - glass.wall, y]),
  [0.016, glass.floor], [0, glass.floor]];

const folder = process.argv[2];
write_mesh(revolved(jug_profile, lip), path.join(folder, 'jug'));
write_mesh(revolved(water_profile), path.join(folder, 'jug-water'));
write_mesh(revolved(glass_profile), path.join(folder, 'glass'));
