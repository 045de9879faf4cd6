/** Checks for tables that email clients and screen readers misread (section 4.7, html and accessibility). */
import { holdsExpression } from '../email/blanked-source.js';
import type { RuleFinding } from '../findings/finding.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import { atElement, styleOf } from './element-findings.js';

export function checkTables(email: ParsedEmail): RuleFinding[] {
  const withHeaders = new Set<EmailElement>();
  const findings: RuleFinding[] = [];
  for (const element of email.elements) {
    if (element.name !== 'th') continue;
    const table = tableAround(element);
    if (table) withHeaders.add(table);
    if (!element.attributes.has('scope') && !isOpen(element)) {
      findings.push(atElement('table_scope_missing', element, 'A <th> has no scope.'));
    }
  }
  for (const table of email.elements) {
    if (table.name !== 'table') continue;
    const presented = /^(presentation|none)$/i.test(table.attributes.get('role')?.trim() ?? '');
    if (presented && withHeaders.has(table)) {
      const message = 'A table with headers is marked as layout.';
      findings.push(atElement('data_table_presented', table, message));
    }
    findings.push(...checkSpacing(email, table));
  }
  return findings;
}

function tableAround(element: EmailElement): EmailElement | null {
  let around = element.parent;
  while (around && around.name !== 'table') around = around.parent;
  return around;
}

function checkSpacing(email: ParsedEmail, table: EmailElement): RuleFinding[] {
  if (isOpen(table)) return [];
  const collapses = styleOf(email, table, 'border-collapse') === 'collapse';
  const spaced = collapses || styleOf(email, table, 'border-spacing') !== undefined;
  const missing = ['cellpadding', 'cellspacing'].filter(
    (name) => !table.attributes.has(name) && !(name === 'cellspacing' && spaced),
  );
  if (missing.length === 0) return [];
  return [atElement('table_spacing_missing', table, `A table has no ${missing.join(' and no ')}.`)];
}

/** Whether an expression among the attributes may produce any of them. */
function isOpen({ attributes }: EmailElement): boolean {
  return [...attributes.keys()].some(holdsExpression);
}
