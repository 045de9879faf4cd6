/**
 * The templates that prevent the activation of a flow, sections 3.2 and 4.2: missing ones, those with errors, and
 * inactive ones, since delivery would reject all their messages.
 */
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import type { Spelling } from '../../../kernel/letter-case.js';
import { findProblems, type TemplateFinding } from '../../../language/language.js';
import type { TemplateUse } from '../../inspect/domain/gate/gate.js';
import { spelledFindings } from '../../templates/domain/spelled-findings.js';
import type { Template } from '../../templates/domain/template.js';
import { fieldError } from './field-error.js';
import type { NewStep } from './step.js';
import { stepsWithPaths } from './step-tree.js';
import type { SendEmailStep } from './steps/send-email.js';

/** One template to fix, as responses show it. */
export interface TemplateProblem {
  readonly slug: string;
  readonly reason: 'not_found' | 'syntax_errors' | 'inactive';
  /** Where it is sent, such as `steps[2]` or `steps[2].branches[0].steps[1]`. */
  readonly paths: readonly string[];
  /** Indexes of the flow's top-level steps that send it or contain a step that does, each once. */
  readonly steps: readonly number[];
  /** Errors of the template, and of the subjects that steps send with it. */
  readonly findings: readonly TemplateFinding[];
}

/** The slugs that the steps send, distinct. */
export function templateSlugs(steps: readonly NewStep[]): string[] {
  return [...new Set(emailSteps(steps).map(({ step }) => step.templateSlug))];
}

/** All uses of a template in the steps, with the subject that each sets. */
export function templateUses(steps: readonly NewStep[], templates: readonly Template[]): TemplateUse[] {
  const known = new Map(templates.map((template) => [template.slug, template]));
  return emailSteps(steps).flatMap(({ step }) => {
    const template = known.get(step.templateSlug);
    return template ? [{ template, subject: step.subject ?? null }] : [];
  });
}

/** All templates of the steps that cannot be sent. */
export function templateProblems(
  steps: readonly NewStep[],
  templates: readonly Template[],
): TemplateProblem[] {
  const known = new Map(templates.map((template) => [template.slug, template]));
  return templateSlugs(steps).flatMap((slug): TemplateProblem[] => {
    const uses = emailSteps(steps).filter(({ step }) => step.templateSlug === slug);
    const template = known.get(slug);
    const findings = [
      ...(template?.validationErrors ?? []),
      ...uses.flatMap(({ step }) => subjectFindings(step)),
    ].filter(({ severity }) => severity === 'error');
    const reason = problemReason(template, findings);
    return reason === null ? [] : [{ slug, reason, ...positionsOf(uses), findings }];
  });
}

function problemReason(
  template: Template | undefined,
  errors: readonly TemplateFinding[],
): TemplateProblem['reason'] | null {
  if (!template) return 'not_found';
  if (errors.length > 0) return 'syntax_errors';
  return template.isActive ? null : 'inactive';
}

const MESSAGES: Readonly<Record<TemplateProblem['reason'], (slug: string) => string>> = {
  not_found: (slug) => `no template has the slug ${slug}`,
  syntax_errors: (slug) => `the template ${slug} has syntax errors`,
  inactive: (slug) => `the template ${slug} is inactive`,
};

/** The error that lists the templates to fix. */
export function templateErrors(problems: readonly TemplateProblem[]): DomainError {
  const errorsOf = (spell: Spelling): FieldError[] =>
    problems.flatMap(({ slug, reason, paths }) =>
      paths.map((path) => fieldError(`${path}.${spell('templateSlug')}`, MESSAGES[reason](slug))),
    );
  const slugs = problems.map(({ slug }) => slug).join(', ');
  return new DomainError(
    'template_errors',
    `Fix these templates before activating the flow: ${slugs}.`,
    (spell) => ({
      templates: problems.map(({ paths: _paths, ...problem }) => ({
        ...problem,
        findings: spelledFindings(problem.findings, spell),
      })),
      errors: errorsOf(spell),
    }),
  );
}

interface EmailStepWithPath {
  readonly step: SendEmailStep;
  readonly path: string;
  readonly top: number;
}

function emailSteps(steps: readonly NewStep[]): EmailStepWithPath[] {
  return stepsWithPaths(steps).flatMap(({ step, path, top }) =>
    step.type === 'send_email' ? [{ step, path, top }] : [],
  );
}

function positionsOf(uses: readonly EmailStepWithPath[]): Pick<TemplateProblem, 'paths' | 'steps'> {
  return { paths: uses.map(({ path }) => path), steps: [...new Set(uses.map(({ top }) => top))] };
}

function subjectFindings({ subject }: SendEmailStep): TemplateFinding[] {
  return subject === undefined ? [] : findProblems({ subject, bodyHtml: '', templateLanguage: null });
}
