/** The body of an answer as it is meant, without what it was packed in for the way; whatever it unpacks to is counted. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error.js';

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;

/** Codings that are understood, for Accept-Encoding. */
export const CODINGS = 'gzip, deflate, br';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH }),
};

/**
 * The pieces of a body, decoded; where it has more than `most` bytes, as sent or as unpacked, up to there.
 * @throws OutboundError too_large behind the last piece that has room; bad_answer for what breaks off or cannot be decoded.
 */
export async function* decodedBody(answer: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  let room = most;
  try {
    for await (const chunk of unpacked(answer, most) as AsyncIterable<Buffer>) {
      if (chunk.length > room) {
        if (room > 0) yield chunk.subarray(0, room);
        throw tooLarge(most);
      }
      room -= chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError('bad_answer', 'The body was truncated or cannot be decoded.', { cause: error });
  }
}

function unpacked(answer: IncomingMessage, most: number): Readable {
  const coding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '') return answer;
  const make = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (!make)
    throw new OutboundError('bad_answer', `The content encoding ${coding.slice(0, 80)} is not supported.`);
  const decoder = make();
  // What goes wrong is thrown where the pieces are read.
  pipeline(answer, counted(most), decoder, () => undefined);
  return decoder;
}

/** What unpacks to nothing could be sent for ever. */
function counted(most: number): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (source) {
    let sent = 0;
    for await (const chunk of source) {
      sent += chunk.length;
      if (sent > most) throw tooLarge(most);
      yield chunk;
    }
  };
}

function tooLarge(most: number): OutboundError {
  return new OutboundError('too_large', `The body is larger than ${most} bytes.`);
}
