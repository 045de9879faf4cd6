/** Rules about the sender's names and addresses (codes SP038 to SP043). */
import { quote, type RuleFinding } from '../findings/finding.js';
import { registrableOf } from '../email/host.js';
import { senderDomain } from '../checks/sender.js';
import type { SpamSender } from './spam-input.js';

/** Providers of free mailboxes. */
const FREE_MAIL = new Set(
  (
    'gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.de yahoo.fr ymail.com rocketmail.com hotmail.com hotmail.co.uk ' +
    'hotmail.de hotmail.fr outlook.com outlook.de outlook.fr live.com msn.com aol.com icloud.com me.com mac.com gmx.com ' +
    'gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de mail.com mail.ru yandex.ru yandex.com inbox.ru bk.ru list.ru ' +
    'proton.me protonmail.com pm.me tutanota.com zoho.com fastmail.com qq.com 163.com 126.com sina.com naver.com daum.net ' +
    'orange.fr free.fr wanadoo.fr laposte.net libero.it virgilio.it tiscali.it seznam.cz wp.pl o2.pl interia.pl onet.pl ' +
    'uol.com.br bol.com.br terra.com.br comcast.net verizon.net att.net bellsouth.net cox.net'
  ).split(' '),
);
/** From this number of letters, a name in capitals is not an abbreviation. */
const MIN_LETTERS = 8;

export function senderNameFindings({ fromEmail, fromName, replyTo }: SpamSender): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const report = (rule: RuleFinding['rule'], message: string, target: string): void => {
    findings.push({ rule, message, at: null, target });
  };
  const [from, reply] = [senderDomain(fromEmail), senderDomain(replyTo)];
  const name = (fromName ?? '').slice(0, 255);
  if (/[^\s@]@[^\s@]/.test(name))
    report('from_name_address', `The sender’s name is the address ${quote(name)}.`, name);
  else if (isLoud(name)) report('from_name_loud', `The sender’s name ${quote(name)} is conspicuous.`, name);
  if (FREE_MAIL.has(from)) report('from_free_mail', `The sender’s address is at ${quote(from)}.`, from);
  if (/^(no|do-?not|donot)[-._]?reply\b/i.test(fromEmail?.trim() ?? '') && reply === '')
    report('from_no_reply', `The sender’s address ${quote(fromEmail ?? '')} is a no-reply address.`, from);
  if (from === '' || reply === '' || registrableOf(from) === registrableOf(reply)) return findings;
  if (FREE_MAIL.has(reply)) report('reply_to_free_mail', `Replies go to ${quote(reply)}.`, reply);
  else report('reply_to_other_domain', `Replies to mail from ${quote(from)} go to ${quote(reply)}.`, reply);
  return findings;
}

function isLoud(name: string): boolean {
  const letters = name.replace(/[^\p{Lu}\p{Ll}]/gu, '');
  const isCapitals = letters.length >= MIN_LETTERS && !/\p{Ll}/u.test(letters);
  return isCapitals || /[!$€£★☆►✔]|\p{Emoji_Presentation}/u.test(name);
}
