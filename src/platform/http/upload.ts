/**
 * A file that is sent as a part of a form (multipart/form-data), handed on as it comes: nothing of it is kept here, and the
 * sender goes as fast as it is taken. Such a request may take longer than others, as long as something comes.
 */
import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { DomainError, missingField } from '../../kernel/domain-error.js';
import { MINUTE, SECOND } from '../../kernel/duration.js';

/** Routes whose handlers take the form themselves, once it is known that the caller may send one. */
const UPLOADS: readonly string[] = ['/v1/migrations/files'];

/** Milliseconds in which something has to come. */
const LONGEST_PAUSE = 30 * SECOND;
/** Milliseconds in which all has to come. */
const LONGEST_UPLOAD = 60 * MINUTE;
/** Milliseconds for which what still comes is read past once a request was refused, so that its sender reads the answer. */
const READ_PAST_FOR = 30 * SECOND;
/** Bytes of a form beside its file. */
const FORM_BYTES = 65_536;
/** Parts of a form that are looked at. */
const MOST_PARTS = 20;

/** Connections on which an upload comes in, whose time is kept here. */
const uploading = new WeakSet<Socket>();

export interface UploadedFile {
  /** As the sender names it, without a path; may be empty. */
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
}

export interface UploadBounds {
  /** Of the part. */
  readonly field: string;
  /** Bytes; `take` is given one more where there are more. */
  readonly most: number;
}

export function isUploadRoute(url: string | undefined): boolean {
  return url !== undefined && UPLOADS.includes(url);
}

/** Whether a connection has time of its own, beyond that of requests. */
export function isUploading(socket: Socket): boolean {
  return uploading.has(socket);
}

/**
 * Hands on the file of a form as it comes.
 * @returns what `take` makes of it, once the form has come to its end.
 * @throws DomainError validation_error (no form, no file, cut off, too slow), payload_too_large, unsupported_media_type;
 *   whatever `take` throws.
 */
export async function receiveUpload<T>(
  request: FastifyRequest,
  bounds: UploadBounds,
  take: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  const { raw } = request;
  if (Number(raw.headers['content-length'] ?? 0) > bounds.most + FORM_BYTES)
    throw new DomainError('payload_too_large', `A file may have ${bounds.most} bytes at most.`);
  const form = formOf(request, bounds);
  uploading.add(raw.socket);
  try {
    return await taken(raw, form, bounds.field, take);
  } catch (error) {
    readPast(raw, form);
    throw error;
  } finally {
    uploading.delete(raw.socket);
  }
}

function formOf({ raw }: FastifyRequest, { field, most }: UploadBounds): BusboyInstance {
  const headers = raw.headers;
  if (!headers['content-type']?.toLowerCase().startsWith('multipart/form-data'))
    throw new DomainError('unsupported_media_type', 'Send the body as multipart/form-data.');
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      isPartAFile: (name, type, fileName) =>
        name === field || fileName !== undefined || type === 'application/octet-stream',
      limits: { fileSize: most + 1, fieldSize: FORM_BYTES, fields: MOST_PARTS, parts: MOST_PARTS },
    });
  } catch {
    throw new DomainError('validation_error', 'The form names no boundary between its parts.');
  }
}

function taken<T>(
  raw: FastifyRequest['raw'],
  form: BusboyInstance,
  field: string,
  take: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let result: Promise<T> | undefined;
    let file: Readable | undefined;
    const fail = (error: unknown): void => {
      stop();
      file?.destroy(error instanceof Error ? error : new Error('The upload has failed.'));
      reject(error instanceof Error ? error : new Error('The upload has failed.'));
    };
    const refuse = (detail: string): void => fail(new DomainError('validation_error', detail));
    const tooSlow = (): void => refuse('The file did not arrive in time.');
    const whole = setTimeout(tooSlow, LONGEST_UPLOAD).unref();
    const pause = setTimeout(tooSlow, LONGEST_PAUSE).unref();
    const onData = (): void => void pause.refresh();
    const onCut = (): void => {
      if (!raw.complete) refuse('The upload was cut off.');
    };
    const stop = (): void => {
      clearTimeout(whole);
      clearTimeout(pause);
      raw.off('data', onData).off('close', onCut).off('error', onCut);
    };
    form.on('file', (name, stream, fileName) => {
      stream.on('error', () => undefined);
      if (name !== field || result) {
        stream.resume();
        return;
      }
      file = stream;
      result = take({ name: fileName ?? '', bytes: stream });
      result.catch(fail);
    });
    form.on('error', () => refuse('The form cannot be read: it is cut off or malformed.'));
    form.on('finish', () => {
      stop();
      if (result) result.then(resolve, reject);
      else reject(missingField(field));
    });
    raw.on('data', onData).on('close', onCut).on('error', onCut);
    raw.pipe(form);
  });
}

/** Reads past what still comes of a request that was refused, for a while; then its connection is cut. */
function readPast(raw: FastifyRequest['raw'], form: BusboyInstance): void {
  raw.unpipe(form);
  raw.on('error', () => undefined);
  if (raw.complete || raw.destroyed) return;
  raw.resume();
  const cut = setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, READ_PAST_FOR);
  cut.unref();
  raw.once('close', () => clearTimeout(cut));
}
