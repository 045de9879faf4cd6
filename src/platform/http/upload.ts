/**
 * Streams an uploaded file (multipart/form-data) without buffering it: the client sends at the pace at which the
 * handler reads. An upload may take longer than other requests, as long as data keeps arriving.
 */
import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalidFields, missingField } from '../../kernel/domain-error.js';
import { MINUTE, SECOND } from '../../kernel/duration.js';

/** Route configuration of handlers that read the form themselves, after authorization. */
export const TAKES_UPLOADS = { takesUploads: true } as const;

/** Maximum pause between data, in milliseconds. */
const MAX_PAUSE_MS = 30 * SECOND;
/** Maximum duration of an upload, in milliseconds. */
const MAX_UPLOAD_MS = 60 * MINUTE;
/**
 * Milliseconds for which the rest of a rejected upload is read and discarded, so that its sender reads the response.
 */
const DISCARD_TIMEOUT_MS = 30 * SECOND;
/** Maximum bytes of a form in addition to its file. */
const MAX_FORM_BYTES = 65_536;
/** Maximum parts of a form. */
const MAX_PARTS = 20;
/** Transfer encodings that leave a part's bytes unchanged. */
const IDENTITY_ENCODINGS: readonly string[] = ['7bit', '8bit', 'binary'];

/** Connections with an upload in progress, whose timeouts are handled here. */
const uploading = new WeakSet<Socket>();

export interface UploadedFile {
  /** The sender's file name without a path; may be empty. */
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
}

export interface UploadLimits {
  /** The name of the form field. */
  readonly field: string;
  /** Maximum bytes. `receive` receives one byte more if the file is larger. */
  readonly most: number;
}

export function isUploadRoute({ routeOptions }: FastifyRequest): boolean {
  return 'takesUploads' in routeOptions.config;
}

/** Whether a connection has its own timeouts for an upload instead of those of requests. */
export function isUploading(socket: Socket): boolean {
  return uploading.has(socket);
}

/**
 * Streams the file of a form to `receive`. The stream ends with the form and fails with it.
 * @returns the result of `receive`.
 * @throws DomainError validation_error (no form, no file or several, interrupted, too slow), invalid_field for other
 *   fields, payload_too_large; any error of `receive`.
 */
export async function receiveUpload<T>(
  request: FastifyRequest,
  limits: UploadLimits,
  receive: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  const { raw } = request;
  if (Number(raw.headers['content-length'] ?? 0) > limits.most + MAX_FORM_BYTES) throw tooLarge(limits.most);
  const form = formOf(request, limits);
  uploading.add(raw.socket);
  try {
    return await receiveFile(raw, form, limits, receive);
  } catch (error) {
    discardRest(raw, form);
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

function formOf({ raw }: FastifyRequest, { field, most }: UploadLimits): BusboyInstance {
  const headers = raw.headers;
  if (!headers['content-type']?.toLowerCase().startsWith('multipart/form-data'))
    throw new DomainError('validation_error', 'Send the body as multipart/form-data.');
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      isPartAFile: (name, type, fileName) =>
        name === field || fileName !== undefined || type === 'application/octet-stream',
      limits: { fileSize: most + 1, fieldSize: MAX_FORM_BYTES, fields: MAX_PARTS, parts: MAX_PARTS },
    });
  } catch {
    throw new DomainError('validation_error', 'The form does not define a boundary between its parts.');
  }
}

function receiveFile<T>(
  raw: FastifyRequest['raw'],
  form: BusboyInstance,
  { field, most }: UploadLimits,
  receive: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const complete = settleable();
    let result: Promise<T> | undefined;
    let file: Readable | undefined;
    let hasFailed = false;
    const fail = (error: unknown): void => {
      if (hasFailed) return;
      hasFailed = true;
      stop();
      const reason = error instanceof Error ? error : new Error('The upload failed.');
      file?.destroy(reason);
      complete.reject(reason);
      // Wait until `receive` has cleaned up before the error is returned.
      void Promise.allSettled([result]).then(() => reject(reason));
    };
    const refuse = (detail: string): void => fail(new DomainError('validation_error', detail));
    const tooSlow = (): void => refuse('The file did not arrive in time.');
    const totalTimer = setTimeout(tooSlow, MAX_UPLOAD_MS).unref();
    const idleTimer = setTimeout(tooSlow, MAX_PAUSE_MS).unref();
    let receivedBytes = 0;
    const onData = (chunk: Buffer): void => {
      idleTimer.refresh();
      receivedBytes += chunk.length;
      // The parts other than the file have no reader that counts their bytes.
      if (receivedBytes > most + MAX_FORM_BYTES) fail(tooLarge(most));
    };
    const onInterrupted = (): void => {
      if (!raw.complete) refuse('The upload was interrupted.');
    };
    const stop = (): void => {
      clearTimeout(totalTimer);
      clearTimeout(idleTimer);
      raw.off('data', onData).off('close', onInterrupted).off('error', onInterrupted);
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
      if (!IDENTITY_ENCODINGS.includes(encoding)) {
        stream.resume();
        refuse('Send the file without a content-transfer-encoding.');
        return;
      }
      file = stream;
      result = receive({ name: fileName ?? '', bytes: endingWith(stream, complete.promise) });
      result.catch(fail);
    });
    const others = new Set<string>();
    form.on('field', (name) => others.add(name));
    const tooMany = (): void => refuse(`The form has more than ${MAX_PARTS} parts.`);
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
      complete.resolve();
      if (result) result.then(resolve, reject);
      else reject(missingField(field));
    });
    raw.on('data', onData).on('close', onInterrupted).on('error', onInterrupted);
    raw.pipe(form);
  });
}

interface Settleable {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** A promise whose rejection need not be handled. */
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

async function* endingWith(bytes: AsyncIterable<Buffer>, complete: Promise<void>): AsyncGenerator<Buffer> {
  yield* bytes;
  await complete;
}

/** Reads and discards the rest of a rejected request for a while, then closes its connection. */
function discardRest(raw: FastifyRequest['raw'], form: BusboyInstance): void {
  raw.unpipe(form);
  raw.on('error', () => undefined);
  if (raw.complete || raw.destroyed) return;
  raw.resume();
  const timer = setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, DISCARD_TIMEOUT_MS);
  timer.unref();
  raw.once('close', () => clearTimeout(timer));
}
