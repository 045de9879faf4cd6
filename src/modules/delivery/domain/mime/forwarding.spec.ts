/**
 * What happens to our signature on the way. Another library verifies it, and also seals messages as forwarders do (RFC
 * 8617).
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { authenticate, sealMessage } from 'mailauth';
import { prepareDkim } from './dkim.js';
import { buildMessage } from './message.js';

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const FORWARDER = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const recordOf = ({ publicKey }: typeof KEYS): string =>
  `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const RECORDS: Readonly<Record<string, string>> = {
  'w1._domainkey.acme.test': recordOf(KEYS),
  'arc._domainkey.lists.test': recordOf(FORWARDER),
  '_dmarc.acme.test': 'v=DMARC1; p=reject; adkim=s',
};
const resolver = async (name: string, type: string): Promise<string[][]> => {
  const record = RECORDS[name];
  if (type === 'TXT' && record !== undefined) return Promise.resolve([[record]]);
  throw Object.assign(new Error('There is none.'), { code: 'ENOTFOUND' });
};

function finished<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function sent(): Buffer {
  const date = new Date();
  const message = finished(
    buildMessage({
      messageId: '<0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1@acme.test>',
      date,
      environment: 'live',
      from: { address: 'hello@acme.test', name: 'Acme' },
      to: { address: 'ada@example.com', name: '' },
      replyTo: null,
      subject: 'Größe 😀',
      html: '<p>Hi</p>',
      text: 'Hi',
      headers: [
        ['List-Unsubscribe', '<https://waypost.example/u/1>'],
        ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ],
    }),
  );
  const unsigned = finished(prepareDkim(message, { domain: 'acme.test', selector: 'w1' }, date));
  return Buffer.concat([
    Buffer.from(unsigned.field(sign('sha256', unsigned.data, KEYS.privateKey))),
    message,
  ]);
}

const judged = (message: Buffer) =>
  authenticate(message, {
    ip: '192.0.2.7',
    helo: 'mx.lists.test',
    mta: 'mx.test',
    sender: 'x@lists.test',
    resolver,
  });

/** The message after a forwarder that has verified our signature has passed it on. */
async function sealed(message: Buffer, change: (text: string) => string = (text) => text): Promise<Buffer> {
  // Missing in its types: the results, in the terms of a forwarder's seal.
  const { authResults, status } = (await judged(message)).arc as unknown as {
    readonly authResults: string;
    readonly status: { readonly result: string };
  };
  const changed = Buffer.from(change(message.toString('latin1')), 'latin1');
  const seal = {
    signingDomain: 'lists.test',
    selector: 'arc',
    privateKey: FORWARDER.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    authResults,
    cv: status.result,
  };
  const fields = await sealMessage(changed, seal);
  return Buffer.concat([fields, changed]);
}

test('a message that is forwarded and sealed passes by both, and by DMARC through our signature alone', async () => {
  const { arc, dkim, dmarc } = await judged(await sealed(sent()));
  expect(arc && arc.status.result).toBe('pass');
  expect(dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([
    ['pass', 'acme.test'],
  ]);
  expect(dmarc && [dmarc.status.result, dmarc.alignment.dkim.result]).toEqual(['pass', 'acme.test']);
});

test('a list that changes the subject breaks our signature, and its seal tells that it was good', async () => {
  const forwarded = await sealed(sent(), (text) => text.replace(/^Subject: /m, 'Subject: [walks] '));
  const { arc, dkim } = await judged(forwarded);
  expect(dkim.results[0]?.status.result).not.toBe('pass');
  expect(arc && arc.status.result).toBe('pass');
  expect(forwarded.toString()).toMatch(/ARC-Authentication-Results: i=1;[^]*?dkim=pass[^]*?acme\.test/);
});

test('content that is changed after the seal breaks it', async () => {
  const whole = await sealed(sent());
  const changed = Buffer.from(whole.toString('latin1').replace('>Hi', '>Ho'), 'latin1');
  expect(changed.equals(whole)).toBe(false);
  const { arc } = await judged(changed);
  expect(arc && arc.status.result).not.toBe('pass');
});
