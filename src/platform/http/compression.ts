/**
 * Compresses text responses for clients that accept it. Streams stay uncompressed, so that exports keep their pace and
 * limits. BREACH attacks are not possible: credentials are never cookies, so an attacker's page cannot make a browser
 * request a response that contains secrets.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Minimum size in bytes that is worth compressing. */
const MIN_COMPRESSED_BYTES = 2_048;
const COMPRESSIBLE =
  /^(?:application\/(?:[\w.+-]+\+)?json|text\/(?:html|css|javascript|csv)|image\/svg\+xml)(?:;|$)/;
/** Favours speed over size, because most responses are used once. */
const BROTLI_QUALITY = 4;
/** Maximum cached responses that are the same for every caller. */
const MAX_CACHED_BODIES = 64;

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether all callers get the same bytes, which are then compressed once. */
    isConstant?: boolean;
  }
}

/**
 * Adds the hook. Call it before the routes are registered and after every hook that changes a response, because it must
 * be the last.
 */
export function addCompression(instance: FastifyInstance): void {
  const cache = new LRUCache<string, Promise<Buffer>>({ max: MAX_CACHED_BODIES });
  const compress = (
    request: FastifyRequest,
    encoding: Encoding,
    payload: string | Buffer,
  ): Promise<Buffer> => {
    const { config, url = '' } = request.routeOptions;
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (config.isConstant !== true) return compressors[encoding](bytes);
    const key = `${encoding} ${url}`;
    const compressed = cache.get(key) ?? compressors[encoding](bytes);
    cache.set(key, compressed);
    return compressed;
  };
  instance.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) {
      done(null, payload);
      return;
    }
    addVary(reply);
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (!encoding) {
      done(null, payload);
      return;
    }
    compress(request, encoding, payload).then((bytes) => {
      reply.removeHeader('content-length');
      reply.header('content-encoding', encoding);
      weakenTag(reply);
      done(null, bytes);
    }, done);
  });
}

function isCompressible(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  if (request.method === 'HEAD' || reply.hasHeader('content-encoding')) return false;
  if (/no-transform/i.test(String(reply.getHeader('cache-control')))) return false;
  const length =
    typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0;
  return length >= MIN_COMPRESSED_BYTES && COMPRESSIBLE.test(String(reply.getHeader('content-type')));
}

/**
 * The encoding that the client prefers, the more compact one of equals; undefined if it accepts none (RFC 9110,
 * 12.5.3).
 */
export function acceptedEncoding(header: string | readonly string[] | undefined): Encoding | undefined {
  const weights = new Map(
    [header ?? []]
      .flat()
      .join(',')
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part
          .trim()
          .toLowerCase()
          .split(/\s*;\s*/);
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight) || 0];
      }),
  );
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [best] = ENCODINGS.toSorted((one, other) => weightOf(other) - weightOf(one));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}

function addVary(reply: FastifyReply): void {
  const vary = [reply.getHeader('vary') ?? []].flat().map(String);
  if (!vary.some((names) => /accept-encoding|\*/i.test(names)))
    reply.header('vary', [...vary, 'Accept-Encoding'].join(', '));
}

/** Makes the ETag weak: the bytes differ by encoding, and a strong tag would identify both. */
function weakenTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) reply.header('etag', `W/${tag}`);
}
