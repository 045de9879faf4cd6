import { readImageHeader } from './image-header.js';

const bytes = (...parts: (string | number[] | Buffer)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );

const PNG = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 2, 88], [0, 0, 1, 44], [8, 6, 0, 0, 0]);
const GIF = bytes('GIF89a', [0x58, 2], [0x2c, 1], [0, 0, 0]);
const JPEG = bytes(
  [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0],
  [0xff, 0xff, 0xc4, 0, 3, 0],
  [0xff, 0xc2, 0, 11, 8, 1, 0x2c, 2, 0x58, 1, 0, 0, 0],
);
const webp = (chunk: string, ...parts: number[][]): Buffer =>
  bytes('RIFF', [0, 0, 0, 0], 'WEBP', chunk, [0, 0, 0, 0], ...parts, new Array<number>(20).fill(0));

test.each([
  ['PNG', PNG, 'png', 600, 300, false],
  ['PNG that moves', bytes(PNG, [0, 0, 0, 0, 0, 0, 0, 8], 'acTL'), 'png', 600, 300, true],
  ['PNG that breaks off', PNG.subarray(0, 20), 'png', null, null, false],
  ['GIF', GIF, 'gif', 600, 300, false],
  ['GIF that moves', bytes(GIF, [0x21, 0xff, 11], 'NETSCAPE2.0'), 'gif', 600, 300, true],
  ['JPEG', JPEG, 'jpeg', 600, 300, false],
  ['JPEG that breaks off', JPEG.subarray(0, 14), 'jpeg', null, null, false],
  [
    'JPEG without frame',
    bytes([0xff, 0xd8, 0xff, 0xda], new Array<number>(20).fill(0)),
    'jpeg',
    null,
    null,
    false,
  ],
  [
    'JPEG of nonsense',
    bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
    'jpeg',
    null,
    null,
    false,
  ],
  ['WebP, lossy', webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a], [0x58, 2], [0x2c, 1]), 'webp', 600, 300, false],
  ['WebP, lossless', webp('VP8L', [0x2f], [0x57, 0xc2, 0x4a, 0]), 'webp', 600, 300, false],
  ['WebP, extended', webp('VP8X', [0, 0, 0, 0], [0x57, 2, 0], [0x2b, 1, 0]), 'webp', 600, 300, false],
  ['WebP that moves', webp('VP8X', [2, 0, 0, 0], [0x57, 2, 0], [0x2b, 1, 0]), 'webp', 600, 300, true],
  ['AVIF', bytes([0, 0, 0, 32], 'ftypavif'), 'avif', null, null, false],
  [
    'AVIF of a common brand',
    bytes([0, 0, 0, 32], 'ftypmif1', [0, 0, 0, 0], 'mif1avif'),
    'avif',
    null,
    null,
    false,
  ],
  ['HEIC', bytes([0, 0, 0, 32], 'ftypheic'), 'heic', null, null, false],
  ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'svg', null, null, false],
  [
    'SVG behind a prologue',
    bytes('\xef\xbb\xbf<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "">\n<!-- <p> --><svg>'),
    'svg',
    null,
    null,
    false,
  ],
  [
    'BMP',
    bytes('BM', [1, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 0x58, 2, 0, 0, 0xd4, 0xfe, 0xff, 0xff]),
    'bmp',
    600,
    300,
    false,
  ],
  ['TIFF', bytes('II*\0'), 'tiff', null, null, false],
  ['icon', bytes([0, 0, 1, 0, 1, 0]), 'ico', null, null, false],
  ['JPEG XL', bytes([0xff, 0x0a, 1]), 'jxl', null, null, false],
  ['PSD', bytes('8BPS'), 'psd', null, null, false],
] as const)('%s', (_, image, type, width, height, isAnimated) => {
  expect(readImageHeader(image)).toEqual({ type, width, height, isAnimated });
});

test.each([
  '',
  'plain text',
  '<!DOCTYPE html><html><body><svg/></body></html>',
  '<!-- <svg> --><p>',
  '<!-- <svg>',
  '{"error": "not found"}',
  '%PDF-1.7',
  'PK\x03\x04',
  'BM is how it begins',
  'GIF88a',
  '\0\0\0\x20ftypisom',
])('“%s” is no image', (text) => {
  expect(readImageHeader(bytes(text))).toBeNull();
});
