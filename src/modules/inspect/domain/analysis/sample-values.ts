/**
 * Makes up values for a template that is inspected without a contact (section 4.7: quick runs). Every name that the
 * template reads gets a plausible value, derived from the name and from how the template uses it, so that conditions
 * show their content and loops run. No rule judges made-up values: analysis knows which parts of a message they are.
 */
import type { JsonObject } from '../../../../kernel/json.js';
import { EACH_ITEM, foldName, type NameRead, type NameSense } from '../../../../language/language.js';
import type { PreviewSample } from '../../../templates/domain/preview.js';

/** Items of a made-up list; more deeply nested lists have one item, so that nested loops stay within their bounds. */
const SAMPLE_LIST_ITEMS = 2;
const MAX_MULTI_ITEM_DEPTH = 2;
/** The default for numbers. */
const SAMPLE_NUMBER = 42;
/** The host of made-up addresses if the template contains none. */
const SAMPLE_HOST = 'www.iana.org';
/** Maximum depth of nested names that get a value; deeper ones are missing. */
const MAX_NAME_DEPTH = 120;

/** What is known of a name: the name, the names within it, and whether it is a list. */
interface NameNode {
  readonly name: string;
  sense: NameSense;
  expectedValue: string | number | boolean | null;
  readonly fields: Map<string, NameNode>;
  items: NameNode | null;
}

/** @param source the template's body, whose first host is used in made-up addresses. */
export function sampleFor(names: readonly NameRead[], source: string, now: Date): PreviewSample {
  const contact = nameNode('');
  const trigger = nameNode('');
  const events = new Map<string, NameNode>();
  for (const name of names) addName(rootOf(name, contact, trigger, events), name);
  const builder = new SampleBuilder(hostIn(source), now);
  return {
    contact: builder.fields(contact, 0, 0),
    triggerEvent: { eventName: 'sample_event', attributes: builder.fields(trigger, 0, 0) },
    additionalEvents: Object.fromEntries(
      [...events].map(([name, root]) => [name, { attributes: builder.fields(root, 0, 0) }]),
    ),
  };
}

function nameNode(name: string): NameNode {
  return { name, sense: 'text', expectedValue: null, fields: new Map(), items: null };
}

function rootOf(
  { source, event }: NameRead,
  contact: NameNode,
  trigger: NameNode,
  events: Map<string, NameNode>,
): NameNode {
  if (source !== 'event') return source === 'contact' ? contact : trigger;
  const known = events.get(event ?? '') ?? nameNode('');
  events.set(event ?? '', known);
  return known;
}

function addName(root: NameNode, { path, sense, wanted }: NameRead): void {
  let node = root;
  for (const part of path.slice(0, MAX_NAME_DEPTH)) {
    if (part === EACH_ITEM) {
      node = node.items ??= nameNode(node.name);
      continue;
    }
    const key = foldName(part);
    const child = node.fields.get(key) ?? nameNode(part);
    node.fields.set(key, child);
    node = child;
  }
  if (node.sense === 'text') node.sense = sense;
  node.expectedValue ??= wanted;
}

class SampleBuilder {
  constructor(
    private readonly host: string,
    private readonly now: Date,
  ) {}

  fields(node: NameNode, depth: number, lists: number): JsonObject {
    const entries = [...node.fields.values()].map((child) => [
      child.name,
      this.value(child, depth + 1, lists),
    ]);
    return Object.fromEntries(entries) as JsonObject;
  }

  private value(node: NameNode, depth: number, lists: number): unknown {
    if (node.items) {
      const item = this.value(node.items, depth + 1, lists + 1);
      return Array.from({ length: lists < MAX_MULTI_ITEM_DEPTH ? SAMPLE_LIST_ITEMS : 1 }, () => item);
    }
    if (node.fields.size > 0) return this.fields(node, depth, lists);
    if (node.expectedValue !== null) return node.expectedValue;
    if (node.sense === 'number') return SAMPLE_NUMBER;
    if (node.sense === 'date') return this.now.toISOString();
    const text = this.text(node.name);
    return node.sense === 'list' ? Array.from({ length: SAMPLE_LIST_ITEMS }, () => text) : text;
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

type SampleMaker = (host: string, now: Date) => unknown;

/** Values by the words of a name; the first match wins. */
const SAMPLES: readonly (readonly [RegExp, SampleMaker])[] = [
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
