import { classifySmtpError, smtpCodeOf } from './smtp-response.js';

const error = (fields: object) => Object.assign(new Error('went wrong'), fields);

describe('classifySmtpError', () => {
  test.each([
    [
      'greylisted recipient',
      { responseCode: 451, response: '451 later', command: 'RCPT TO', code: 'EENVELOPE' },
      false,
      'temporary',
    ],
    [
      'temporary answer to the message',
      { responseCode: 452, response: '452', command: 'DATA', code: 'EMESSAGE' },
      true,
      'temporary',
    ],
    [
      'server closing down before any recipient',
      { responseCode: 421, response: '421', command: 'MAIL FROM', code: 'EENVELOPE' },
      false,
      'unreachable',
    ],
    [
      'server closing down over this recipient',
      { responseCode: 421, response: '421', command: 'RCPT TO', code: 'EENVELOPE' },
      false,
      'temporary',
    ],
    [
      'bad sequence of commands',
      { responseCode: 503, response: '503', command: 'MAIL FROM', code: 'EENVELOPE' },
      false,
      'temporary',
    ],
    [
      'no such mailbox',
      { responseCode: 550, response: '550 no', command: 'RCPT TO', code: 'EENVELOPE' },
      false,
      'permanent',
    ],
    [
      'content refused',
      { responseCode: 554, response: '554 spam', command: 'DATA', code: 'EMESSAGE' },
      true,
      'permanent',
    ],
    ['unusable recipient', { command: 'API', code: 'EENVELOPE' }, false, 'permanent'],
    ['too large', { command: 'MAIL FROM', code: 'EMESSAGE' }, false, 'permanent'],
    ['connection refused', { code: 'ESOCKET', command: 'CONN' }, false, 'unreachable'],
    ['name not found', { code: 'EDNS', command: 'CONN' }, false, 'unreachable'],
    [
      'greeted with a refusal',
      { responseCode: 554, response: '554 go away', command: 'CONN', code: 'EPROTOCOL' },
      false,
      'unreachable',
    ],
    [
      'credentials refused',
      { responseCode: 535, response: '535', command: 'AUTH PLAIN', code: 'EAUTH' },
      false,
      'unreachable',
    ],
    ['connection lost before the message', { code: 'ECONNECTION', command: 'CONN' }, false, 'unreachable'],
    ['connection lost within the message', { code: 'ECONNECTION', command: 'CONN' }, true, 'unknown_fate'],
    ['no answer after the message', { code: 'ETIMEDOUT', command: 'CONN' }, true, 'unknown_fate'],
    [
      'refused in the last breath',
      { responseCode: 451, response: '451', code: 'ECONNECTION', command: 'CONN' },
      true,
      'temporary',
    ],
  ])('%s', (_name, fields, handedOver, kind) => {
    expect(classifySmtpError(error(fields), handedOver).kind).toBe(kind);
  });

  test("keeps the server's answer, or else the error's words", () => {
    expect(classifySmtpError(error({ responseCode: 550, response: '550 no such user' }), false).detail).toBe(
      '550 no such user',
    );
    const ofSender = { responseCode: 550, response: '550 unknown user', command: 'MAIL FROM' };
    expect(classifySmtpError(error(ofSender), false).detail).toBe(
      '550 unknown user (in reply to MAIL FROM command)',
    );
    expect(classifySmtpError(error({}), false).detail).toBe('went wrong');
    expect(classifySmtpError('text', true)).toEqual({ kind: 'unknown_fate', detail: 'text' });
  });
});

test.each([
  [{ response: '550 5.1.1 <ada@example.com> unknown', responseCode: 550 }, '550 5.1.1'],
  [{ response: '451-4.7.1\r\n451 try later' }, '451 4.7.1'],
  [{ response: '550 ada@example.com', code: 'EENVELOPE' }, '550'],
  [{ response: 'ada@example.com', responseCode: 554 }, '554'],
  [{ code: 'ECONNECTION' }, 'ECONNECTION'],
  [{ code: 'ada@example.com' }, 'unknown'],
  [undefined, 'unknown'],
])('the codes of %j are %s', (error, code) => expect(smtpCodeOf(error)).toBe(code));

describe('what a temporary refusal says of the recipient’s domain', () => {
  test.each([
    ['421 4.3.2 slow down', 'rate'],
    ['451 4.7.0 too many messages', 'rate'],
    ['450 4.7.1 greylisted', 'busy'],
    ['451 4.7.1 greylisted', 'busy'],
    ['451-4.7.28 unusual rate\n451 4.7.28 of mail', 'rate'],
    ['450 4.2.0 greylisted', 'busy'],
    ['450 mailbox busy', 'busy'],
    ['451 4.3.0 try again', undefined],
    ['452 4.2.2 mailbox full', undefined],
    ['451 not 4.7.1', undefined],
  ])('%s: %s', (response, domain) => {
    const responseCode = Number(response.slice(0, 3));
    expect(classifySmtpError(error({ responseCode, response, command: 'RCPT TO' }), false)).toEqual({
      kind: 'temporary',
      detail: response,
      ...(domain ? { domain } : {}),
    });
  });
});
