/** Decodes the content encoding of a response body and limits the decoded size. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error.js';

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;

/** Supported content codings, for Accept-Encoding. */
export const CODINGS = 'gzip, deflate, br';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH }),
};

/**
 * The chunks of a body, decoded, up to `maxBytes` bytes as sent or as decoded.
 * @throws OutboundError too_large after the last chunk within the limit; bad_answer if it is truncated or cannot be
 *   decoded.
 */
export async function* decodedBody(answer: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let bytesLeft = maxBytes;
  try {
    for await (const chunk of decoded(answer, maxBytes) as AsyncIterable<Buffer>) {
      if (chunk.length > bytesLeft) {
        if (bytesLeft > 0) yield chunk.subarray(0, bytesLeft);
        throw tooLarge(maxBytes);
      }
      bytesLeft -= chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError('bad_answer', 'The body was truncated or cannot be decoded.', { cause: error });
  }
}

function decoded(answer: IncomingMessage, maxBytes: number): Readable {
  const coding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '') return answer;
  const make = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (!make)
    throw new OutboundError('bad_answer', `The content encoding ${coding.slice(0, 80)} is not supported.`);
  const decoder = make();
  // Errors are thrown where the chunks are read.
  pipeline(answer, limitSentBytes(maxBytes), decoder, () => undefined);
  return decoder;
}

/** Counts the bytes as sent, because a body that decodes to nothing could be sent forever. */
function limitSentBytes(maxBytes: number): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (source) {
    let sent = 0;
    for await (const chunk of source) {
      sent += chunk.length;
      if (sent > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('too_large', `The body is larger than ${maxBytes} bytes.`);
}
