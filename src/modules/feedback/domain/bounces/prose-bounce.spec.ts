import { classifyBounce } from './classify-bounce.js';
import { readProseBounce, diagnosticInProse } from './prose-bounce.js';

const QMAIL = `Hi. This is the qmail-send program at mx.x.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ada@x.test>:
%

--- Below this line is a copy of the message.

Return-Path: <b-t@bounces.acme.test>
Subject: News

User unknown`;
const EXIM = `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@x.test
    %

------ This is a copy of the message, including all the headers. ------

Return-path: <b-t@bounces.acme.test>
Subject: User unknown`;
const YAHOO = `Sorry, we were unable to deliver your message to the following address.

<ada@yahoo.com>:
Remote host said:
%

--- Below this line is a copy of the message.

Received: from mx.acme.test`;
const SENDMAIL = `The original message was received at Fri, 27 Nov 2026 12:00:00 GMT
from localhost [127.0.0.1]

   ----- The following addresses had permanent fatal errors -----
<ada@x.test>

   ----- Transcript of session follows -----
... while talking to mx.x.test.:
>>> RCPT To:<ada@x.test>
<<< %

   ----- Original message follows -----

Received: from x`;
const POSTFIX = `This is the mail system at host mx.acme.test.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

                   The mail system

<ada@x.test>: host mx.x.test[192.0.2.1] said: % (in reply to RCPT TO command)`;
const GMAIL = `Delivery to the following recipient failed permanently:

     ada@x.test

Technical details of permanent failure:
Google tried to deliver your message, but it was rejected by the server for the recipient domain x.test by mx.x.test. [192.0.2.1].

The error that the other server returned was:
%

----- Original message -----

DKIM-Signature: v=1`;
const GMX = `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address
failed:

"ada@gmx.test":
SMTP error from remote server after RCPT command:
host: mx00.gmx.test
%

--- The header of the original message is following. ---

Received: from x`;
const T_ONLINE = `|------------------------- Message log follows: -------------------------|
 no valid recipients were found for this message
|------------------------- Failed addresses follow: ---------------------|
 <ada@t-online.test> ... %
|------------------------- Message text follows: ------------------------|
Received: from x`;
const EXCHANGE = `Your message

  To:      ada@x.test
  Subject: News
  Sent:    Fri, 27 Nov 2026 12:00:00 +0100

did not reach the following recipient(s):

ada@x.test on Fri, 27 Nov 2026 12:00:05 +0100
    %`;
const OPENSMTPD = `    Hi!

    This is the MAILER-DAEMON, please DO NOT REPLY to this e-mail.

    An error has occurred while attempting to deliver a message for
    the following list of recipients:

ada@x.test: %

    Below is a copy of the original message:

Received: from [127.0.0.1]`;
const OFFICE = `Delivery has failed to these recipients or groups:

ada@x.test<mailto:ada@x.test>
Your message wasn't delivered.

Diagnostic information for administrators:

ada@x.test
Remote Server returned '%'

Original message headers:

Subject: News`;
const GERMAN = `Ihre Nachricht konnte nicht zugestellt werden:

<ada@x.test>:
%`;

const DAEMON = [
  ['from', 'MAILER-DAEMON@mx.x.test'],
  ['subject', 'failure notice'],
] as const;

