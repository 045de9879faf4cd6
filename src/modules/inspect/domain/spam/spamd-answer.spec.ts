import { readSpamdAnswer, spamdFindings } from './spamd-answer.js';

const REPORT = `Spam detection software, running on the system "filter",
has identified this incoming email as possible spam.

Content preview:  12 DOLLARS

Content analysis details:   (7.2 points, 5.0 required)

 pts rule name              description
---- ---------------------- --------------------------------------------------
 0.1 MISSING_MID            Missing Message-Id: header
 2.5 URIBL_BLACK            Contains an URL listed in the URIBL blacklist
                            [URIs: acme.test]
-0.0 NO_RELAYS              Informational: message was not relayed via SMTP
 4.6 GTUBE
`;
const answer = (fields: string, body = REPORT): string =>
  `SPAMD/1.1 0 EX_OK\r\nContent-length: ${Buffer.byteLength(body)}\r\n${fields}\r\n\r\n${body}`;

test('a verdict is read with its rules', () => {
  expect(readSpamdAnswer(answer('Spam: True ; 7.2 / 5.0'))).toEqual({
    kind: 'verdict',
    verdict: {
      isSpam: true,
      points: 7.2,
      threshold: 5,
      rules: [
        { name: 'MISSING_MID', points: 0.1, description: 'Missing Message-Id: header' },
        {
          name: 'URIBL_BLACK',
          points: 2.5,
          description: 'Contains an URL listed in the URIBL blacklist [URIs: acme.test]',
        },
        { name: 'NO_RELAYS', points: -0, description: 'Informational: message was not relayed via SMTP' },
        { name: 'GTUBE', points: 4.6, description: '' },
      ],
    },
  });
});

test('a verdict of no spam has its points too, whatever the report is', () => {
  expect(readSpamdAnswer(answer('spam: False ; -1.5 / 5.0', 'ä nothing'))).toEqual({
    kind: 'verdict',
    verdict: { isSpam: false, points: -1.5, threshold: 5, rules: [] },
  });
});

test.each([
  ['nothing', '', { kind: 'unreadable' }],
  ['another protocol', 'HTTP/1.1 200 OK\r\n\r\n', { kind: 'unreadable' }],
  ['no verdict', answer('Spam: maybe'), { kind: 'unreadable' }],
  ['a head without an end', 'SPAMD/1.1 0 EX_OK\r\nSpam: True ; 7.2 / 5.0', { kind: 'unreadable' }],
  ['less than it says', answer('Spam: True ; 7.2 / 5.0').slice(0, -9), { kind: 'unreadable' }],
  ['a refusal', 'SPAMD/1.0 76 Bad header line: x\r\n', { kind: 'refused', code: 'Bad header line' }],
  ['a refusal by number', 'SPAMD/1.0 75\r\n\r\n', { kind: 'refused', code: '75' }],
])('%s', (_, text, expected) => expect(readSpamdAnswer(text)).toEqual(expected));

test('told are the verdict and the rules with the most points', () => {
  const rules = Array.from({ length: 30 }, (_, i) => ({
    name: `R_${i}`,
    points: i / 10,
    description: 'Why',
  }));
  const findings = spamdFindings({ isSpam: true, points: 7.2, threshold: 5, rules });
  expect(findings[0]).toMatchObject({ rule: 'spamassassin_spam', target: 'verdict' });
  expect(findings).toHaveLength(21);
  expect(findings[1]).toMatchObject({ target: 'R_29', message: 'R_29 gives 2.9 points: “Why”.' });
  const small = spamdFindings({ isSpam: false, points: 0.8, threshold: 5, rules: rules.slice(3, 6) });
  expect(small.map(({ target }) => target)).toEqual(['R_5']);
});
