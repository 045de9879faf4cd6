/** Checks how a screen reader reads tables and headings (section 4.3, preflight: accessibility). */
import type { RuleFinding } from '../findings/finding.js';
import { isElement, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';

export function checkStructure(email: ParsedEmail): RuleFinding[] {
  return [...checkTables(email), ...checkHeadings(email)];
}

function checkTables({ elements }: ParsedEmail): RuleFinding[] {
  const withData = new Set<EmailElement>();
  for (const element of elements) {
    if (!['th', 'caption', 'thead'].includes(element.name)) continue;
    const table = tableAround(element);
    if (table) withData.add(table);
  }
  return elements
    .filter(
      (element) => element.name === 'table' && !withData.has(element) && !element.attributes.has('role'),
    )
    .map(({ offset: offset, end: until }) => ({
      rule: 'table_role_missing',
      message: 'A table without headers is read out as a data table.',
      at: offset,
      until,
    }));
}

function tableAround(element: EmailElement): EmailElement | null {
  let around = element.parent;
  while (around && around.name !== 'table') around = around.parent;
  return around;
}

function checkHeadings({ elements }: ParsedEmail): RuleFinding[] {
  const findings: RuleFinding[] = [];
  let last = 0;
  for (const { name, offset: offset, end: until, children } of elements) {
    const level = Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
    if (level === 0) continue;
    if (last > 0 && level > last + 1) {
      findings.push({ rule: 'heading_skipped', message: `<${name}> follows <h${last}>.`, at: offset, until });
    }
    // Screen readers skip an empty heading.
    if (children.some((child) => isElement(child) || child.text.trim() !== '')) last = level;
  }
  return findings;
}
