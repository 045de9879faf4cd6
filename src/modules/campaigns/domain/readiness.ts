/**
 * What prevents a campaign from being sent, campaigns.md "Life": reported before it starts, and checked again when it
 * does.
 */
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import type { Spelling } from '../../../kernel/letter-case.js';
import { findProblems, containsPlaceholder, type TemplateFinding } from '../../../language/language.js';
import type { ResolvedFrom } from '../../delivery/domain/sender-address.js';
import { spelledFindings } from '../../templates/domain/spelled-findings.js';
import type { Template } from '../../templates/domain/template.js';
import type { Campaign } from './campaign.js';

/** A template to send, with the subject that replaces its own. */
export interface SentTemplate {
  readonly template: Template | undefined;
  readonly subject: string | null;
}

/** What is known of everything that a campaign needs. */
export interface CampaignDependencies {
  readonly templates: readonly SentTemplate[];
  readonly hasSegment: boolean;
  /** Whether the campaign or the workspace sets a sender address. */
  readonly hasSender: boolean;
  readonly senders: readonly ResolvedFrom[];
}

interface TemplateProblem {
  readonly slug: string;
  readonly reason: 'syntax_errors';
  readonly findings: readonly TemplateFinding[];
}

/**
 * @throws DomainError campaign_incomplete with everything that is missing, under the caller's field names;
 *   template_errors.
 */
export function assertReady(campaign: Campaign, dependencies: CampaignDependencies): void {
  const missing = missingFields(campaign, dependencies);
  if (missing.length > 0)
    throw new DomainError('campaign_incomplete', 'The campaign cannot be sent yet.', (spell) => ({
      errors: missing.map(({ field, message }): FieldError => ({ field: spell(field), message })),
    }));
  const problems = dependencies.templates.flatMap(problemsOf);
  if (problems.length > 0) throw templateErrors(problems);
}

function missingFields(
  { templateId, segmentId, recurrence, abTest }: Campaign,
  { templates, hasSegment, hasSender, senders }: CampaignDependencies,
): FieldError[] {
  const errors: FieldError[] = [];
  if (templateId === null) errors.push({ field: 'templateId', message: 'is missing' });
  else if (templates.some(({ template }) => !template))
    errors.push({ field: 'templateId', message: 'the template no longer exists' });
  else if (templates.some(({ template }) => template?.isActive === false))
    errors.push({ field: 'templateId', message: 'the template is inactive' });
  else if (templates.some(hasPlaceholder))
    errors.push({
      field: 'templateId',
      message: 'the subject or the template contains a placeholder in guillemets',
    });
  if (segmentId === null) errors.push({ field: 'segmentId', message: 'is missing' });
  else if (!hasSegment) errors.push({ field: 'segmentId', message: 'the segment no longer exists' });
  if (!hasSender)
    errors.push({ field: 'senderEmail', message: 'is missing, and the workspace has no sender address' });
  for (const sender of senders)
    if (sender.kind === 'refused') {
      const field = sender.field === 'from_email' ? 'senderEmail' : 'replyTo';
      errors.push({ field, message: 'is not an address that mail can be sent from' });
      break;
    }
  // No call can send the winner for a recurring campaign, since it never has the status ab_testing.
  if (recurrence !== null && abTest?.sendWinner === 'manual')
    errors.push({
      field: 'abTest',
      message: 'must send the winner automatically if the campaign is recurring',
    });
  return errors;
}

function problemsOf({ template, subject }: SentTemplate): TemplateProblem[] {
  if (!template) return [];
  const findings = [
    ...template.validationErrors,
    ...(subject === null ? [] : findProblems({ subject, bodyHtml: '', templateLanguage: null })),
  ].filter(({ severity }) => severity === 'error');
  return findings.length > 0 ? [{ slug: template.slug, reason: 'syntax_errors', findings }] : [];
}

function hasPlaceholder({ template, subject }: SentTemplate): boolean {
  return (
    containsPlaceholder(subject ?? template?.subject ?? '') || containsPlaceholder(template?.bodyHtml ?? '')
  );
}

function templateErrors(problems: readonly TemplateProblem[]): DomainError {
  const slugs = problems.map(({ slug }) => slug).join(', ');
  const message = (slug: string): string => `the template ${slug} has syntax errors`;
  return new DomainError(
    'template_errors',
    `Fix these templates before sending the campaign: ${slugs}.`,
    (spell: Spelling) => ({
      templates: problems.map((problem) => ({
        ...problem,
        findings: spelledFindings(problem.findings, spell),
      })),
      errors: problems.map(({ slug }): FieldError => ({
        field: spell('templateId'),
        message: message(slug),
      })),
    }),
  );
}
