/** What delivery adds to the HTML of a workspace's promotional message: tracked links, footer and tracking pixel. */
import { trackedParts, type TrackedParts } from '../../tracking/domain/tracking-settings.js';
import type { CompanyInformation, Workspace } from '../../workspaces/domain/workspace.js';

export interface SentAdditions {
  readonly baseUrl: string;
  readonly company: CompanyInformation;
  readonly tracked: TrackedParts;
}

export function additionsOf(
  { company, settings }: Pick<Workspace, 'company' | 'settings'>,
  baseUrl: string,
): SentAdditions {
  return { baseUrl, company, tracked: trackedParts(settings, 'promotional') };
}
