/**
 * Phrases by which servers give the reason of a bounce, in their languages. A phrase matches from the beginning of a
 * word; with `|` at its end it matches whole words only. Sources: test/support/known-replies.
 */
import { replyWords } from './reply-words.js';

export type SoftReason =
  | 'mailbox_full'
  | 'message_too_large'
  | 'authentication'
  | 'rate_limit'
  | 'block_list'
  | 'content'
  | 'relay_denied'
  | 'sender'
  | 'policy'
  | 'temporary'
  | 'unknown';
export type HardReason = 'no_mailbox' | 'mailbox_disabled' | 'no_domain';

/** The first match decides the reason. */
const SOFT_PHRASES: readonly (readonly [SoftReason, readonly string[]])[] = [
  [
    'message_too_large',
    phrases(`too large, too big, message size, mail size, message length, size exceeds fixed, maximum message, message is too long,
      zu gross, trop volumineux, demasiado grande, muito grande, troppo grande, слишком большо, 邮件过大`),
  ],
  [
    'mailbox_full',
    phrases(`quota, over quota, overquota, full|, mailbox size, mailfolder, mailbox exceeded, mailbox has exceeded,
      mailbox limit, storage, disk space, diskspace, out of space, not enough space, no space left, space has been used,
      too many messages on, too much mail data, speichervolumen, uberfullt, ueberfuellt, voll|, plein, llen|, lleno,
      llena, cuota, pien|, piena, pieno, cheia, cheio, cota|, vol|, przepelnion, pelna|, pelny, переполнен, превышен,
      dolu|, fuldt|, fyldt, taynna, plna|, plny, megtelt, πληρες, γεματο, ممتلئ, 已满, 已滿, 超出容量, 容量满, 一杯, いっぱい,
      容量超過, 용량, 가득`),
  ],
  [
    'authentication',
    phrases(`dmarc, dkim, spf, unauthenticated, authenticat, authrequired, sender id|, senderid, spoof,
      purported responsible, not aligned, alignment`),
  ],
  ['temporary', phrases('too many hops, hop count, retry timeout')],
  [
    'rate_limit',
    phrases(`rate|, rates|, too many, too fast, too quickly, too frequent, throttl, frequency, concurren, per hour,
      per day, hourly, daily, flood, excessive, unexpected volume, unusual volume, trop de, zu viele,
      demasiados, troppi|, 频率, 超过限制`),
  ],
  [
    'block_list',
    phrases(`dnsbl, rbl|, spamhaus, spamcop, blacklist, black list, black ip, blocklist, block list, block listed, blocked, blocking,
      denylist, deny list, banned, listed in, listed on, listed at, listed by, is listed, reputation, sender score,
      gesperrt, blockiert, sperrliste, bloque|, bloquee, bloquead, bloccat, geblokkeerd, zablokowan, заблокирован,
      чёрн, engellen, 黑名单, 封禁, 차단`),
  ],
  [
    'content',
    phrases(`spam, unsolicited, junk, ube|, uce|, virus, malware, phish, content, attachment, suspicious, header, bulk,
      filter, not rfc, rfc 5322, rfc 2822, rfc 822, 8 bit, duplicate, url|, infected, spamverdacht, werbung, pourriel,
      correo no deseado, спам, вирус, 垃圾, 病毒, 迷惑, 스팸`),
  ],
  [
    'relay_denied',
    phrases(`relay access, relaying, relay denied, relay not, relay prohibited, relay mail, to relay, no relay,
      open relay, denies relay, relay check, rcpthosts, not a gateway`),
  ],
  [
    'sender',
    phrases(`sender, from address, mail from|, mailfrom, return path, reverse path, from header, your account,
      helo|, ehlo|, client host, client ip, your host, your ip, your server, sending ip, ip address, source ip, reverse
      dns, rdns, ptr|, hostname, invalid ip, dns check, initial connection, absender, expediteur, adresse ip, remitente,
      mittente, remetente, afzender, nadawc, odesilatel, отправител, gonderen, gonderici, avsander, avsender, afsender,
      lahettaj, felado, αποστολε, المرسل, 发件人, 发信, 送信者, 発信者, 발신, 보낸`),
  ],
  [
    'policy',
    phrases(`policy, policies, politique, richtlinie, politica, политик, restrict, prohibit, not allowed, not permitted,
      permission, not authorized, not authorised, unauthorized, autoris, autoriz, berechtig, 権限, 权限, 權限, 권한, denied, deny, forbidden, preferences, user rules,
      user reject, user refuse, recipient refuse, refuses to receive, refused by, whitelist, security, violat,
      complaint, accept mail from, accepts mail from, only accept, upgrade, local user only, user only, protocol,
      abgelehnt wegen, verweigert, interdit, prohibid, vietat, запрещен, 拒收, 拒绝接收`),
  ],
  [
    'temporary',
    phrases(`temporar, later|, not found try again, retry, resend, deferred, greylist, graylist, grey list, gray list, busy, timed out,
      timeout, time out, connection refused, connection to, could not connect, unable to connect, accepting connections,
      message expired, delivery expired, time expired, queue expired, expired in queue, in the queue, congest, loop,
      lost connection, no answer, unreachable, not reachable, no route to, lookup failed,
      lookup failure, servfail, internal error, internal server, internal system, local error, system error,
      service not available, service unavailable, service currently, currently unavailable for, config error,
      configuration error, out of memory, maintenance, unverified address, unable to verify, could not verify,
      cannot verify, name server reply, trouble in home, vorubergehend, voruebergehend, spater, spaeter, plus tard,
      temporaire, mas tarde, piu tardi, mais tarde, позже, временн, daha sonra, 稍后, 暂时, 一時, 나중에, 일시`),
  ],
  ['rate_limit', phrases('limit, exceed')],
];

