import { DomainError } from '../../kernel/domain-error.js';
import { errorRecord } from './error-record.js';

const CANARY = 'canary@example.com';
const withMembers = (message: string, members: object): Error => Object.assign(new Error(message), members);

test.each<[string, Error, object]>([
  [
    'PostgreSQL quotes the value',
    withMembers(`invalid input syntax for type integer: "${CANARY}"`, {
      code: '22P02',
      severity: 'ERROR',
      detail: `Key (email)=(${CANARY}) already exists.`,
      where: CANARY,
      table: 'contacts',
      constraint: 'contacts_email',
    }),
    { code: '22P02', severity: 'ERROR', table: 'contacts', constraint: 'contacts_email' },
  ],
  [
    'an SMTP server quotes the recipient',
    withMembers(`Can't send mail: 550 5.1.1 <${CANARY}>`, {
      code: 'EENVELOPE',
      response: `550 5.1.1 <${CANARY}> unknown`,
      responseCode: 550,
      command: `RCPT TO:<${CANARY}>`,
      rejected: [CANARY],
    }),
    { code: 'EENVELOPE', response_code: 550 },
  ],
  ['a parser quotes its input', new SyntaxError(`Unexpected token 'c', "${CANARY}" is not valid JSON`), {}],
  [
    'a refusal quotes the field',
    new DomainError('not_found', `There is no ${CANARY}.`),
    { code: 'not_found' },
  ],
  ['a code that is none', withMembers('x', { code: CANARY }), {}],
  [
    'what is hung on an error',
    withMembers('ours', { input: CANARY, config: { to: CANARY } }),
    { message: 'ours' },
  ],
  [
    'a cause',
    new Error('ours', { cause: withMembers(CANARY, { code: '23505' }) }),
    { cause: { code: '23505' } },
  ],
])('%s: the codes are kept, the words are not', (_name, error, codes) => {
  const record = errorRecord(error);
  expect(record).toMatchObject({ type: error.constructor.name, ...codes });
  expect(record['stack']).toMatch(/^ {4}at /);
  expect(JSON.stringify(record)).not.toContain(CANARY);
});

test('an error in our own words keeps them, and a system error its address', () => {
  expect(errorRecord(new Error('The key set contains no ES256 key.'))).toMatchObject({
    message: 'The key set contains no ES256 key.',
  });
  const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
  expect(errorRecord(withMembers('connect ECONNREFUSED 127.0.0.1:5432', refused))).toMatchObject({
    message: 'connect ECONNREFUSED 127.0.0.1:5432',
    ...refused,
  });
});

test('whatever else is thrown says what it is, and a chain of causes ends', () => {
  expect(errorRecord(CANARY)).toEqual({ type: 'string' });
  const loop = new Error('round');
  loop.cause = loop;
  expect(JSON.stringify(errorRecord(loop)).match(/round/g)?.length).toBeLessThan(10);
});
