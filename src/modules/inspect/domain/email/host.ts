/** Classifies host names of links: whether readers can reach them, and whether filters and readers will trust them. */

/** Hosts that redirect to an address of their customer's choice. */
const SHORTENERS = new Set(
  (
    'bit.ly bitly.com buff.ly cutt.ly dlvr.it goo.gl is.gd lnkd.in ow.ly rb.gy rebrand.ly s.id shorturl.at soo.gd ' +
    't.co t.ly tiny.cc tinyurl.com trib.al v.gd x.gd bl.ink short.io t2m.io clck.ru'
  ).split(' '),
);

/** Second-level names under which registries sell third-level names. */
const SECOND_LEVEL = new Set(['ac', 'co', 'com', 'edu', 'gov', 'net', 'ne', 'or', 'org', 'gob', 'go']);

export type HostTrait = 'private' | 'example' | 'ip' | 'shortener' | 'lookalike' | 'international';

/**
 * The notable trait of a host in the form of the URL standard (lower case, ASCII, IPv4 as four numbers); null if it has
 * none.
 */
export function traitOf(host: string, written: string): HostTrait | null {
  const name = host.replace(/\.$/, '');
  if (isPrivate(name)) return 'private';
  if (/^\[|^\d+\.\d+\.\d+\.\d+$/.test(name)) return 'ip';
  if (/(^|\.)(example\.(com|net|org)|example)$/.test(name)) return 'example';
  if (SHORTENERS.has(name.replace(/^www\./, ''))) return 'shortener';
  if (/(^|\.)xn--/.test(name)) return mixesScripts(written) ? 'lookalike' : 'international';
  return null;
}

/** Whether a name or address is only reachable within a private network (RFC 1918, 6761, 6762, 4193, 3927). */
function isPrivate(host: string): boolean {
  if (/(^|\.)(localhost|local|internal|intranet|lan|home|corp|test|invalid)$/.test(host)) return true;
  if (/^(0|10|127|22[4-9]|23\d|24\d|25[0-5])\.\d+\.\d+\.\d+$/.test(host)) return true;
  if (
    /^(192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d+\.?\d*/.test(host)
  )
    return true;
  if (/^\[(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/.test(host)) return true;
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host);
  if (mapped)
    return isPrivate(ipv4Of(Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)));
  return !host.includes('.') && !host.startsWith('[');
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * Whether a label mixes letters of several scripts, or has only Cyrillic or Greek letters under a Latin top-level
 * domain: such a name can imitate a known one. A host written in ASCII (`xn--…`) hides its letters from readers, so it
 * counts too.
 */
function mixesScripts(written: string): boolean {
  if (/xn--/i.test(written)) return true;
  const labels = written.normalize('NFC').split('.');
  const latinEnding = /^[a-z]+$/i.test(labels.at(-1) ?? '');
  return labels.some((label) => {
    const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(
      label,
    );
    return foreign && (latinEnding || /\p{Script=Latin}/u.test(label));
  });
}

/** The registrable part of a name: `shop.acme.co.uk` to `acme.co.uk`, by a rule of thumb. */
export function registrableOf(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  const deep = labels.length > 2 && labels.at(-1)?.length === 2 && SECOND_LEVEL.has(labels.at(-2) ?? '');
  return labels.slice(deep ? -3 : -2).join('.');
}
