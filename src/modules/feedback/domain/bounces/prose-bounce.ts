/**
 * Parses bounces without RFC 3464 parts, as qmail, Exim, old Sendmail, Yahoo, Exchange, GMX and others write them.
 * Replies of people quote such text, so it counts only if a mail server sent it.
 */
import { replyWords } from './reply-words.js';

export interface ProseBounce {
  /** The server retries a `delayed` message. */
  readonly action: 'failed' | 'delayed';
  /** The text about the recipient, without the copy of the message. */
  readonly diagnostic: string;
}

const MAX_PROSE_CHARS = 32_768;
const MAX_LINES = 400;
const MAX_LINE_CHARS = 1_000;
const MAX_DIAGNOSTIC_CHARS = 4_000;

/** Local parts and display names that mail servers send from. */
const SERVER_LOCAL_PARTS =
  /^(?:mailer-?daemon|mail-?daemon|maildaemon|post_?master|mdaemon|daemon|mail[.-]delivery(?:[.-](?:sub)?system)?)$/i;
const SERVER_NAMES = [
  ' mail deliver',
  ' mailer daemon ',
  ' mail administrator ',
  ' mail system ',
  ' postmaster ',
];

const FAILED_PHRASES = [
  'could not be delivered',
  'couldn t be delivered',
  'cannot be delivered',
  'can t be delivered',
  'was not delivered',
  'wasn t delivered',
  'not be delivered',
  'unable to deliver',
  'not able to deliver',
  'couldn t deliver',
  'could not deliver',
  'delivery failed',
  'delivery failure',
  'delivery has failed',
  'delivery to the following',
  'delivery error',
  'delivery problem',
  'permanent delivery',
  'delivery status notification failure',
  'error has occurred while attempting to deliver',
  'error occurred while trying to deliver',
  'error delivering',
  'trouble delivering',
  'failed to deliver',
  'has been failed',
  'mail failure',
  'failed permanently',
  'permanent error',
  'permanent fatal errors',
  'permanent failure',
  'undeliver',
  'did not reach',
  'failure notice',
  'returned mail',
  'returned to sender',
  'message returned',
  'failed addresses',
  'no valid recipients',
  'nicht zugestellt',
  'unzustellbar',
  'n a pas pu',
  'non remis',
  'no se pudo entregar',
  'no se ha podido entregar',
  'nao pode ser entregue',
  'nao foi entregue',
  'impossibile recapitare',
  'mancato recapito',
  'niet worden bezorgd',
  'nie moze zostac dostarczona',
  'nie zostala dostarczona',
  'недоставлен',
  'не доставлен',
  'не удалось доставить',
  'не может быть доставлен',
  'iletilemedi',
  '退信',
  '无法投递',
  '投递失败',
  '配信できません',
  '配信不能',
  '配送できません',
  '送信できません',
  '반송',
].map((phrase) => replyWords(phrase).trim());
const DELAYED_PHRASES = [
  'delayed',
  'not yet been delivered',
  'will be retried',
  'will retry',
  'still trying',
  'keep trying',
  'continue to try',
  'continue trying',
  'delivery attempts will continue',
  'do not need to resend',
  'don t need to resend',
  'not need to resend',
  'warning message only',
  'warning could not send',
  'verzogert',
  'retarde',
  'retrasad',
];
const PERMANENT_PHRASES = [
  'permanent',
  'failed addresses',
  'following address failed',
  'following addresses failed',
  'given up',
  'giving up',
];

/** The line before the copy of the message. */
const COPY_SEPARATOR =
  /^[\s>|]*(?:[-=_*]{2}.{0,200}\b(?:copy of|original message|returned message|message headers?|unsent message|message follows|undelivered message|message text)|(?:(?:included|below|this) is )?(?:a |the )?(?:copy of (?:the|your) (?:original )?message|original message (?:headers?|follows)|message headers? follow))/i;
const COPIED_FIELD =
  /^(?:received|return-path|dkim-signature|message-id|mime-version|content-type|x-waypost-feedback|list-unsubscribe):/i;
/** A line that begins with the recipient, such as `<ada@x.test>: host mx said …`. */
const RECIPIENT = /^\s*[<"']?[^\s<>"'@:]{1,320}@[^\s<>"'@:]{1,255}[>"']?(?:\s*:(.*))?$/;

type Fields = readonly (readonly [name: string, value: string])[];

/** Undefined if the message is no bounce, or not from a mail server. */
export function readProseBounce(fields: Fields, text: string): ProseBounce | undefined {
  const valueOf = (name: string): string =>
    fields.find(([field]) => field === name)?.[1].slice(0, MAX_LINE_CHARS) ?? '';
  const subject = replyWords(valueOf('subject'));
  const isReturned = valueOf('return-path').trim() === '<>';
  const isFromServer =
    fields.some(([name]) => name === 'x-failed-recipients') ||
    isServer(valueOf('from')) ||
    (isReturned && hasAny(subject, FAILED_PHRASES));
  if (!isFromServer) return undefined;
  const lines = proseOf(text);
  const words = `${subject}${replyWords(lines.join(' '))}`;
  const isDelayed = hasAny(words, DELAYED_PHRASES) && !hasAny(words, PERMANENT_PHRASES);
  if (!isDelayed && !hasAny(words, FAILED_PHRASES)) return undefined;
  return { action: isDelayed ? 'delayed' : 'failed', diagnostic: diagnosticOf(lines) };
}

/** The reason of a failure in the text part of a report that gives none elsewhere; null if there is none. */
export function diagnosticInProse(text: string): string | null {
  const lines = proseOf(text);
  return lines.some((line) => RECIPIENT.test(line)) ? diagnosticOf(lines) : null;
}

function isServer(from: string): boolean {
  const at = from.lastIndexOf('@');
  const [, local = ''] =
    /([^\s<>"]{1,64})$/.exec(
      at > 0 ? from.slice(Math.max(0, at - 65), at) : from.slice(-64).replace(/>?\s*$/, ''),
    ) ?? [];
  return SERVER_LOCAL_PARTS.test(local) || hasAny(replyWords(from), SERVER_NAMES);
}

/** The lines before the copy of the message. */
function proseOf(text: string): string[] {
  const lines = text
    .slice(0, MAX_PROSE_CHARS)
    .split('\n', MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_CHARS).trimEnd());
  const end = lines.findIndex((line) => COPY_SEPARATOR.test(line) || COPIED_FIELD.test(line));
  return end === -1 ? lines : lines.slice(0, end);
}

function diagnosticOf(lines: readonly string[]): string {
  const at = lines.findIndex((line) => RECIPIENT.test(line));
  const [, afterRecipient = ''] = RECIPIENT.exec(lines[at] ?? '') ?? [];
  const relevant = at === -1 ? lines : [afterRecipient, ...lines.slice(at + 1)];
  return relevant
    .map((line) => line.replace(/^\s*(?:<<<|>>>|\.\.\.)/, '').trim())
    .filter((line) => line !== '')
    .join(' ')
    .slice(0, MAX_DIAGNOSTIC_CHARS);
}

function hasAny(words: string, list: readonly string[]): boolean {
  return list.some((phrase) => words.includes(phrase));
}
