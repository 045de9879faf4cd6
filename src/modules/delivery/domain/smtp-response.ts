/** What the answer of an SMTP server, or a broken connection to one, means for the message. */
import type { DomainRefusal, FailedAttempt } from './failed-attempt.js';

/** The phases of a session before the message is mentioned. A refusal in them is about us, not about the message. */
const SESSION_COMMAND = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH\b)/;

/** Nodemailer's codes for errors in the message itself, before a server has answered. */
const MESSAGE_ERROR_CODES = new Set(['EENVELOPE', 'EMESSAGE']);

/** Marks a rejected sender address, in the format of Postfix. */
const SENDER_REJECTED_SUFFIX = ' (in reply to MAIL FROM command)';

interface TransportError {
  readonly message: string;
  readonly code?: unknown;
  readonly command?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
}

/**
 * @param error what the transport threw.
 * @param wasHandedOver whether any byte of the message was passed to the connection.
 */
export function classifySmtpError(error: unknown, wasHandedOver: boolean): FailedAttempt {
  const { message, code, command, response, responseCode }: TransportError =
    error instanceof Error ? error : { message: String(error) };
  const detail = typeof response === 'string' ? response : message;
  if (typeof responseCode === 'number' && responseCode >= 400) {
    // 421 after the sender's address, before any recipient, ends the session for any recipient.
    if (responseCode === 421 && command === 'MAIL FROM')
      return { kind: 'unreachable', detail, isOfSender: true };
    if (code === 'EAUTH' || (typeof command === 'string' && SESSION_COMMAND.test(command) && !wasHandedOver))
      return { kind: 'unreachable', detail };
    // 503 means that the session was in the wrong state, which is not the message's fault.
    const isPermanent = responseCode >= 500 && responseCode < 600 && responseCode !== 503;
    if (isPermanent)
      return {
        kind: 'permanent',
        detail: command === 'MAIL FROM' ? detail + SENDER_REJECTED_SUFFIX : detail,
      };
    const domain = domainRefusalOf(responseCode, detail);
    return domain ? { kind: 'temporary', detail, domain } : { kind: 'temporary', detail };
  }
  if (wasHandedOver) return { kind: 'unknown_fate', detail };
  return { kind: MESSAGE_ERROR_CODES.has(String(code)) ? 'permanent' : 'unreachable', detail };
}

/**
 * 421 and the codes 4.7.x ask for less mail. 450 may, or may concern only this mailbox. So may 4.7.1, which greylists
 * use for a pair of sender and recipient.
 */
function domainRefusalOf(code: number, response: string): DomainRefusal | undefined {
  if (code === 421) return 'rate';
  const [, enhanced] = /^4\d\d[ -](4\.7\.\d{1,3})(?!\S)/.exec(response) ?? [];
  if (enhanced !== undefined) return enhanced === '4.7.1' ? 'busy' : 'rate';
  return code === 450 ? 'busy' : undefined;
}

/**
 * The codes in what the transport threw, such as `550 5.1.1` or `ECONNECTION`. They are safe to log, unlike the text
 * next to them, which quotes the recipient.
 */
export function smtpCodeOf(error: unknown): string {
  const { code, response, responseCode } = (error ?? {}) as Partial<TransportError>;
  const [, reply, enhanced] =
    /^([2-5]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S))?/.exec(
      typeof response === 'string' ? response : '',
    ) ?? [];
  if (reply !== undefined) return enhanced === undefined ? reply : `${reply} ${enhanced}`;
  if (typeof responseCode === 'number') return String(responseCode);
  return typeof code === 'string' && /^\w{1,32}$/.test(code) ? code : 'unknown';
}
