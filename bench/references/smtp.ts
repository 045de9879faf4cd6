/**
 * Reference for the mail path: nodemailer's pool of five connections, configured as in its documentation. It sends
 * rendered newsletters; there is no event, flow, trip or ledger.
 */
import { createTransport } from 'nodemailer';
import { addressOf, MAIL_SUBJECT, newsletterOf } from '../email.js';
import { answerQuestions } from '../program.js';

export interface SmtpQuestion {
  readonly port: number;
  readonly mails: number;
  readonly prefix: string;
}

const CONNECTIONS = 5;
const AT_ONCE = 20;

/** Answers the Unix time in milliseconds at which the first mail was passed to nodemailer. */
answerQuestions<SmtpQuestion>(async ({ port, mails, prefix }) => {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  const html = newsletterOf(prefix, 0);
  const begunAt = Date.now();
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < mails) {
      const to = addressOf(prefix, next++);
      const headers = { 'List-Unsubscribe': '<https://example.test/u>' };
      await transport.sendMail({ from: 'bench@example.test', to, subject: MAIL_SUBJECT, html, headers });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  transport.close();
  return begunAt;
});
