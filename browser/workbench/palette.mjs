// A picture of a screen in its 256 most frequent colours, as a PNG with a palette: half the size, without a visible
// difference.

import { crc32, deflateSync } from "node:zlib";

const COLOURS = 256;

/** For each pixel (0xRRGGBB) its place in the palette. */
export function index(pixels) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, COLOURS).map(([pixel]) => pixel);
  const places = new Map(palette.map((pixel, place) => [pixel, place]));
  const channels = (pixel) => [pixel >> 16, (pixel >> 8) & 255, pixel & 255];
  const nearest = (pixel) => {
    const [r, g, b] = channels(pixel);
    let [best, least] = [0, Infinity];
    palette.forEach((other, place) => {
      const [x, y, z] = channels(other);
      const far = (r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2;
      if (far < least) [best, least] = [place, far];
    });
    places.set(pixel, best);
    return best;
  };
  return { palette, indices: Uint8Array.from(pixels, (pixel) => places.get(pixel) ?? nearest(pixel)) };
}

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The file. */
export function png(width, height, pixels) {
  const { palette, indices } = index(pixels);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) rows.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap((pixel) => [pixel >> 16, (pixel >> 8) & 255, pixel & 255]))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
