/**
 * Errors of a campaign: what it lacks for the requested operation (422 campaign_incomplete, section 7.2), and invalid
 * fields.
 */
import { DomainError, listErrors } from '../../../kernel/domain-error.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import type { CampaignContent } from './campaign.js';

/** What is wrong with a field of the campaign. */
interface MissingField {
  readonly member: keyof CampaignContent;
  readonly message: string;
}

/** 422: the campaign lacks something. @param missing at least one. */
export function campaignIncomplete(missing: readonly MissingField[]): DomainError {
  const errors = missing.map(({ member, message }) => ({ field: member, message }));
  return new DomainError(
    'campaign_incomplete',
    `The campaign is incomplete: ${listErrors(errors)}`,
    (spell) => ({
      errors: missing.map(({ member, message }) => ({ field: spell(member), message })),
    }),
  );
}

/** The error of a campaign without a segment. */
export const NO_SEGMENT: MissingField = {
  member: 'segmentId',
  message: 'is not set, or the segment no longer exists',
};
/** The error of a campaign without a template. */
export const NO_TEMPLATE: MissingField = {
  member: 'templateId',
  message: 'is not set, or the template no longer exists or is inactive',
};

/** Treats a deleted segment as a missing one. @throws the error, or campaign_incomplete if it is segment_not_found. */
export function rethrowAsMissingSegment(error: unknown): never {
  const isGone = error instanceof DomainError && error.code === 'segment_not_found';
  throw isGone ? campaignIncomplete([NO_SEGMENT]) : error;
}

/** 422 invalid_field for one field, under the name that the caller uses. */
export function invalidMember(member: string, message: string): DomainError {
  return new DomainError('invalid_field', `${snakeCase(member)} ${message}.`, (spell) => ({
    errors: [{ field: spell(member), message }],
  }));
}