/** Unambiguous, such as `user unknown`. */
const STRONG_HARD_PHRASES: readonly (readonly [HardReason, readonly string[]])[] = [
  [
    'no_domain',
    phrases(`no such domain, domain not found, domain name not found, domain does not exist, domain doesn t exist,
      host unknown, unknown host, host not found, nxdomain, null mx, nullmx, indicated no smtp service, bad destination system, invalid domain,
      couldn t find any host, couldn t find a mail exchanger, non existent host, nonexistent domain,
      non existent domain, domain must exist, unknown domain, host does not accept mail, domain does not accept mail,
      doesn t receive email, does not receive email, domain existiert nicht, domaine inconnu, dominio inexistente, 域名不存在`),
  ],
  [
    'mailbox_disabled',
    phrases(`mailbox disabled, mailbox is disabled, mailbox has been disabled, account disabled, account is disabled,
      account has been disabled, tried to reach is disabled, tried to reach is inactive, disabled or discontinued,
      disabled recipient, user disabled, user is disabled, account closed, account is closed, account has been closed,
      mailbox closed, deactivated, account inactive, account is inactive, account not active, account is not active,
      inactive user, inactive account, inactive mailbox, user is inactive, mailbox inactive, mailbox is inactive,
      user is terminated, user terminated, account terminated, account has been terminated, account deleted,
      account has been deleted, no longer accepts mail, accountdisabled, deaktiviert, desactive, desactivad,
      disattivat, отключен, 停用, 禁用`),
  ],
  [
    'no_mailbox',
    phrases(`user unknown, unknown user, userunknown, no such user, no user, no such recipient, no such mailbox,
      no such address, no such person, no such account, no such email, no such id|, no such local, no mailbox here,
      no mailbox by that, no mailbox found, no mailbox available for, no account by that, no one at this address,
      no one with that, no person at this, nobody here, nobody by that, unknown recipient, unknown mailbox,
      unknown address, unknown local part, unknown account, unknown or illegal, unknown email, unrouteable, unroutable,
      undeliverable address, addressee unknown, bad destination mailbox, bad destination address, invalid recipient,
      invalid mailbox, invalid user, invalid account, invalid address, invalid destination, illegal user,
      invalid final delivery userid,
      bad recipient address syntax, bad address mailbox syntax, destination addresses were unknown, doesn t have a,
      does not have an account, has left, not our customer, not our user, not a known user, not a valid mailbox,
      not a valid user, not a valid recipient, not a valid address, not a registered, not user of this server,
      not a user, not listed in domino, not listed in public, in name directory, not present in directory, no such entry,
      recipientnotfound, recipnotfound, exrecipnotfound, unavailable mail user, userunk, nonexistent user, non existent user,
      recipient unrecognized, recipient no longer on, badrcptto, validrcptto, account that you tried to reach does not,
      empfanger unbekannt, empfaenger unbekannt, unbekannter empf, unbekannter benutzer, utilisateur inconnu,
      destinataire inconnu, destinataire invalide, usuario desconocido, destinatario desconocido, no existe, n existe,
      nao existe, usuario inexistente, destinatario inexistente, utente sconosciuto, destinatario sconosciuto,
      indirizzo inesistente, nessun utente, onbekende gebruiker, nie ma takiego, nieznany uzytkownik, нет такого,
      неизвестный пользователь, неизвестный получатель, несуществующ, ukendt bruger, okand anvandare, ukjent bruker,
      kullanici bulunamad, alici bulunamad, 不存在, 用户未找到, 无此用户, 查无此人, 宛先不明, 見つかりません, 存在しません,
      存在しない, 존재하지, 찾을 수 없, 없는 사용자`),
  ],
];

