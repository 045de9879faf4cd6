import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { buildMessage, type MessageParts } from './message.js';
import { runs } from '../../../../../test/support/test-scope.js';

/** The message, and the number of pieces in which it was built. */
function built(parts: MessageParts): { raw: Buffer; pieces: number } {
  const work = buildMessage(parts);
  for (let pieces = 1; ; pieces++) {
    const step = work.next();
    if (step.done) return { raw: step.value, pieces };
  }
}
const messageOf = (parts: MessageParts): Buffer => built(parts).raw;

const PARTS: MessageParts = {
  messageId: '<0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1@mail.localhost>',
  date: new Date('2026-03-02T09:00:00.000Z'),
  environment: 'live',
  from: { address: 'hello@mail.localhost', name: 'Acme' },
  to: { address: 'ada@example.com', name: '' },
  replyTo: 'help@acme.test',
  subject: 'Hello',
  html: '<p>Hi</p>',
  text: 'Hi',
  headers: [['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click']],
};

/** Texts as people and attackers write them: any Unicode, line breaks, text that looks like syntax. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        'Bcc: x@y.z',
        '=?UTF-8?B?',
        '?=',
        '"',
        '\\',
        ' ',
        'ä',
        '😀',
        'word',
        '\0',
        ',',
      ),
      {
        maxLength: 40,
      },
    )
    .map((parts) => parts.join('')),
);

const FIELDS = [
  'from',
  'to',
  'reply-to',
  'subject',
  'message-id',
  'date',
  'list-unsubscribe-post',
  'x-waypost-environment',
  'mime-version',
  'content-type',
];

const visible = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').toWellFormed();

describe('buildMessage', () => {
  test('gives the same bytes for the same input', () => {
    expect(messageOf(PARTS).equals(messageOf({ ...PARTS }))).toBe(true);
  });

  test('has every field and both forms of the content', async () => {
    const email = await PostalMime.parse(messageOf({ ...PARTS, html: '<p>Grüße 😀</p>', text: 'Grüße' }));
    expect(email.from).toMatchObject({ address: 'hello@mail.localhost', name: 'Acme' });
    expect(email.to?.[0]?.address).toBe('ada@example.com');
    expect(email.messageId).toBe(PARTS.messageId);
    expect(email.html?.trim()).toBe('<p>Grüße 😀</p>');
    expect(email.text?.trim()).toBe('Grüße');
    expect(new Date(email.date ?? '')).toEqual(PARTS.date);
    expect(email.headers.map(({ key }) => key)).toEqual(FIELDS);
  });

  test('is HTML alone where there is no text', async () => {
    const raw = messageOf({ ...PARTS, text: '' });
    expect(raw.toString()).not.toContain('multipart');
    expect((await PostalMime.parse(raw)).html?.trim()).toBe('<p>Hi</p>');
  });

  test('whatever the subject and the display name are: no field is added, no line is too long, they read back', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (subject, name) => {
        const raw = messageOf({ ...PARTS, subject, from: { ...PARTS.from, name } });
        const head = raw.toString('latin1').split('\r\n\r\n')[0] ?? '';
        expect(head).toMatch(/^[\x20-\x7e\r\n]*$/);
        expect(head.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        expect(head.split('\r\n').filter((line) => line.length > 78 || /^\s*$/.test(line))).toEqual([]);
        const email = await PostalMime.parse(raw);
        expect(email.headers.map(({ key }) => key)).toEqual(FIELDS);
        expect(email.subject?.trim() ?? '').toBe(visible(subject).trim());
        expect(email.from?.address).toBe('hello@mail.localhost');
        expect(email.from?.name.trim()).toBe(visible(name).trim());
      }),
      { numRuns: runs(500) },
    );
  });

  test('whatever the content is, it reads back', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (html, text) => {
        const email = await PostalMime.parse(
          messageOf({ ...PARTS, html: `<p>${html}</p>`, text: `.${text}.` }),
        );
        const lines = (content: string): string => content.replace(/\r\n?/g, '\n').toWellFormed();
        expect(lines(email.html ?? '').trim()).toBe(lines(`<p>${html}</p>`));
        expect(lines(email.text ?? '').trim()).toBe(lines(`.${text}.`));
      }),
      { numRuns: runs(300) },
    );
  });

  test.each([
    ['<p>Hi</p>', '7bit'],
    ['one\ntwo\rthree\r\n\tfour', '7bit'],
    ['x'.repeat(998), '7bit'],
    ['x'.repeat(999), 'base64'],
    [`${'x'.repeat(998)}\n${'x'.repeat(999)}\n`, 'base64'],
    ['a\0b', 'base64'],
    ['a\x7fb', 'base64'],
    ['Grüße', 'base64'],
    [`--=_0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1maillocalhost_`, 'base64'],
    ['line\n'.repeat(30_000), 'base64'],
  ])('text like %j stands there as %s', async (text, encoding) => {
    const raw = messageOf({ ...PARTS, text, html: '' }).toString('latin1');
    expect(/text\/plain[^]*?Content-Transfer-Encoding: (.*)\r\n/.exec(raw)?.[1]).toBe(encoding);
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(raw.split('\r\n').filter((line) => line.length > 998)).toEqual([]);
    const email = await PostalMime.parse(raw);
    expect(email.text?.trimEnd()).toBe(text.replace(/\r\n?/g, '\n').trimEnd());
  });

  test.each(['a@b.c\r\nBcc: x@y.z', 'a@b.c> <x@y.z', 'a b@c.d', 'a\0@b.c'])(
    'refuses the address %j',
    (address) => {
      expect(() => messageOf({ ...PARTS, to: { address, name: '' } })).toThrow(TypeError);
    },
  );

  test.each(['<x>\r\nBcc: a@b.c', 'ä', 'x'.repeat(1_000)])(
    'refuses an exact value that cannot stand',
    (value) => {
      expect(() => messageOf({ ...PARTS, headers: [['X-Any', value]] })).toThrow(TypeError);
    },
  );
});

test('a large message is built in pieces, and one as usual in one', async () => {
  const html = '€'.repeat(1_000_000);
  const text = `${'a line of text\n'.repeat(40_000)}end`;
  const { raw, pieces } = built({ ...PARTS, html, text });
  expect(pieces).toBeGreaterThanOrEqual(15);
  const email = await PostalMime.parse(raw);
  expect(email.html?.trimEnd()).toBe(html);
  expect(email.text?.trimEnd()).toBe(text);
  expect(built({ ...PARTS, html: 'x'.repeat(100_000) }).pieces).toBe(1);
});

describe('files and pictures', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
  const picture = { name: 'chart.png', contentType: 'image/png', content: PNG, contentId: 'chart' } as const;
  const file = {
    ...({ name: 'report.csv', contentType: 'text/csv', contentId: null } as const),
    content: Buffer.from('day,sent\r\n2026-03-01,5\r\n'),
  };

  test.each([
    ['both', [picture, file], ['mixed', 'related', 'alternative']],
    ['a picture', [picture], ['related', 'alternative']],
    ['a file', [file], ['mixed', 'alternative']],
    ['nothing', [], ['alternative']],
  ])('%s: the parts stand in one another as mail programs want them', async (_, attachments, kinds) => {
    const raw = messageOf({ ...PARTS, html: '<img src="cid:chart">', attachments });
    expect([...raw.toString('latin1').matchAll(/multipart\/(\w+);/g)].map(([, kind]) => kind)).toEqual(kinds);
    const email = await PostalMime.parse(raw);
    expect(email.text?.trim()).toBe('Hi');
    expect(email.html?.trim()).toBe('<img src="cid:chart">');
    expect(
      email.attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
        ...{ filename, mimeType, disposition, contentId },
        content: Buffer.from(content as ArrayBuffer).toString('hex'),
      })),
    ).toEqual(
      attachments.map(({ name, contentType, contentId, content }) => ({
        ...{ filename: name, mimeType: contentType },
        disposition: contentId === null ? 'attachment' : 'inline',
        contentId: contentId === null ? undefined : `<${contentId}>`,
        content: content.toString('hex'),
      })),
    );
  });

  test('without a text the HTML is what its pictures belong to', async () => {
    const raw = messageOf({ ...PARTS, text: '', attachments: [picture] });
    expect(raw.toString('latin1')).toContain('multipart/related;\r\n type="text/html";\r\n boundary="=r_');
    expect((await PostalMime.parse(raw)).html?.trim()).toBe('<p>Hi</p>');
  });

  test('whatever a file is called: no field is added, no line is too long, the name can be one of a file', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (name) => {
        const raw = messageOf({ ...PARTS, attachments: [{ ...file, name }] });
        const [, head = ''] = /\r\n(Content-Type: text\/csv[^]*?)\r\n\r\n/.exec(raw.toString('latin1')) ?? [];
        expect(head).toMatch(/^[\x20-\x7e\r\n]*$/);
        expect(head.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        const lines = head.split('\r\n');
        expect(lines.filter((line) => line.length > 78)).toEqual([]);
        const known = /^(?:Content-(?:Type|Transfer-Encoding|Disposition): | filename)/;
        expect(lines.filter((line) => !known.test(line))).toEqual([]);
        const { attachments, headers } = await PostalMime.parse(raw);
        expect(headers.map(({ key }) => key)).toEqual(FIELDS);
        expect(attachments).toHaveLength(1);
        const shown = attachments[0]?.filename ?? '';
        expect(shown).not.toMatch(/[\p{Cc}/\\:*?"<>|]/u);
        expect(shown.length).toBeGreaterThan(0);
        expect([...shown].length).toBeLessThanOrEqual(100);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each([
    ['Wöchentlicher Bericht – März.csv', 'Wöchentlicher Bericht – März.csv'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['x"\r\nBcc: a@b.c\r\n\r\n.csv', 'x_Bcc_ a@b.c_.csv'],
    [`${'é'.repeat(300)}.csv`, `${'é'.repeat(96)}.csv`],
    ['', 'file'],
    ['...', 'file'],
  ])('a file called %j comes as %j', async (name, shown) => {
    const { attachments } = await PostalMime.parse(messageOf({ ...PARTS, attachments: [{ ...file, name }] }));
    expect(attachments[0]?.filename).toBe(shown);
  });

  test.each(['', 'a b', 'chart>\r\nBcc: a@b.c', 'ä'])('refuses the content id %j', (contentId) => {
    expect(() => messageOf({ ...PARTS, attachments: [{ ...picture, contentId }] })).toThrow(TypeError);
  });

  test('no text can end a part before its end', async () => {
    const name = '_0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1maillocalhost_';
    for (const mark of ['=', '=r', '=m']) {
      const text = `before\n--${mark}${name}--\nbehind`;
      const { attachments, text: read } = await PostalMime.parse(
        messageOf({ ...PARTS, text, html: `<p>${text}</p>`, attachments: [picture, file] }),
      );
      expect([read?.trim(), attachments.length]).toEqual([text, 2]);
    }
  });

  test('any content reads back, and a large one is written in pieces', async () => {
    const content = Buffer.from(Array.from({ length: 1_000_001 }, (_, n) => (n * 31) % 256));
    const { raw, pieces } = built({ ...PARTS, attachments: [{ ...file, content }] });
    expect(pieces).toBeGreaterThan(3);
    const { attachments } = await PostalMime.parse(raw);
    expect(Buffer.from(attachments[0]?.content as ArrayBuffer).equals(content)).toBe(true);
  });
});
