import { ConfigError, loadConfig } from './config.js';
import { liveTransports } from './mail-transports.js';

const transports = (env: Record<string, string>) => liveTransports(loadConfig(env));

test('SMTP_URL comes first, under the name smtp', () => {
  const MAIL_PROVIDERS =
    'backup=smtps://ada:p%40ss@mail.example,api=https://sec%2Fret@api.example/v1/send_raw?connections=4';
  expect(transports({ SMTP_URL: 'smtp://relay.example?connections=8&messages=50', MAIL_PROVIDERS })).toEqual([
    {
      kind: 'smtp',
      name: 'smtp',
      host: 'relay.example',
      port: 587,
      tls: 'opportunistic',
      isLocal: false,
      credentials: undefined,
      connections: 8,
      messages: 50,
    },
    {
      kind: 'smtp',
      name: 'backup',
      host: 'mail.example',
      port: 465,
      tls: 'implicit',
      isLocal: false,
      credentials: { user: 'ada', pass: 'p@ss' },
      connections: 32,
      messages: 1_000,
    },
    { kind: 'http', name: 'api', url: 'https://api.example/v1/send_raw', key: 'sec/ret', connections: 4 },
  ]);
  expect(transports({})).toEqual([]);
  expect(transports({ MAIL_PROVIDERS }).map(({ name }) => name)).toEqual(['backup', 'api']);
  const named = transports({ MAIL_PROVIDERS: 'api=https://key@api.example/send?api=send_raw' });
  expect(named).toMatchObject([{ url: 'https://api.example/send', api: 'send_raw' }]);
});

test.each([
  ['smtp://ada:pass@relay.example:25', 'required', false],
  ['smtp://ada:pass@relay.example?tls=required', 'required', false],
  ['smtp://relay.example?tls=never', 'never', false],
  ['smtp://ada:pass@127.0.0.1:2525', 'opportunistic', true],
  ['smtp://ada:pass@[::1]:2525?tls=never', 'never', true],
  ['smtps://localhost', 'implicit', true],
])('%s has TLS %s', (SMTP_URL, tls, isLocal) =>
  expect(transports({ SMTP_URL })).toMatchObject([{ tls, isLocal }]),
);

test.each([
  ['SMTP_URL', 'smtp://ada:secret@relay.example?tls=opportunistic'],
  ['SMTP_URL', 'smtp://ada:secret@relay.example?tls=never'],
  ['SMTP_URL', 'smtp://relay.example?tls=perhaps'],
  ['SMTP_URL', 'smtps://relay.example?tls=never'],
  ['SMTP_URL', 'smtp://relay.example?tls=never&tls=required'],
  ['SMTP_URL', 'smtp://relay.example?tls.rejectUnauthorized=false'],
  ['SMTP_URL', 'smtp://relay.example?connections=0'],
  ['SMTP_URL', 'smtp://relay.example?connections=33'],
  ['SMTP_URL', 'smtp://relay.example?messages=many'],
  ['SMTP_URL', 'smtp://ada@relay.example'],
  ['SMTP_URL', 'smtp://ada:secret%@relay.example'],
  ['MAIL_PROVIDERS', 'https://secret@api.example'],
  ['MAIL_PROVIDERS', 'Api=https://secret@api.example'],
  ['MAIL_PROVIDERS', 'smtp=https://secret@api.example'],
  ['MAIL_PROVIDERS', 'sandbox=https://secret@api.example'],
  ['MAIL_PROVIDERS', 'a=https://secret@api.example,a=https://secret@api.example'],
  ['MAIL_PROVIDERS', 'a=http://secret@api.example'],
  ['MAIL_PROVIDERS', 'a=https://api.example'],
  ['MAIL_PROVIDERS', 'a=https://sec%0Aret@api.example'],
  ['MAIL_PROVIDERS', 'a=ftp://secret@api.example'],
  ['MAIL_PROVIDERS', Array.from({ length: 11 }, (_, n) => `a${n}=https://secret@api.example`).join(',')],
])('%s=%s is refused in one line that quotes no secret', (name, value) => {
  let refusal: unknown;
  try {
    loadConfig({ [name]: value });
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(ConfigError);
  const { message } = refusal as ConfigError;
  expect(message).toMatch(new RegExp(`^${name}\\b.*: [^\\n]*\\.$`));
  expect(message).not.toContain('secret');
});
