/**
 * SpamAssassin through its daemon, spamd (protocol 1.5), at the operator's SPAMD_URL; each message uses its own
 * connection. The operator runs it, so it may have a private address.
 */
import { connect } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { SpamdServer } from '../../../platform/config/inspection.js';
import { LARGEST_JUDGED, SpamFilter, SpamFilterFailure } from '../application/spam-filter.port.js';
import { readSpamdAnswer, type SpamdVerdict } from '../domain/spam/spamd-answer.js';

/** The time limit of a judgement, in milliseconds. */
const PATIENCE = 20_000;
/** Maximum number of bytes of an answer. */
const LONGEST_ANSWER = 256 * 1_024;

@Injectable()
export class SpamAssassin extends SpamFilter {
  constructor(@Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'spamd'>) {
    super();
  }

  /** @param patience milliseconds until it times out. */
  override async judge(message: Buffer, signal: AbortSignal, patience = PATIENCE): Promise<SpamdVerdict> {
    signal.throwIfAborted();
    const { spamd } = this.config;
    if (!spamd)
      throw new SpamFilterFailure('SpamAssassin was not used: SPAMD_URL is not set for this service.');
    if (message.length > LARGEST_JUDGED)
      throw new SpamFilterFailure(
        `SpamAssassin was not used: the message has ${message.length} bytes, and the limit is ${LARGEST_JUDGED}.`,
      );
    const answer = readSpamdAnswer(await ask(spamd, message, signal, patience));
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
async function ask(
  { host, port }: SpamdServer,
  message: Buffer,
  signal: AbortSignal,
  patience: number,
): Promise<string> {
  const late = AbortSignal.timeout(patience);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const chunks: Buffer[] = [];
    let size = 0;
    let isReached = false;
    const end = (settle: () => void): void => {
      for (const each of [signal, late]) each.removeEventListener('abort', giveUp);
      socket.destroy();
      settle();
    };
    const fail = (words: string): void => end(() => reject(new SpamFilterFailure(`SpamAssassin ${words}.`)));
    const giveUp = (): void => {
      if (signal.aborted) end(() => reject(signal.reason as Error));
      else fail(`did not answer within ${patience / 1_000} seconds`);
    };
    for (const each of [signal, late]) each.addEventListener('abort', giveUp);
    socket.on('connect', () => {
      isReached = true;
      socket.write(`REPORT SPAMC/1.5\r\nContent-length: ${message.length}\r\n\r\n`);
      socket.end(message);
    });
    socket.on('data', (chunk) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > LONGEST_ANSWER) fail(`answered with more than ${LONGEST_ANSWER} bytes`);
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
