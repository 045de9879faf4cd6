/**
 * SpamAssassin through its daemon, spamd (protocol 1.5), at the operator's SPAMD_URL; each message uses its own
 * connection. The operator runs it, so it may have a private address.
 */
import { connect } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { SpamdServer } from '../../../platform/config/inspection.js';
import { MAX_FILTERED_BYTES, SpamFilter, SpamFilterFailure } from '../application/spam-filter.port.js';
import { readSpamdAnswer, type SpamdVerdict } from '../domain/spam/spamd-answer.js';

/** The time limit of a judgement, in milliseconds. */
const TIMEOUT_MS = 20_000;
/** Maximum number of bytes of an answer. */
const MAX_ANSWER_BYTES = 256 * 1_024;

@Injectable()
export class SpamAssassin extends SpamFilter {
  constructor(@Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'spamd'>) {
    super();
  }

  /** @param timeoutMs milliseconds until it times out. */
  override async judge(message: Buffer, signal: AbortSignal, timeoutMs = TIMEOUT_MS): Promise<SpamdVerdict> {
    signal.throwIfAborted();
    const { spamd } = this.config;
    if (!spamd)
      throw new SpamFilterFailure('SpamAssassin was not used: SPAMD_URL is not set for this service.');
    if (message.length > MAX_FILTERED_BYTES)
      throw new SpamFilterFailure(
        `SpamAssassin was not used: the message has ${message.length} bytes, and the limit is ${MAX_FILTERED_BYTES}.`,
      );
    const answer = readSpamdAnswer(await requestVerdict(spamd, message, signal, timeoutMs));
    switch (answer.kind) {
      case 'verdict':
        return answer.verdict;
      case 'refused':
        throw new SpamFilterFailure(`SpamAssassin did not rate the message: it answered ${answer.code}.`);
      case 'unreadable':
        throw new SpamFilterFailure('SpamAssassin did not rate the message: its answer cannot be read.');
    }
  }
}

/** The whole answer to a message. */
async function requestVerdict(
  { host, port }: SpamdServer,
  message: Buffer,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const chunks: Buffer[] = [];
    let size = 0;
    let isReached = false;
    const end = (settle: () => void): void => {
      for (const each of [signal, timeout]) each.removeEventListener('abort', onAbort);
      socket.destroy();
      settle();
    };
    const fail = (problem: string): void =>
      end(() => reject(new SpamFilterFailure(`SpamAssassin ${problem}.`)));
    const onAbort = (): void => {
      if (signal.aborted) end(() => reject(signal.reason as Error));
      else fail(`did not answer within ${timeoutMs / 1_000} seconds`);
    };
    for (const each of [signal, timeout]) each.addEventListener('abort', onAbort);
    socket.on('connect', () => {
      isReached = true;
      socket.write(`REPORT SPAMC/1.5\r\nContent-length: ${message.length}\r\n\r\n`);
      socket.end(message);
    });
    socket.on('data', (chunk) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_ANSWER_BYTES) fail(`answered with more than ${MAX_ANSWER_BYTES} bytes`);
    });
    socket.on('end', () => {
      if (size === 0) fail('closed the connection without an answer');
      else end(() => resolve(Buffer.concat(chunks).toString()));
    });
    socket.on('error', ({ code = 'failed' }: NodeJS.ErrnoException) => {
      fail(isReached ? `dropped the connection (${code})` : `cannot be reached (${code})`);
    });
    socket.on('close', () => fail('closed the connection without an answer'));
  });
}
