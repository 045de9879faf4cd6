/** The mailbox's SMTP side: takes every message for everybody, keeps it and forwards nothing. */
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { uuidv7 } from '../../../kernel/uuid.js';
import { summarise } from './mailbox-message.js';
import type { MailboxStore } from './mailbox-store.js';

/** Beyond this a message is refused with 552. */
const MAX_BYTES = 50 * 1024 * 1024;

/** Answers 250 to a message once the operating system has it; 452 when it cannot be stored. */
export function smtpServer(store: MailboxStore): SMTPServer {
  const server = new SMTPServer({
    name: 'waypost-mailbox',
    banner: 'Waypost mailbox',
    size: MAX_BYTES,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    // Between two mails of a pool there may be a long silence.
    socketTimeout: 10 * 60_000,
    closeTimeout: 500,
    onData: (stream, session, answer) => {
      receive(store, stream, session).then(
        (id) => answer(null, `OK: kept as ${id}`),
        (error: unknown) => answer(refusal(error)),
      );
    },
  });
  // A client that breaks off has lost its connection, and knows: the mailbox goes on.
  server.on('error', () => undefined);
  return server;
}

async function receive(
  store: MailboxStore,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<string> {
  const raw = await buffer(stream);
  if (stream.sizeExceeded) throw new Refusal(552, `a message may have ${MAX_BYTES} bytes at most`);
  const now = new Date();
  const id = uuidv7(now.getTime());
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  const to = envelope.rcptTo.map(({ address }) => address);
  await store.add({ id, received_at: now.toISOString(), ...summarise(raw, { from, to }) }, raw);
  return id;
}

class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

function refusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(452, `cannot be stored: ${error instanceof Error ? error.message : String(error)}`);
}