/** Servers use these for policy, too. */
const WEAK_HARD_PHRASES =
  phrases(`mailbox unavailable, mailbox is unavailable, mailbox not available, mailbox unavaiable,
  mailbox currently unavailable, account unavailable, account is unavailable, user unavailable, recipient unavailable,
  recipient address rejected, recipient addresses rejected, recipient rejected, recipients rejected, recipient not ok,
  recipient is not accepted, recipient not accepted, address rejected, rcpt is rejected, does not like recipient,
  bad recipient, bad rcpt, no valid recipients, no correct recipients, not a local address, recipient is not local,
  recipient not local, not local user, boite inaccessible, postfach nicht verfugbar, buzon no disponible`);

/** `user X not found`: a subject, followed within a few words by a predicate. */
const SUBJECTS =
  phrases(`user|, users|, username, recipient, recipients|, rcpt|, mailbox, inbox|, account, address|,
  addresses|, addressee, person|, customer|, alias, member|, subscriber, empfang, empfaeng, benutzer, postfach, adresse|,
  emailadresse, konto|, utilisateur, destinataire, compte|, boite|, usuario, destinatario, buzon, cuenta|, direccion|,
  utente|, casella|, indirizzo|, caixa|, conta|, endereco|, gebruiker, postbus, adres|, uzytkownik, odbiorc, skrzynk,
  пользовател, получател, ящик, адрес, учетная запись, kullanici, alici|, adresi|, bruger, anvandare, bruker, mottaker,
  modtager, mottagare, kayttaja, vastaanottaja, uzivatel, prijemce, schranka, felhasznalo, cimzett, postafiok`);
const PREDICATES =
  phrases(`unknown, not found, not be found, not exist, t exist, isn t known, nonexistent, non existent, invalid|,
  not valid, not known, not recognized, not recognised, unrecognized, not registered, not listed, not present,
  no longer valid, no longer exists, no longer in, no longer available, no longer on, no longer active,
  no longer with, unbekannt, existiert nicht, nicht gefunden, nicht bekannt, nicht vorhanden, ungultig, inconnu,
  n existe, introuvable, invalide, inexist, desconocid, no existe, no encontrad, desconhecid, nao existe, nao encontrad,
  sconosciut, inesistent, non esiste, non trovat, non valid, onbekend, bestaat niet, niet gevonden, nieznan, nie istnieje,
  nie znaleziono, не существует, не найден, неизвест, bulunamad, mevcut degil, findes ikke, ukendt, finnes ikke,
  finns inte, okand, ei loydy, tuntematon, neexistuje, neznam, nem letezik, ismeretlen`);
const MAX_PREDICATE_DISTANCE_WORDS = 8;

export interface HardEvidence {
  readonly reason: HardReason;
  readonly isStrong: boolean;
}

/** A reason that leaves the address alive; undefined if none is given. */
export function softReasonOf(words: string): SoftReason | undefined {
  const relevantWords = words
    .replaceAll(/ (?:returned?|notify|to the) (?:to )?sender /g, ' ')
    .replaceAll(' not listed in ', ' not ')
    .replaceAll(' in relay recipient table', ' ')
    .replaceAll(' mail exchanger or ip address', ' ')
    .replaceAll(' mailbox unavailable or access denied', ' ');
  return SOFT_PHRASES.find(([, list]) => hasAny(relevantWords, list))?.[0];
}

/** A reason that proves the address dead; undefined if none is given. */
export function hardReasonOf(words: string): HardEvidence | undefined {
  const [reason] = STRONG_HARD_PHRASES.find(([, list]) => hasAny(words, list)) ?? [];
  if (reason !== undefined) return { reason, isStrong: true };
  if (hasSubjectWithPredicate(words)) return { reason: 'no_mailbox', isStrong: true };
  return hasAny(words, WEAK_HARD_PHRASES) ? { reason: 'no_mailbox', isStrong: false } : undefined;
}

function hasSubjectWithPredicate(words: string): boolean {
  const tokens = words.trim().split(' ');
  return tokens.some(
    (token, at) =>
      hasAny(` ${token} `, SUBJECTS) &&
      hasAny(` ${tokens.slice(at + 1, at + 1 + MAX_PREDICATE_DISTANCE_WORDS).join(' ')} `, PREDICATES),
  );
}

function hasAny(words: string, list: readonly string[]): boolean {
  return list.some((phrase) => words.includes(phrase));
}

/** Phrases in scripts without spaces match anywhere. */
function phrases(list: string): readonly string[] {
  return list.split(',').map((phrase) => {
    const isUnspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(phrase);
    const words = replyWords(phrase).trim();
    return isUnspaced ? words : ` ${words}${phrase.trim().endsWith('|') ? ' ' : ''}`;
  });
}
