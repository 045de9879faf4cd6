/**
 * A file that is sent as a part of a form (multipart/form-data), handed on as it comes: nothing of it is kept here, and the
 * sender goes as fast as it is taken. Such a request may take longer than others, as long as something comes.
 */
import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalidFields, missingField } from '../../kernel/domain-error.js';
import { MINUTE, SECOND } from '../../kernel/duration.js';

/** Of the configuration of routes whose handlers take the form themselves, once it is known that the caller may send one. */
export const TAKES_UPLOADS = { takesUploads: true } as const;

/** Milliseconds in which something has to come. */
const LONGEST_PAUSE = 30 * SECOND;
/** Milliseconds in which all has to come. */
const LONGEST_UPLOAD = 60 * MINUTE;
/** Milliseconds for which what still comes is read past once a request was refused, so that its sender reads the answer. */
const READ_PAST_FOR = 30 * SECOND;
/** Bytes of a form beside its file. */
const FORM_BYTES = 65_536;
/** Parts of a form. */
const MOST_PARTS = 20;
/** Encodings of a part that leave its bytes as they are. */
const AS_THEY_ARE: readonly string[] = ['7bit', '8bit', 'binary'];

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

export function isUploadRoute({ routeOptions }: FastifyRequest): boolean {
  return 'takesUploads' in routeOptions.config;
}

/** Whether a connection has time of its own, beyond that of requests. */
export function isUploading(socket: Socket): boolean {
  return uploading.has(socket);
}

/**
 * Hands on the file of a form as it comes; it ends when the form does, and fails with it.
 * @returns what `take` makes of it.
 * @throws DomainError validation_error (no form, no file or several, cut off, too slow), invalid_field for other fields,
 *   payload_too_large; whatever `take` throws.
 */
export async function receiveUpload<T>(
  request: FastifyRequest,
  bounds: UploadBounds,
  take: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  const { raw } = request;
  if (Number(raw.headers['content-length'] ?? 0) > bounds.most + FORM_BYTES) throw tooLarge(bounds.most);
  const form = formOf(request, bounds);
  uploading.add(raw.socket);
  try {
    return await taken(raw, form, bounds, take);
  } catch (error) {
    readPast(raw, form);
    throw error;
  } finally {
    uploading.delete(raw.socket);
  }
}

function tooLarge(most: number): DomainError {
  return new DomainError(
    'payload_too_large',
    `The file must be at most ${most} bytes, with little other form data.`,
  );
}

function formOf({ raw }: FastifyRequest, { field, most }: UploadBounds): BusboyInstance {
  const headers = raw.headers;
  if (!headers['content-type']?.toLowerCase().startsWith('multipart/form-data'))
    throw new DomainError('validation_error', 'Send the body as multipart/form-data.');
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      isPartAFile: (name, type, fileName) =>
        name === field || fileName !== undefined || type === 'application/octet-stream',
      limits: { fileSize: most + 1, fieldSize: FORM_BYTES, fields: MOST_PARTS, parts: MOST_PARTS },
    });
  } catch {
    throw new DomainError('validation_error', 'The form does not define a boundary between its parts.');
  }
}

function taken<T>(
  raw: FastifyRequest['raw'],
  form: BusboyInstance,
  { field, most }: UploadBounds,
  take: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const whole = settleable();
    let result: Promise<T> | undefined;
    let file: Readable | undefined;
    let hasFailed = false;
    const fail = (error: unknown): void => {
      if (hasFailed) return;
      hasFailed = true;
      stop();
      const reason = error instanceof Error ? error : new Error('The upload failed.');
      file?.destroy(reason);
      whole.reject(reason);
      // What was taken so far is done away with before anything is answered.
      void Promise.allSettled([result]).then(() => reject(reason));
    };
    const refuse = (detail: string): void => fail(new DomainError('validation_error', detail));
    const tooSlow = (): void => refuse('The file did not arrive in time.');
    const inAll = setTimeout(tooSlow, LONGEST_UPLOAD).unref();
    const pause = setTimeout(tooSlow, LONGEST_PAUSE).unref();
    let came = 0;
    const onData = (chunk: Buffer): void => {
      pause.refresh();
      came += chunk.length;
      // What stands beside the file is given to nobody who would count it.
      if (came > most + FORM_BYTES) fail(tooLarge(most));
    };
    const onCut = (): void => {
      if (!raw.complete) refuse('The upload was interrupted.');
    };
    const stop = (): void => {
      clearTimeout(inAll);
      clearTimeout(pause);
      raw.off('data', onData).off('close', onCut).off('error', onCut);
    };
    form.on('file', (name, stream, fileName, encoding) => {
      stream.on('error', () => undefined);
      if (name !== field || hasFailed) {
        stream.resume();
        return;
      }
      if (result) {
        stream.resume();
        refuse(`The form contains several files named ${field}: send one.`);
        return;
      }
      if (!AS_THEY_ARE.includes(encoding)) {
        stream.resume();
        refuse('Send the file without a content-transfer-encoding.');
        return;
      }
      file = stream;
      result = take({ name: fileName ?? '', bytes: endingWith(stream, whole.promise) });
      result.catch(fail);
    });
    const others = new Set<string>();
    form.on('field', (name) => others.add(name));
    const tooMany = (): void => refuse(`The form has more than ${MOST_PARTS} parts.`);
    form.on('partsLimit', tooMany).on('fieldsLimit', tooMany);
    form.on('error', () => refuse('The form is truncated or malformed.'));
    form.on('finish', () => {
      if (hasFailed) return;
      if (result && others.size > 0) {
        const message = `is not a field of this upload; only ${field} is`;
        fail(invalidFields([...others].map((name) => ({ field: name, message }))));
        return;
      }
      stop();
      whole.resolve();
      if (result) result.then(resolve, reject);
      else reject(missingField(field));
    });
    raw.on('data', onData).on('close', onCut).on('error', onCut);
    raw.pipe(form);
  });
}

interface Settleable {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** A promise whose failure nobody has to wait for. */
function settleable(): Settleable {
  let resolve: Settleable['resolve'] = () => undefined;
  let reject: Settleable['reject'] = () => undefined;
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

async function* endingWith(bytes: AsyncIterable<Buffer>, whole: Promise<void>): AsyncGenerator<Buffer> {
  yield* bytes;
  await whole;
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
