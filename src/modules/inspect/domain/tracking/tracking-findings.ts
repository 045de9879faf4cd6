/**
 * Runs all tracking rules (section 4.7: category tracking). They work on a rendered message, and equally on a stored
 * body with its expressions blanked: what an expression produces counts as a value.
 */
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import type { ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { webLinksOf } from '../email/web-links.js';
import { campaignTagFindings } from './campaign-tags.js';
import { trackedLinkFindings } from './tracked-links.js';
import { trackingImageFindings } from './tracking-images.js';

/** Findings whose positions are offsets in the source of the email. */
export function trackingFindings(email: ParsedEmail): RuleFinding[] {
  const links = webLinksOf(email);
  const findings = [
    ...trackingImageFindings(email),
    ...trackedLinkFindings(email, links),
    ...campaignTagFindings(links),
  ];
  const counts = new Map<RuleName, number>();
  return findings.filter(({ rule }) => {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    return count <= MAX_FINDINGS;
  });
}
