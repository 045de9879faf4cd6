/**
 * Compresses answers of text for callers that accept it. Streams pass as they are: exports keep their pace and their bounds.
 * Nothing that a page of another origin could have a browser ask for holds a secret, since credentials are never cookies: what
 * an attacker learns from lengths (BREACH) needs the victim's credentials in a request of the attacker's.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Bytes below which it is not worth the time. */
const LEAST_COMPRESSED = 2_048;
const COMPRESSIBLE =
  /^(?:application\/(?:[\w.+-]+\+)?json|text\/(?:html|css|javascript|csv)|image\/svg\+xml)(?:;|$)/;
/** Quick rather than small: answers are made once each. */
const BROTLI_QUALITY = 4;
/** Answers that are the same for everybody. */
const MOST_KEPT = 64;

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether every caller gets the same bytes, so that they are compressed once. */
    isConstant?: boolean;
  }
}

/** Adds the hook. Call it before the routes are served, and behind every hook that changes an answer: it has to be the last. */
export function addCompression(instance: FastifyInstance): void {
  const kept = new LRUCache<string, Promise<Buffer>>({ max: MOST_KEPT });
  const compress = (
    request: FastifyRequest,
    encoding: Encoding,
    payload: string | Buffer,
  ): Promise<Buffer> => {
    const { config, url = '' } = request.routeOptions;
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (config.isConstant !== true) return compressors[encoding](bytes);
    const key = `${encoding} ${url}`;
    const known = kept.get(key) ?? compressors[encoding](bytes);
    kept.set(key, known);
    return known;
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
  return length >= LEAST_COMPRESSED && COMPRESSIBLE.test(String(reply.getHeader('content-type')));
}

/** The encoding that the caller accepts, of equal ones the smaller; undefined where it accepts none (RFC 9110, 12.5.3). */
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

/** The bytes differ by encoding; a strong tag would name both. */
function weakenTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) reply.header('etag', `W/${tag}`);
}
