/**
 * Makes up values for a template that is inspected without a contact (section 4.7: quick runs). Every name that the
 * template reads gets a plausible value, derived from the name and from how the template uses it, so that conditions
 * show their content and loops run. No rule judges made-up values: analysis knows which parts of a message they are.
 */
import type { JsonObject } from '../../../../kernel/json.js';
import { EACH_ITEM, foldName, type NameRead, type NameSense } from '../../../../language/language.js';
import type { PreviewSample } from '../../../templates/domain/preview.js';

/** Items of a made-up list; more deeply nested lists have one item, so that nested loops stay within their bounds. */
const ITEMS = 2;
const DEEPEST_PLURAL = 2;
/** The default for numbers. */
const SAMPLE_NUMBER = 42;
/** The host of made-up addresses if the template contains none. */
const SAMPLE_HOST = 'www.iana.org';
/** Maximum depth of nested names that get a value; deeper ones are missing. */
const DEEPEST = 120;

/** What is known of a name: the name, the names within it, and whether it is a list. */
interface Branch {
  readonly name: string;
  sense: NameSense;
  wanted: string | number | boolean | null;
  readonly fields: Map<string, Branch>;
  items: Branch | null;
}

/** @param source the template's body, whose first host is used in made-up addresses. */
export function sampleFor(names: readonly NameRead[], source: string, now: Date): PreviewSample {
  const contact = branch('');
  const trigger = branch('');
  const events = new Map<string, Branch>();
  for (const name of names) grow(rootOf(name, contact, trigger, events), name);
  const filler = new Filler(hostIn(source), now);
  return {
    contact: filler.fields(contact, 0, 0),
    triggerEvent: { eventName: 'sample_event', attributes: filler.fields(trigger, 0, 0) },
    additionalEvents: Object.fromEntries(
      [...events].map(([name, root]) => [name, { attributes: filler.fields(root, 0, 0) }]),
    ),
  };
}

function branch(name: string): Branch {
  return { name, sense: 'text', wanted: null, fields: new Map(), items: null };
}

function rootOf(
  { source, event }: NameRead,
  contact: Branch,
  trigger: Branch,
  events: Map<string, Branch>,
): Branch {
  if (source !== 'event') return source === 'contact' ? contact : trigger;
  const known = events.get(event ?? '') ?? branch('');
  events.set(event ?? '', known);
  return known;
}

function grow(root: Branch, { path, sense, wanted }: NameRead): void {
  let at = root;
  for (const part of path.slice(0, DEEPEST)) {
    if (part === EACH_ITEM) {
      at = at.items ??= branch(at.name);
      continue;
    }
    const key = foldName(part);
    const inner = at.fields.get(key) ?? branch(part);
    at.fields.set(key, inner);
    at = inner;
  }
  if (at.sense === 'text') at.sense = sense;
  at.wanted ??= wanted;
}

class Filler {
  constructor(
    private readonly host: string,
    private readonly now: Date,
  ) {}

  fields(at: Branch, depth: number, lists: number): JsonObject {
    const entries = [...at.fields.values()].map((inner) => [inner.name, this.value(inner, depth + 1, lists)]);
    return Object.fromEntries(entries) as JsonObject;
  }

  private value(at: Branch, depth: number, lists: number): unknown {
    if (at.items) {
      const item = this.value(at.items, depth + 1, lists + 1);
      return Array.from({ length: lists < DEEPEST_PLURAL ? ITEMS : 1 }, () => item);
    }
    if (at.fields.size > 0) return this.fields(at, depth, lists);
    if (at.wanted !== null) return at.wanted;
    if (at.sense === 'number') return SAMPLE_NUMBER;
    if (at.sense === 'date') return this.now.toISOString();
    const text = this.text(at.name);
    return at.sense === 'list' ? Array.from({ length: ITEMS }, () => text) : text;
  }

  private text(name: string): unknown {
    const spelt = name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/[\s_-]+/g, ' ')
      .trim()
      .toLowerCase();
    const known = SAMPLES.find(([pattern]) => pattern.test(spelt));
    return known ? known[1](this.host, this.now) : 'Sample';
  }
}

type Make = (host: string, now: Date) => unknown;

/** Values by the words of a name; the first match wins. */
const SAMPLES: readonly (readonly [RegExp, Make])[] = [
  [/\b(image|img|photo|picture|logo|avatar|thumbnail|icon|banner)\b/, (host) => `https://${host}/sample.png`],
  [/\b(url|uri|link|href|website|webpage|page)\b/, (host) => `https://${host}/sample`],
  [/\be ?mail\b/, (host) => `ada@${host.replace(/^www\./, '')}`],
  [/\b(phone|mobile|tel)\b/, () => '+44 20 7946 0958'],
  [/\bfirst ?name|given name|forename\b/, () => 'Ada'],
  [/\blast ?name|surname|family name\b/, () => 'Lovelace'],
  [/\b(time ?zone)\b/, () => 'UTC'],
  [/\blocale\b/, () => 'en-US'],
  [/\blanguage\b/, () => 'en'],
  [/\bcurrency\b/, () => 'EUR'],
  [/\b(company|organi[sz]ation|business|brand|shop|store)\b/, () => 'Analytical Engines'],
  [/\b(full ?name|user ?name|name|user|customer|member|author|sender|recipient)$/, () => 'Ada Lovelace'],
  [/\bcountry\b/, () => 'United Kingdom'],
  [/\bcity|town\b/, () => 'London'],
  [/\b(zip|post(al)? ?code)\b/, () => 'SW1Y 4JH'],
  [/\b(street|address)\b/, () => '12 St James’s Square'],
  [/\bcolou?r\b/, () => '#336699'],
  [/^(is|has|can|was) /, () => true],
  [/\b(date|day|time|at|on|until|expires|expiry|birthday|deadline)$/, (_host, now) => now.toISOString()],
  [/\byear$/, (_host, now) => now.getUTCFullYear()],
  [
    /\b(amount|total|subtotal|price|cost|sum|tax|fee|count|quantity|qty|number of|points|balance|age|score|percent|percentage|discount|width|height|size)\b/,
    () => SAMPLE_NUMBER,
  ],
  [/\b(id|number|no|code|token|key|reference|ref|sku|coupon)$/, () => 'A1B2C3'],
];

/** The first host that the template links to, so that made-up addresses resemble its own. */
function hostIn(source: string): string {
  const found = /https:\/\/((?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,24})(?=[/?#"'\s<])/i.exec(source)?.[1];
  return found?.toLowerCase() ?? SAMPLE_HOST;
}
