/** Rules about the tags by which analytics distinguish campaigns, `utm_…` (codes TR004 to TR008, TR010 and TR011). */
import { VALUE_MARK } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { registrableOf } from '../email/host.js';
import type { RuleName } from '../rules/catalogue.js';
import type { WebLink } from '../email/web-links.js';

const KNOWN_TAGS = new Set(
  'utm_source utm_medium utm_campaign utm_term utm_content utm_id utm_source_platform utm_creative_format utm_marketing_tactic'.split(
    ' ',
  ),
);
/** Tags that have the same value in all links of a message. */
const SHARED_TAGS = ['utm_source', 'utm_medium', 'utm_campaign'] as const;
/** Links to pages whose visits are not counted. */
const UNCOUNTED_LINK =
  /unsubscrib|opt[-_]?out|preferences|abmeld|abbestell|d[ée]sabonn|privacy|datenschutz|impressum/i;

interface TaggedLink extends WebLink {
  readonly tags: readonly (readonly [name: string, value: string])[];
}

export function campaignTagFindings(links: readonly WebLink[]): RuleFinding[] {
  const tagged = links.map((link): TaggedLink => ({ ...link, tags: tagsOf(link.url) }));
  return [...tagged.flatMap(linkFindings), ...missingTagFindings(tagged), ...differingTagFindings(tagged)];
}

/** With names in lower case, although analytics do not require it. */
function tagsOf(url: URL): [string, string][] {
  return [...url.searchParams]
    .filter(([name]) => /^utm(?:[_-]|source$|medium$|campaign$|term$|content$)/i.test(name))
    .map(([name, value]): [string, string] => [name.toLowerCase(), value]);
}

function linkFindings(link: TaggedLink): RuleFinding[] {
  const { href, url, tags, at, until } = link;
  const findings: RuleFinding[] = [];
  const report = (rule: RuleName, what: string): void => {
    findings.push({ rule, message: `The link ${quote(href)} ${what}.`, at, until });
  };
  const names = new Set(tags.map(([name]) => name));
  const unknown = [...names].filter((name) => !KNOWN_TAGS.has(name));
  if (unknown.length > 0) report('utm_unknown', `has the unknown tag ${quote(unknown[0] ?? '')}`);
  const blank = tags.find(([, value]) => value === '' || value !== value.trim());
  if (blank) report('utm_value_blank', `has no usable value for ${blank[0]}`);
  if (names.size > 0 && !names.has('utm_source')) report('utm_source_missing', 'has tags but no utm_source');
  if (/[#&?]utm_[a-z]+=/i.test(url.hash)) report('utm_in_fragment', 'has tags after the #');
  return findings;
}

/** Links without tags to a site to which most links have tags. */
function missingTagFindings(links: readonly TaggedLink[]): RuleFinding[] {
  const bySite = new Map<string, TaggedLink[]>();
  for (const link of links) {
    const name = registrableOf(link.url.hostname);
    const site = bySite.get(name);
    if (site) site.push(link);
    else bySite.set(name, [link]);
  }
  return [...bySite.values()].flatMap((site) => {
    const countable = site.filter(({ href, tags }) => tags.length > 0 || !UNCOUNTED_LINK.test(href));
    const untagged = countable.filter(({ tags }) => tags.length === 0);
    if (untagged.length === 0 || untagged.length * 2 >= countable.length) return [];
    return untagged.map(({ href, at, until }): RuleFinding => ({
      rule: 'utm_missing',
      message: `The link ${quote(href)} has no utm tags, unlike most others to its site.`,
      at,
      until,
    }));
  });
}

function differingTagFindings(links: readonly TaggedLink[]): RuleFinding[] {
  return SHARED_TAGS.flatMap((name) => {
    const values = new Set<string>();
    for (const { tags } of links)
      for (const [tag, value] of tags)
        if (tag === name && value.trim() !== '' && !value.includes(VALUE_MARK)) values.add(value);
    const folded = new Set([...values].map((value) => value.toLowerCase()));
    const shown = [...values].slice(0, 3).map(quote).join(', ');
    const findings: RuleFinding[] = [];
    if (folded.size < values.size)
      findings.push({
        rule: 'utm_value_case',
        message: `Values of ${name} differ in case: ${shown}.`,
        at: null,
        target: name,
      });
    if (folded.size > 1)
      findings.push({
        rule: 'utm_values_differ',
        message: `The links have several values of ${name}: ${shown}.`,
        at: null,
        target: name,
      });
    return findings;
  });
}
