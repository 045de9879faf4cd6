/**
 * Reads the header of an image: its real type, independent of its name, its size, and whether it is animated. Nothing
 * is decoded; what is missing from the first bytes, or makes no sense, is unknown.
 */

export type ImageType =
  'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'heic' | 'svg' | 'bmp' | 'tiff' | 'ico' | 'jxl' | 'psd';

export interface ImageHeader {
  readonly type: ImageType;
  /** In pixels; null if it is not stated, or not in the first bytes. */
  readonly width: number | null;
  readonly height: number | null;
  readonly isAnimated: boolean;
}

/** Enough bytes to read everything for nearly every image. */
export const HEADER_BYTES = 65_536;

/** Null if it is not an image of a known type. */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  const type = typeOf(bytes);
  if (type === null) return null;
  const [width = 0, height = 0] = SIZES[type]?.(bytes) ?? [];
  const isKnown = width > 0 && height > 0;
  return {
    type,
    width: isKnown ? width : null,
    height: isKnown ? height : null,
    isAnimated: ANIMATION_CHECKS[type]?.(bytes) ?? false,
  };
}

const JXL_BOX = Buffer.from([0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a]);

function typeOf(bytes: Buffer): ImageType | null {
  const begins = (...values: number[]): boolean => values.every((value, index) => bytes[index] === value);
  const text = (from: number, to: number): string => bytes.toString('latin1', from, to);
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (begins(0xff, 0xd8, 0xff)) return 'jpeg';
  if (/^GIF8[79]a/.test(text(0, 6))) return 'gif';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp';
  if (text(4, 8) === 'ftyp') return brandOf(text(8, 12), text(16, 64));
  if (begins(0xff, 0x0a) || bytes.subarray(0, 12).equals(JXL_BOX)) return 'jxl';
  if (/^BM[^]{4}\0\0\0\0/.test(text(0, 10))) return 'bmp';
  if (/^(II\*\0|MM\0\*)/.test(text(0, 4))) return 'tiff';
  if (begins(0, 0, 1, 0) && (bytes[4] ?? 0) > 0) return 'ico';
  if (text(0, 4) === '8BPS') return 'psd';
  return isSvg(bytes) ? 'svg' : null;
}

/** Brands of the ISO container: the major one, then the compatible ones. */
function brandOf(major: string, others: string): ImageType | null {
  if (/^avi[fs]/.test(major)) return 'avif';
  if (/^(hei[cxms]|hev[cxms])/.test(major)) return 'heic';
  if (!/^(mif1|msf1)/.test(major)) return null;
  return /avi[fs]/.test(others) ? 'avif' : 'heic';
}

/** Whether it is text whose first element is svg. */
function isSvg(bytes: Buffer): boolean {
  const text = bytes.toString('utf8', 0, 4_096).replace(/^\ufeff/, '');
  const first = /<(?![?!])\/?([a-z][\w:.-]*)/i.exec(withoutComments(text));
  return /^\s*</.test(text) && /^(svg:)?svg$/i.test(first?.[1] ?? '');
}

function withoutComments(text: string): string {
  const pieces = text.split('<!--');
  return pieces
    .map((piece, index) => {
      if (index === 0) return piece;
      const end = piece.indexOf('-->');
      return end < 0 ? '' : piece.slice(end + 3);
    })
    .join('');
}

type Size = readonly [width: number, height: number];

const SIZES: Readonly<Partial<Record<ImageType, (bytes: Buffer) => Size | null>>> = {
  png: (bytes) => (bytes.length < 24 ? null : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]),
  gif: (bytes) => (bytes.length < 10 ? null : [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]),
  bmp: (bytes) => (bytes.length < 26 ? null : [bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))]),
  jpeg: sizeOfJpeg,
  webp: sizeOfWebp,
};

/** Walks the segments up to the frame header (SOF). */
function sizeOfJpeg(bytes: Buffer): Size | null {
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    // Markers of frame headers; DHT, JPG and DAC are in the same range.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    if (marker === 0xd9 || marker === 0xda) return null;
    const hasNoLength = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += hasNoLength ? 2 : 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
}

function sizeOfWebp(bytes: Buffer): Size | null {
  if (bytes.length < 30) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    default:
      return null;
  }
}

const ANIMATION_CHECKS: Readonly<Partial<Record<ImageType, (bytes: Buffer) => boolean>>> = {
  // The extension that sets how often it plays; every GIF animation made for the web has it.
  gif: (bytes) => /(NETSCAPE2\.0|ANIMEXTS1\.0)/.test(bytes.toString('latin1', 0, 2_048)),
  png: (bytes) => bytes.subarray(8, HEADER_BYTES).includes('acTL'),
  webp: (bytes) => bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0,
};
