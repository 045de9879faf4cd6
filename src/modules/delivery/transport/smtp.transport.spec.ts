/** Tests SMTP against real servers: TLS, certificates, credentials, limits, phases, smuggling. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { SELF_SIGNED } from '../../../../test/support/self-signed.js';
import { smtpServerOf } from '../../../platform/config/mail-transports.js';
import { TransportFailure, type OutgoingMail } from '../application/mail-transport.port.js';
import { SmtpTransport } from './smtp.transport.js';

interface Seen {
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly connection: string;
  readonly raw: string;
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const mailOf = (content = 'Subject: Hi\r\n\r\nHello\r\n'): OutgoingMail => ({
  envelope: { from: 'bounces@mail.example', to: 'ada@example.com' },
  messageId: '<1@mail.example>',
  raw: Buffer.from(content),
});

async function listen(server: SMTPServer | Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = ((server instanceof SMTPServer ? server.server : server).address() ?? {}) as AddressInfo;
  return port;
}

/** A server with a self-signed certificate. */
async function smtp(
  options: SMTPServerOptions = {},
): Promise<{ port: number; seen: Seen[]; most: () => number }> {
  const seen: Seen[] = [];
  let [open, most] = [0, 0];
  const server = new SMTPServer({
    ...SELF_SIGNED,
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      password === 'p@ss' ? done(null, { user: username }) : done(new Error('wrong')),
    onConnect: (_session, done) => {
      most = Math.max(most, ++open);
      done();
    },
    onClose: () => void open--,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const user = session.user as unknown as string | undefined;
        seen.push({
          secure: session.secure,
          user,
          connection: session.id,
          raw: Buffer.concat(chunks).toString(),
        });
        setTimeout(done, 10);
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const port = await listen(server);
  closers.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return { port, seen, most: () => most };
}

/** A server whose answers a test controls, from its greeting on. */
async function raw(greet: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    greet(socket);
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

function open(url: string, timeoutMs?: number): SmtpTransport {
  const transport = new SmtpTransport(smtpServerOf('SMTP_URL', 'smtp', url), undefined, timeoutMs);
  closers.push(() => transport.close());
  return transport;
}

const failureOf = (sending: Promise<void>): Promise<TransportFailure> =>
  sending.then(
    () => Promise.reject(new Error('It was accepted.')),
    (error: unknown) => (error instanceof TransportFailure ? error : Promise.reject(error as Error)),
  );

/** 0.0.0.0 reaches this machine but is not one of its names, so the rules for remote hosts apply. */
const REMOTE_HOST = '0.0.0.0';

describe('TLS', () => {
  test('is used where the server offers it; on this machine its certificate is not asked for', async () => {
    const { port, seen } = await smtp();
    await open(`smtp://127.0.0.1:${port}`).send(mailOf());
    expect(seen).toMatchObject([{ secure: true }]);
  });

  test('is not needed where nothing secret is sent and the server offers none', async () => {
    const { port, seen } = await smtp({ disabledCommands: ['STARTTLS'] });
    await open(`smtp://${REMOTE_HOST}:${port}`).send(mailOf());
    expect(seen).toMatchObject([{ secure: false }]);
  });

  test('is left alone with never', async () => {
    const { port, seen } = await smtp();
    await open(`smtp://${REMOTE_HOST}:${port}?tls=never`).send(mailOf());
    expect(seen).toMatchObject([{ secure: false }]);
  });

  test('begins the connection with smtps', async () => {
    const { port, seen } = await smtp({ secure: true });
    await open(`smtps://127.0.0.1:${port}`).send(mailOf());
    expect(seen).toMatchObject([{ secure: true }]);
  });

  test.each([
    ['a certificate that nobody signed', {}, ''],
    ['a certificate that nobody signed, by smtps', { secure: true }, ''],
    ['no STARTTLS where it is required', { disabledCommands: ['STARTTLS'] as string[] }, '?tls=required'],
  ])('%s: nothing is sent', async (_name, options, query) => {
    const { port, seen } = await smtp(options);
    const scheme = 'secure' in options ? 'smtps' : 'smtp';
    const { failed } = await failureOf(open(`${scheme}://${REMOTE_HOST}:${port}${query}`).send(mailOf()));
    expect(failed.kind).toBe('unreachable');
    expect(seen).toEqual([]);
  });

  test('credentials reach nobody without it', async () => {
    const commands: string[] = [];
    const port = await raw((socket) => {
      socket.write('220 here\r\n');
      socket.on('data', (data) => {
        commands.push(data.toString());
        socket.write(/^EHLO/i.test(data.toString()) ? '250-here\r\n250 AUTH PLAIN LOGIN\r\n' : '502 no\r\n');
      });
    });
    const { failed } = await failureOf(open(`smtp://ada:p%40ss@${REMOTE_HOST}:${port}`).send(mailOf()));
    expect(failed.kind).toBe('unreachable');
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.join('')).not.toMatch(/AUTH/i);
  });

  test('on this machine they need none; wrong ones fail no message', async () => {
    const { port, seen } = await smtp({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    await open(`smtp://ada:p%40ss@127.0.0.1:${port}`).send(mailOf());
    expect(seen).toMatchObject([{ secure: false, user: 'ada' }]);
    const { failed } = await failureOf(open(`smtp://ada:wrong@127.0.0.1:${port}`).send(mailOf()));
    expect(failed.kind).toBe('unreachable');
  });
});

describe('limits', () => {
  test('of connections at a time and of messages of one connection', async () => {
    const { port, seen, most } = await smtp();
    const transport = open(`smtp://127.0.0.1:${port}?connections=2&messages=3`);
    expect(transport.connections).toBe(2);
    await Promise.all(Array.from({ length: 12 }, () => transport.send(mailOf())));
    expect(seen).toHaveLength(12);
    expect(most()).toBeLessThanOrEqual(3);
    const counts = new Map<string, number>();
    for (const { connection } of seen) counts.set(connection, (counts.get(connection) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBe(3);
  });

  test('an answer that has no end is cut', async () => {
    const port = await raw((socket) => {
      const line = `220-${'x'.repeat(1_000)}\r\n`;
      socket.write(line.repeat(100));
    });
    const { failed } = await failureOf(open(`smtp://127.0.0.1:${port}`).send(mailOf()));
    expect(failed).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringContaining('exceeds') as string,
    });
  });

  test('a message that is trickled along is given up, and of unknown fate once it was handed over', async () => {
    const answers = ['250 here', '250 ok', '250 ok', '354 go on'];
    const port = await raw((socket) => {
      socket.write('220 here\r\n');
      socket.on('data', () => {
        const answer = answers.shift();
        if (answer !== undefined) socket.write(`${answer}\r\n`);
      });
    });
    const { failed } = await failureOf(open(`smtp://127.0.0.1:${port}`, 1_000).send(mailOf()));
    expect(failed.kind).toBe('unknown_fate');
    const silent = await raw(() => undefined);
    const unsent = await failureOf(open(`smtp://127.0.0.1:${silent}`, 200).send(mailOf()));
    expect(unsent.failed.kind).toBe('unreachable');
  });
});

test('no content ends its message early, whatever line breaks and dots it has', async () => {
  const { port, seen } = await smtp();
  const smuggled = 'MAIL FROM:<eve@example.com>';
  const content = ['\n.\n', '\r.\r', '\r\n.\r\n', '\n.\r\n', '\r\n.\n']
    .map((end) => `a${end}${smuggled}`)
    .join('\r\n');
  await open(`smtp://127.0.0.1:${port}`).send(mailOf(`Subject: Hi\r\n\r\n${content}`));
  expect(seen).toHaveLength(1);
  const lines = seen[0]!.raw.split('\r\n');
  expect(lines.filter((line) => line === '.')).toHaveLength(5);
  expect(lines.filter((line) => line === smuggled)).toHaveLength(5);
  expect(seen[0]!.raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});
