/**
 * Rules about links whose clicks are counted, or that reveal too much when they are (codes TR003, TR014, TR015, TR018
 * to TR021 and TR023).
 */
import { quote, type RuleFinding } from '../findings/finding.js';
import { textIn, writtenAttribute, type ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { attributeSpan, type WebLink } from '../email/web-links.js';
import { personalPartOf } from './personal-data.js';
import { isCountedElsewhere } from './tracker-hosts.js';

/** Maximum number of links of a message that tracking rewrites. */
const MAX_TRACKED_LINKS = 1_000;

const CLICK_IDS =
  /^(?:gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|ttclid|twclid|li_fat_id|yclid|igshid|srsltid|epik)$/i;
const FOREIGN_IDS =
  /^(?:mc_cid|mc_eid|_hsenc|_hsmi|hsctatracking|mkt_tok|vero_id|vero_conv|_kx|ck_subscriber_id|sc_eid|elqtrackid|elqtrack|rb_clickid|oly_anon_id|oly_enc_id|bsft_\w{1,30}|trk_contact|trk_msg|dm_i)$/i;
const UNSUBSCRIBE =
  /unsubscrib|opt[- _]?out|manage[- _](?:your[- _])?(?:subscription|preferences)|abmelden|abbestell|d[ée]sabonn|d[ée]sinscri|darse de baja|disiscriv|uitschrijv|afmelden/i;

export function trackedLinkFindings(email: ParsedEmail, links: readonly WebLink[]): RuleFinding[] {
  return [
    ...links.flatMap((link) => linkFindings(email, link)),
    ...attributeFindings(email),
    ...linkCountFindings(links),
  ];
}

function linkFindings(email: ParsedEmail, link: WebLink): RuleFinding[] {
  const { element, href, url, at, until } = link;
  const findings: RuleFinding[] = [];
  const report = (rule: RuleName, what: string): void => {
    findings.push({ rule, message: `The link ${quote(href)} ${what}.`, at, until });
  };
  if (isCountedElsewhere(url)) report('link_tracked_elsewhere', `leads through ${url.hostname}`);
  const personal = personalPartOf(url);
  if (personal !== null) report('link_personal_data', `contains ${personal}`);
  const names = [...url.searchParams.keys()];
  const click = names.find((name) => CLICK_IDS.test(name));
  if (click !== undefined) report('click_id_copied', `contains the click ID ${click}`);
  const foreign = names.find((name) => FOREIGN_IDS.test(name));
  if (foreign !== undefined) report('foreign_campaign_id', `contains ${foreign}`);
  const isTracked = (element.attributes.get('data-tracking') ?? '').trim().toLowerCase() !== 'off';
  const hrefAndText = `${writtenAttribute(email, element, 'href').slice(0, 4_000)} ${textIn(element).slice(0, 4_000)}`;
  if (isTracked && UNSUBSCRIBE.test(hrefAndText))
    report('unsubscribe_tracked', 'is an unsubscribe link and is rewritten by click tracking');
  return findings;
}

function attributeFindings(email: ParsedEmail): RuleFinding[] {
  return email.elements.flatMap((element) => {
    if (element.name !== 'a' && element.name !== 'area') return [];
    const findings: RuleFinding[] = [];
    const tracking = element.attributes.get('data-tracking');
    if (tracking !== undefined && tracking.trim().toLowerCase() !== 'off')
      findings.push({
        rule: 'tracking_switch_unknown',
        message: `data-tracking is ${quote(tracking)}, which does not exclude a link from tracking.`,
        ...attributeSpan(email, element, 'data-tracking'),
      });
    if (element.attributes.has('ping'))
      findings.push({
        rule: 'link_ping',
        message: `A link pings ${quote(element.attributes.get('ping') ?? '')}.`,
        ...attributeSpan(email, element, 'ping'),
      });
    return findings;
  });
}

function linkCountFindings(links: readonly WebLink[]): RuleFinding[] {
  if (links.length <= MAX_TRACKED_LINKS) return [];
  const message = `The message has ${links.length} links; only ${MAX_TRACKED_LINKS} are tracked.`;
  return [{ rule: 'links_too_many_to_track', message, at: null, target: 'links' }];
}