test.each([
  ['qmail', QMAIL, 'Sorry, no mailbox here by that name. (#5.1.1)', 'hard', 'no_mailbox'],
  ['qmail', QMAIL, "Sorry, I couldn't find any host named x.test. (#5.1.2)", 'hard', 'no_domain'],
  ['qmail', QMAIL, 'user is over quota (#5.2.2)', 'soft', 'mailbox_full'],
  [
    'qmail',
    QMAIL,
    '192.0.2.1 failed after I sent the message.\nRemote host said: 554 5.7.1 blocked using zen.spamhaus.org',
    'soft',
    'block_list',
  ],
  [
    'qmail',
    QMAIL,
    "I'm not going to try again; this message has been in the queue too long. (#4.4.1)",
    'soft',
    'temporary',
  ],
  ['Exim', EXIM, 'Unrouteable address', 'hard', 'no_mailbox'],
  [
    'Exim',
    EXIM,
    'SMTP error from remote mail server after RCPT TO:<ada@x.test>:\n    host mx.x.test [192.0.2.1]: 550 5.1.1 User unknown',
    'hard',
    'no_mailbox',
  ],
  [
    'Exim',
    EXIM,
    'SMTP error from remote mail server after MAIL FROM:<b-t@bounces.acme.test>:\n    host mx.x.test [192.0.2.1]: 550 User unknown',
    'soft',
    'sender',
  ],
  ['Exim', EXIM, 'mailbox is full: retry timeout exceeded', 'soft', 'mailbox_full'],
  [
    'Yahoo',
    YAHOO,
    "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0] - mta1.mail.ne1.yahoo.com",
    'hard',
    'no_mailbox',
  ],
  [
    'Yahoo',
    YAHOO,
    '554 Message not allowed - [PH01] Email not accepted for policy reasons',
    'soft',
    'policy',
  ],
  ['Sendmail', SENDMAIL, '550 5.1.1 <ada@x.test>... User unknown', 'hard', 'no_mailbox'],
  ['Sendmail', SENDMAIL, '552 5.2.2 <ada@x.test>... Over quota', 'soft', 'mailbox_full'],
  [
    'Postfix',
    POSTFIX,
    '550 5.1.1 <ada@x.test>: Recipient address rejected: User unknown',
    'hard',
    'no_mailbox',
  ],
  ['Gmail', GMAIL, '550 550 #5.1.0 Address rejected (state 14).', 'hard', 'no_mailbox'],
  ['GMX', GMX, '5.1.1 unknown user', 'hard', 'no_mailbox'],
  ['T-Online', T_ONLINE, 'unknown user', 'hard', 'no_mailbox'],
  [
    'Exchange',
    EXCHANGE,
    'The e-mail account does not exist at the organization this message was sent to. <mx.x.test #5.1.1>',
    'hard',
    'no_mailbox',
  ],
  [
    'OpenSMTPD',
    OPENSMTPD,
    '550 5.1.1 https://support.google.com/mail/?p=NoSuchUser x1',
    'hard',
    'no_mailbox',
  ],
  [
    'Office 365',
    OFFICE,
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    'hard',
    'no_mailbox',
  ],
  ['Exim', EXIM, 'an MX or SRV record indicated no SMTP service', 'hard', 'no_domain'],
  ['German', GERMAN, 'Der Empfänger ist unbekannt', 'hard', 'no_mailbox'],
  ['qmail', QMAIL, 'Something went wrong.', 'soft', 'unknown'],
] as const)('%s: %s', (_name, text, said, kind, reason) => {
  const bounce = readProseBounce(DAEMON, text.replace('%', said));
  expect(bounce?.action).toBe('failed');
  expect(classifyBounce({ status: null, diagnostic: bounce?.diagnostic ?? null })).toMatchObject({
    kind,
    reason,
  });
});

test.each([
  'This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue. Delivery attempts will continue.',
  'Warning--Could not send mail for past 8.5 hours',
  'Warning: message still undelivered after 4 hours. Will keep trying until message is 5 days old',
])('a delay is none: %s', (text) => {
  expect(readProseBounce(DAEMON, text)?.action).toBe('delayed');
});

const HARD = QMAIL.replace('%', 'Sorry, no mailbox here by that name. (#5.1.1)');
test.each([
  ['a daemon', [['from', 'Mail Delivery System <Mailer-Daemon@x.test>']], true],
  ['a name', [['from', '"Mail Delivery Subsystem" <x@x.test>']], true],
  ['a bare name', [['from', 'MAILER-DAEMON']], true],
  ['the field of Exim', [['x-failed-recipients', 'ada@x.test']], true],
  [
    'no return path, and a subject',
    [
      ['return-path', '<>'],
      ['from', 'bounce@x.test'],
      ['subject', 'Undelivered Mail Returned to Sender'],
    ],
    true,
  ],
  [
    'an answer to one',
    [
      ['return-path', '<ada@x.test>'],
      ['from', 'Ada <ada@x.test>'],
      ['subject', 'Re: failure notice'],
    ],
    false,
  ],
  [
    'a notice of absence',
    [
      ['return-path', '<>'],
      ['from', 'ada@x.test'],
      ['subject', 'Out of office'],
    ],
    false,
  ],
  ['nobody', [], false],
] as const)('prose from %s is a bounce: %p', (_name, fields, isBounce) => {
  expect(readProseBounce(fields, HARD) !== undefined).toBe(isBounce);
});

test('a mail server that tells of no failure tells of none', () => {
  expect(readProseBounce([['from', 'postmaster@x.test']], 'Welcome! User unknown? Ask us.')).toBeUndefined();
});

test('the text beside a report counts where it names the recipient', () => {
  expect(diagnosticInProse(EXIM.replace('%', 'Unrouteable address'))).toBe('Unrouteable address');
  expect(diagnosticInProse('User unknown')).toBeNull();
});

test.each(['-', '> ', 'a@b.c\n', '@', 'a@', '\n', '<', '--- ', ' '])(
  'two million of %p are read within bounds',
  (unit) => {
    const text = unit.repeat(2_000_000 / unit.length);
    expect(readProseBounce([...DAEMON, ['return-path', text]], text)?.action).toBe('failed');
    expect(readProseBounce([['from', text]], text)).toBeUndefined();
  },
);
