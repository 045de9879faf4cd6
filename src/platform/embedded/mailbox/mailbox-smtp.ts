/** The mailbox's SMTP server: accepts every message for any recipient, stores it and forwards nothing. */
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { uuidv7 } from '../../../kernel/uuid.js';
import { summarise } from './mailbox-message.js';
import type { MailboxStore } from './mailbox-store.js';

/** Larger messages are rejected with 552. */
const MAX_BYTES = 50 * 1024 * 1024;
/** Maximum memory of all messages being received. Beyond it a message is rejected with 452. */
const MAX_INCOMING_BYTES = 4 * MAX_BYTES;
/** More than the sending slots of all workers of a machine. */
const MAX_CLIENTS = 500;

/** Responds 250 to a message once the operating system has it, or 452 if it cannot be stored. */
export function smtpServer(store: MailboxStore): SMTPServer {
  const incoming = { bytes: 0 };
  const server = new SMTPServer({
    name: 'waypost-mailbox',
    banner: 'Waypost mailbox',
    size: MAX_BYTES,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    maxClients: MAX_CLIENTS,
    // Pooled connections may be idle for a long time between two messages.
    socketTimeout: 10 * 60_000,
    closeTimeout: 500,
    onData: (stream, session, answer) => {
      receive(store, incoming, stream, session).then(
        (id) => answer(null, `OK: stored as ${id}`),
        (error: unknown) => answer(smtpErrorOf(error)),
      );
    },
  });
  // A client that disconnects already knows; the mailbox continues.
  server.on('error', () => undefined);
  return server;
}

async function receive(
  store: MailboxStore,
  incoming: { bytes: number },
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<string> {
  const raw = await readMessage(stream, incoming);
  const now = new Date();
  const id = uuidv7(now.getTime());
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  const to = envelope.rcptTo.map(({ address }) => address);
  await store.add({ id, received_at: now.toISOString(), ...summarise(raw, { from, to }) }, raw);
  return id;
}

/** The bytes of a message. A rejected message is also read to its end, because only then can the server respond. */
async function readMessage(stream: SMTPServerDataStream, incoming: { bytes: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let failure: SmtpError | undefined;
  const append = (chunk: Buffer): void => {
    chunks.push(chunk);
    size += chunk.length;
    incoming.bytes += chunk.length;
  };
  const discard = (): void => {
    chunks.length = 0;
    incoming.bytes -= size;
    size = 0;
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (failure) continue;
      append(chunk);
      if (size > MAX_BYTES) failure = new SmtpError(552, `a message must be at most ${MAX_BYTES} bytes`);
      else if (incoming.bytes > MAX_INCOMING_BYTES)
        failure = new SmtpError(452, 'too many messages at the same time');
      if (failure) discard();
    }
    if (failure) throw failure;
    return Buffer.concat(chunks);
  } finally {
    discard();
  }
}

class SmtpError extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

function smtpErrorOf(error: unknown): SmtpError {
  if (error instanceof SmtpError) return error;
  return new SmtpError(452, `cannot be stored: ${error instanceof Error ? error.message : String(error)}`);
}
